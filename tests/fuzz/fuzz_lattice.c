/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as lattice.h5 and as fields of a lattice: what was written, or refused with a sentence. The seal is what
 * keeps
 * HDF5 from reading them; a lattice that is read passes lattice_check. */
#include "common/base/status.h"
#include "common/lattice/field_file.h"
#include "common/lattice/lattice_file.h"
#include "tests/fuzz/fuzz_file.h"
#include "tests/unit/common/lattice_sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_both(const char *path) {
    static lattice sample;
    lattice l = {0};
    fields f = {0};
    if (!sample.cell && lattice_sample(&sample, 4) != OK)
        abort();
    status_clear();
    int rc = lattice_file_read(path, &l);
    if (rc != OK)
        fuzz_refused(rc, status_message());
    else if (lattice_check(&l) != OK)
        abort();
    lattice_free(&l);
    status_clear();
    rc = field_file_read(path, &sample, &f);
    if (rc != OK)
        fuzz_refused(rc, status_message());
    else if (f.n_cell != sample.n_cell)
        abort();
    fields_free(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_both(fuzz_file(data, size, ".h5"));
    return 0;
}
