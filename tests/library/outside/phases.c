/* SPDX-License-Identifier: Apache-2.0 */
/* A pulsatile flow in pieces of PIECE_S seconds (0: in one piece), cancelled once. Writes pressure and velocity of
 * phase k to the file OUT_k. usage: phases LATTICE.h5 CASE.yaml PIECE_S PERIOD_S OUT     (PERIOD_S above 0: IN has the
 * waveform 0.8, 1.2 mL/s) */
#include <portaflow.h>
#include <stdio.h>
#include <stdlib.h>

static void write_array(pf_array a, FILE *out) {
    fwrite(a.data, sizeof *a.data, (size_t)(a.shape[0] * a.shape[1]), out);
}

static pf_status write_phases(pf_context *context, pf_solver *solver, const char *name) {
    pf_status status = PF_OK;
    for (int k = 0; k < pf_solver_phases(solver) && status == PF_OK; k++) {
        char path[256];
        pf_fields *f;
        if ((status = pf_fields_create_phase(context, solver, k, &f)) != PF_OK)
            return status;
        snprintf(path, sizeof path, "%s_%d", name, k);
        FILE *out = fopen(path, "wb");
        write_array(pf_fields_pressure(f), out);
        write_array(pf_fields_velocity(f), out);
        status = fclose(out) != 0 ? PF_ERROR_OUTPUT : PF_OK;
        pf_fields_free(f);
    }
    return status;
}

int main(int argc, char **argv) {
    static const double time_s[] = {0, 0.1}, flow_m3_s[] = {0.8e-6, 1.2e-6};
    pf_context *context = pf_context_create();
    pf_lattice *lattice = NULL;
    pf_case *c = NULL;
    pf_solver *solver = NULL;
    pf_status status = PF_ERROR_USAGE;
    if (!context || argc != 6)
        return 12;
    const double piece_s = strtod(argv[3], NULL), period_s = strtod(argv[4], NULL);
    pf_context_set_threads(context, 1);
    if ((status = pf_context_set_device(context, "cpu")) != PF_OK ||
        (status = pf_lattice_read(context, argv[1], &lattice)) != PF_OK ||
        (status = pf_case_read(context, argv[2], NULL, 0, &c)) != PF_OK ||
        (period_s > 0 &&
         (status = pf_case_set_flow_waveform(context, c, "IN", time_s, flow_m3_s, 2, period_s)) != PF_OK) ||
        (status = pf_solver_create(context, lattice, c, &solver)) != PF_OK)
        goto cleanup;
    pf_context_cancel(context);
    if (pf_solver_run(context, solver, 0) != PF_CANCELLED)
        status = PF_ERROR_INTERNAL;
    for (int k = 1; status == PF_OK && piece_s > 0 && pf_solver_phases(solver) < 3; k++)
        status = pf_solver_run_to(context, solver, k * piece_s);
    if (status == PF_OK && piece_s == 0)
        status = pf_solver_run(context, solver, 0);
    if (status == PF_OK)
        status = write_phases(context, solver, argv[5]);
    /* beyond a periodic flow: a limit of steps is no number of steps to make, and no phase is lost */
    const int phases = solver && status == PF_OK ? pf_solver_phases(solver) : 0;
    if (status == PF_OK && (status = pf_solver_run(context, solver, 100000000)) == PF_OK &&
        (phases < 3 || pf_solver_phases(solver) != phases))
        status = PF_ERROR_INTERNAL;
cleanup:
    if (status != PF_OK)
        fprintf(stderr, "phases: %s\n", pf_context_error(context));
    pf_solver_free(solver);
    pf_case_free(c);
    pf_lattice_free(lattice);
    pf_context_free(context);
    return (int)status;
}
