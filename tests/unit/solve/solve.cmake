# The solver: cell operations, domain, walls, exact flows, the time loop, the stage.
foreach(name kernels domain vlbm zou_he pipe scale)
  portaflow_test(test_${name} SOURCES unit/solve/test_${name}.c unit/solve/solve_flow.c LINK solve_core mesh_core)
endforeach()
if(TARGET solve_run)
  portaflow_test(test_state SOURCES unit/solve/test_state.c backend/backend_case.c unit/solve/solve_flow.c
    LINK solve_run mesh_core)
  portaflow_test(test_driving SOURCES unit/solve/test_driving.c LINK solve_run mesh_core)
  portaflow_test(test_fluctuation SOURCES unit/solve/test_fluctuation.c LINK solve_run)
endif()
portaflow_test(test_schemes SOURCES unit/solve/test_schemes.c LINK solve_bench)
if(TARGET solve_stage)
  portaflow_test(test_solve SOURCES unit/solve/test_solve.c LINK solve_stage mesh_core)
endif()
