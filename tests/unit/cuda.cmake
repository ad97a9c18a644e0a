# The GPU's index, which needs no GPU.
portaflow_test(test_cuda_pack SOURCES unit/test_cuda_pack.c unit/solve_flow.c backend/backend_case.c LINK solve_core solve_pack)
portaflow_test(test_half SOURCES unit/test_half.c LINK common_core)
