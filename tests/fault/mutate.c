/* SPDX-License-Identifier: Apache-2.0 */
/* Damages a file: mutate FILE SEED REGION REGIONS [seal]
 *
 * One change, drawn from SEED, begins in part REGION of the REGIONS equal parts of the file: a bit, a byte, a run of
 * bytes, a digit of a number, a piece cut out or put in, the end cut off, or bytes behind it. With "seal" the file
 * (JSON or HDF5) gets a right seal again, as if another program had written it. Prints what was done. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/hdf5_seal.h"
#include "tests/fault/damage.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char *data = NULL, *larger;
    size_t n = 0;
    int rc = OK;
    if (argc < 5)
        return status_finish("mutate", fail(ERR_USAGE, "mutate FILE SEED REGION REGIONS [seal]"));
    const char *path = argv[1];
    const size_t region = strtoul(argv[3], NULL, 10), regions = strtoul(argv[4], NULL, 10);
    const bool json = file_ends_with(path, ".json"),
               hdf5 = file_ends_with(path, ".h5") || file_ends_with(path, ".vtkhdf");
    const bool seal = argc > 5 && (json || hdf5);
    char what[80] = "";
    TRY(file_read(path, (size_t)1 << 30, &data, &n));
    larger = realloc(data, n + DAMAGE_ROOM);
    if (larger)
        data = larger;
    n = larger ? damage(data, n, strtoull(argv[2], NULL, 10), region, regions, seal && json, seal && hdf5, what) : 0;
    if (n == 0)
        GIVE_UP(fail(ERR_USAGE, "'%s' cannot be damaged so", path));
    printf("%s\n", what);
    unlink(path); /* it may be a link to the clean file */
    TRY(file_write(path, data, n));
    if (seal && hdf5)
        TRY(hdf5_seal(path, path));
cleanup:
    free(data); // file_read leaves NULL when it fails: NOLINT(clang-analyzer-unix.Malloc)
    return status_finish("mutate", rc);
}
