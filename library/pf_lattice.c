/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/status.h"
#include "common/lattice/lattice_file.h"
#include "library/handles.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The HDF5 of most distributions is not thread-safe, so one thread reads at a time. */
static pthread_mutex_t hdf5_lock = PTHREAD_MUTEX_INITIALIZER;

static int read_locked(const char *path, lattice *l) {
    pthread_mutex_lock(&hdf5_lock);
    const int rc = lattice_file_read(path, l);
    pthread_mutex_unlock(&hdf5_lock);
    return rc;
}

pf_lattice *lattice_allocate(void) {
    pf_lattice *handle = calloc(1, sizeof *handle);
    if (handle)
        atomic_init(&handle->references, 1);
    return handle;
}

static int read_lattice(const char *path, pf_lattice **vessel) {
    if (!path || !vessel)
        return fail(ERR_USAGE, "pf_lattice_read: path or vessel is NULL; pass both");
    *vessel = NULL;
    pf_lattice *handle = lattice_allocate();
    if (!handle)
        return fail_memory("the lattice", sizeof *handle);
    const int rc = read_locked(path, &handle->l);
    if (rc == OK)
        *vessel = handle;
    else
        pf_lattice_free(handle);
    return rc;
}

pf_status pf_lattice_read(pf_context *context, const char *path, pf_lattice **vessel) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, read_lattice(path, vessel));
}

pf_lattice *lattice_share(const pf_lattice *vessel) {
    pf_lattice *handle = (pf_lattice *)vessel; /* the cast drops `const`; only the number of references changes */
    atomic_fetch_add(&handle->references, 1);
    return handle;
}

void pf_lattice_free(pf_lattice *vessel) {
    if (!vessel || atomic_fetch_sub(&vessel->references, 1) > 1)
        return;
    lattice_free(&vessel->l);
    free(vessel);
}

int64_t pf_lattice_cells(const pf_lattice *vessel) {
    return vessel ? vessel->l.n_cell : 0;
}

double pf_lattice_spacing_mm(const pf_lattice *vessel) {
    return vessel ? vessel->l.spacing_mm : NAN;
}

const int32_t *pf_lattice_positions(const pf_lattice *vessel) {
    return vessel ? vessel->l.cell : NULL;
}

void pf_lattice_origin_mm(const pf_lattice *vessel, double origin_mm[3]) {
    for (int a = 0; a < 3; a++)
        origin_mm[a] = vessel ? vessel->l.origin_mm[a] : NAN;
}

void pf_lattice_centres_mm(const pf_lattice *vessel, double *centre_mm) {
    for (int64_t c = 0; c < pf_lattice_cells(vessel); c++)
        lattice_centre_mm(&vessel->l, c, centre_mm + 3 * c);
}

int pf_lattice_openings(const pf_lattice *vessel) {
    return vessel ? vessel->l.n_opening : 0;
}

const char *pf_lattice_opening_name(const pf_lattice *vessel, int k) {
    return k >= 0 && k < pf_lattice_openings(vessel) ? vessel->l.opening[k].name : NULL;
}

double pf_lattice_opening_area_mm2(const pf_lattice *vessel, int k) {
    return k >= 0 && k < pf_lattice_openings(vessel) ? vessel->l.opening[k].area_mm2 : NAN;
}
