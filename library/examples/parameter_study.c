/* SPDX-License-Identifier: Apache-2.0 */
/* Pressure drop for several viscosities of the blood: one lattice, one solver per value. Prints a CSV table.
 * usage: parameter_study LATTICE.h5 INLET FLOW_M3_S OUTLET */
#include <portaflow.h>
#include <stdio.h>
#include <stdlib.h>

static pf_status solve_viscosity(pf_context *context, const pf_lattice *lattice, pf_case *c, double viscosity_pa_s) {
    pf_solver *solver = NULL;
    pf_status status;
    if ((status = pf_case_set_blood(context, c, 1060, viscosity_pa_s)) != PF_OK ||
        (status = pf_solver_create(context, lattice, c, &solver)) != PF_OK ||
        (status = pf_solver_run(context, solver, 0)) != PF_OK)
        goto cleanup;
    const double drop_pa = pf_solver_get_opening(solver, 0).pressure_pa - pf_solver_get_opening(solver, 1).pressure_pa;
    printf("%g,%.9g,%.9g\n", viscosity_pa_s, drop_pa, pf_solver_get_result(solver).velocity_max_m_s);
cleanup:
    pf_solver_free(solver);
    return status;
}

int main(int argc, char **argv) {
    static const double viscosity_pa_s[] = {3e-3, 3.5e-3, 4e-3};
    pf_context *context = pf_context_create();
    pf_lattice *lattice = NULL;
    pf_case *c = NULL;
    pf_status status = PF_ERROR_USAGE;
    if (!context || argc != 5)
        goto cleanup;
    if ((status = pf_lattice_read(context, argv[1], &lattice)) != PF_OK ||
        (status = pf_case_create(context, lattice, &c)) != PF_OK ||
        (status = pf_case_set_flow(context, c, argv[2], strtod(argv[3], NULL))) != PF_OK ||
        (status = pf_case_set_pressure(context, c, argv[4], 0)) != PF_OK)
        goto cleanup;
    printf("viscosity_pa_s,pressure_drop_pa,velocity_max_m_s\n");
    for (size_t k = 0; k < sizeof viscosity_pa_s / sizeof *viscosity_pa_s && status == PF_OK; k++)
        status = solve_viscosity(context, lattice, c, viscosity_pa_s[k]);
cleanup:
    if (status != PF_OK)
        fprintf(stderr, "parameter_study: %s\n",
                context && argc == 5 ? pf_context_error(context) : "four arguments are needed");
    pf_case_free(c);
    pf_lattice_free(lattice);
    pf_context_free(context);
    return (int)status;
}
