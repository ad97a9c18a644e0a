# The solver: cell operations, domain, walls, exact flows, the time loop, the stage.
foreach(name kernels vlbm pipe)
  portaflow_test(test_${name} SOURCES unit/test_${name}.c unit/solve_flow.c LINK solve_core)
endforeach()
