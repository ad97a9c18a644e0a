/* SPDX-License-Identifier: Apache-2.0 */
/* Steady flow between one inlet and one outlet: prints flow and pressure of both, and the pressure drop.
 * usage: steady_pipe LATTICE.h5 INLET FLOW_M3_S OUTLET */
#include <portaflow.h>
#include <stdio.h>
#include <stdlib.h>

static void print_message(void *data, pf_message_level level, const char *text) {
    (void)data;
    if (level >= PF_MESSAGE_WARNING)
        fprintf(stderr, "warning: %s\n", text);
}

int main(int argc, char **argv) {
    pf_context *context = pf_context_create();
    pf_lattice *lattice = NULL;
    pf_case *c = NULL;
    pf_solver *solver = NULL;
    pf_status status = PF_ERROR_USAGE;
    if (!context || argc != 5)
        goto cleanup;
    pf_context_on_message(context, print_message, NULL);
    if ((status = pf_lattice_read(context, argv[1], &lattice)) != PF_OK ||
        (status = pf_case_create(context, lattice, &c)) != PF_OK ||
        (status = pf_case_set_flow(context, c, argv[2], strtod(argv[3], NULL))) != PF_OK ||
        (status = pf_case_set_pressure(context, c, argv[4], 0)) != PF_OK ||
        (status = pf_solver_create(context, lattice, c, &solver)) != PF_OK ||
        (status = pf_solver_run(context, solver, 0)) != PF_OK)
        goto cleanup;
    double drop_pa = 0;
    for (int k = 0; k < pf_lattice_openings(lattice); k++) {
        const pf_opening_result o = pf_solver_get_opening(solver, k);
        printf("%s %.9g m3/s %.9g Pa\n", o.name, o.flow_m3_s, o.pressure_pa);
        drop_pa += k == 0 ? o.pressure_pa : -o.pressure_pa;
    }
    printf("pressure drop %.9g Pa after %lld steps\n", drop_pa, (long long)pf_solver_get_result(solver).steps);
cleanup:
    if (status != PF_OK)
        fprintf(stderr, "steady_pipe: %s\n",
                context && argc == 5 ? pf_context_error(context) : "four arguments are needed");
    pf_solver_free(solver);
    pf_case_free(c);
    pf_lattice_free(lattice);
    pf_context_free(context);
    return (int)status;
}
