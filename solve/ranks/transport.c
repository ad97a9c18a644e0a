/* SPDX-License-Identifier: Apache-2.0 */
/* Detects a parallel start and loads the MPI module. */
#include "solve/ranks/transport.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Environment variables that contain the number of ranks and this rank: of Open MPI, of MPICH and Intel MPI, and of
 * Slurm's srun. SLURM_NTASKS is not used, because a batch script without srun also has it. */
static const struct {
    const char *size, *rank;
} launcher[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                {"PMI_SIZE", "PMI_RANK"},
                {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

bool transport_launched(int *rank) {
    *rank = 0;
    for (size_t k = 0; k < sizeof launcher / sizeof *launcher; k++) {
        const char *size = getenv(launcher[k].size), *number = getenv(launcher[k].rank);
        if (!size || !number)
            continue;
        *rank = atoi(number);
        return atoi(size) > 1;
    }
    return false;
}

int transport_open(transport_patient patient, const transport **t) {
    char path[FILE_PATH_MAX];
    transport_start start = NULL;
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 32);
    char *name = n > 0 ? memrchr(path, '/', (size_t)n) : NULL;
    if (!name)
        return fail(ERR_INTERNAL, "cannot find the folder of the programs; install Portaflow again");
    memcpy(name + 1, "solve-mpi.so", sizeof "solve-mpi.so"); /* path of the module in a build; an installed solve has it
                                                              * in another folder */
    if (!file_exists(path))
        memcpy(name + 1, "../lib/portaflow/solve-mpi.so", sizeof "../lib/portaflow/solve-mpi.so");
    if (!file_exists(path))
        return fail(
            ERR_RESOURCE,
            "started as one of several ranks, but this solve has no MPI ('%s' is missing); install libopenmpi-dev "
            "and build again, or run it without mpirun",
            path);
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* modules of Open MPI need its symbols */
    if (!module)
        return fail(ERR_RESOURCE, "cannot load MPI: %s; install libopenmpi-dev, or run solve without mpirun",
                    dlerror());
    *(void **)&start = dlsym(module, TRANSPORT_SYMBOL);
    *t = start ? start(patient) : NULL;
    return *t ? OK : fail(ERR_RESOURCE, "MPI does not start; check the MPI installation, or run solve without mpirun");
}
