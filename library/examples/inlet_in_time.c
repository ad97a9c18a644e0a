/* SPDX-License-Identifier: Apache-2.0 */
/* An inlet flow that varies in time, FLOW (1 + sin(2 pi t / PERIOD) / 4): prints the flow and the pressure drop during
 * a cycle, then the velocity along z in the first cell at each stored phase. usage: inlet_in_time LATTICE.h5 INLET
 * FLOW_M3_S OUTLET PERIOD_S */
#include <math.h>
#include <portaflow.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 16, CYCLES = 2, PHASES = 4 };

static pf_status set_inlet(pf_context *context, pf_case *c, const char *inlet, double mean_m3_s, double period_s) {
    double time_s[SAMPLES], flow_m3_s[SAMPLES];
    for (int k = 0; k < SAMPLES; k++) {
        time_s[k] = period_s * k / SAMPLES;
        flow_m3_s[k] = mean_m3_s * (1 + 0.25 * sin(2 * acos(-1) * k / SAMPLES));
    }
    return pf_case_set_flow_waveform(context, c, inlet, time_s, flow_m3_s, SAMPLES, period_s);
}

int main(int argc, char **argv) {
    pf_context *context = pf_context_create();
    pf_lattice *lattice = NULL;
    pf_case *c = NULL;
    pf_solver *solver = NULL;
    pf_fields *fields = NULL;
    pf_status status = PF_ERROR_USAGE;
    if (!context || argc != 6)
        goto cleanup;
    const double period_s = strtod(argv[5], NULL);
    if ((status = pf_lattice_read(context, argv[1], &lattice)) != PF_OK ||
        (status = pf_case_create(context, lattice, &c)) != PF_OK ||
        (status = set_inlet(context, c, argv[2], strtod(argv[3], NULL), period_s)) != PF_OK ||
        (status = pf_case_set_pressure(context, c, argv[4], 0)) != PF_OK ||
        (status = pf_case_set_pulsatile(context, c, CYCLES, PHASES)) != PF_OK ||
        (status = pf_solver_create(context, lattice, c, &solver)) != PF_OK)
        goto cleanup;
    printf("time_s,flow_m3_s,pressure_drop_pa\n");
    for (int k = 1; k <= 4 && (status = pf_solver_run_to(context, solver, 0.25 * k * period_s)) == PF_OK; k++)
        printf("%.6g,%.9g,%.9g\n", pf_solver_get_result(solver).time_s, pf_solver_get_opening(solver, 0).flow_m3_s,
               pf_solver_get_opening(solver, 0).pressure_pa - pf_solver_get_opening(solver, 1).pressure_pa);
    if (status == PF_OK)
        status = pf_solver_run(context, solver, 0); /* until the flow is periodic */
    for (int k = 0; k < pf_solver_phases(solver) && status == PF_OK; k++, pf_fields_free(fields), fields = NULL)
        if ((status = pf_fields_create_phase(context, solver, k, &fields)) == PF_OK)
            printf("phase %d at %.4g s: velocity of cell 0 %.6g m/s\n", k, pf_fields_time_s(fields),
                   (double)pf_fields_velocity(fields).data[2]);
cleanup:
    if (status != PF_OK)
        fprintf(stderr, "inlet_in_time: %s\n", context && argc == 6 ? pf_context_error(context) : "five arguments");
    pf_solver_free(solver);
    pf_case_free(c);
    pf_lattice_free(lattice);
    pf_context_free(context);
    return (int)status;
}
