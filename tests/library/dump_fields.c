/* SPDX-License-Identifier: Apache-2.0 */
/* Writes pressure and velocity of a fields.vtkhdf, as two_threads.c writes them.
 * usage: dump_fields LATTICE.h5 FIELDS.vtkhdf OUT */
#include "common/base/status.h"
#include "common/lattice/field_file.h"
#include "common/lattice/lattice_file.h"
#include <stdio.h>

int main(int argc, char **argv) {
    lattice l = {0};
    fields f = {0};
    FILE *out = NULL;
    int rc = argc == 4 ? OK : fail(ERR_USAGE, "three arguments are needed");
    if (rc == OK)
        rc = lattice_file_read(argv[1], &l);
    if (rc == OK)
        rc = field_file_read(argv[2], &l, &f);
    if (rc == OK && !(out = fopen(argv[3], "wb")))
        rc = fail(ERR_OUTPUT, "cannot write '%s'", argv[3]);
    if (rc == OK) {
        fwrite(f.pressure_pa, sizeof *f.pressure_pa, (size_t)f.n_cell, out);
        fwrite(f.velocity_m_s, sizeof *f.velocity_m_s, 3 * (size_t)f.n_cell, out);
    }
    if (out && fclose(out) != 0)
        rc = fail(ERR_OUTPUT, "cannot write '%s'", argv[3]);
    fields_free(&f);
    lattice_free(&l);
    return status_finish("dump_fields", rc);
}
