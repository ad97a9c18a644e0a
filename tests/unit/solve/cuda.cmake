# SPDX-License-Identifier: Apache-2.0
# The GPU's index, which needs no GPU.
portaflow_test(test_cuda_pack SOURCES unit/solve/test_cuda_pack.c unit/solve/solve_flow.c backend/backend_case.c LINK solve_core solve_pack mesh_core)
portaflow_test(test_half SOURCES unit/solve/test_half.c LINK common_base)
