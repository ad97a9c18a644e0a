/* SPDX-License-Identifier: Apache-2.0 */
/* Solves a case.yaml and finds the fastest cell: prints its centre, velocity and pressure.
 * usage: read_fields LATTICE.h5 CASE.yaml [KEY=VALUE ..] */
#include <math.h>
#include <portaflow.h>
#include <stdio.h>
#include <stdlib.h>

static void print_fastest(const pf_lattice *lattice, const pf_fields *fields) {
    const pf_array velocity = pf_fields_velocity(fields), pressure = pf_fields_pressure(fields);
    double fastest = -1, centre_mm[3], origin_mm[3];
    int64_t at = 0;
    for (int64_t cell = 0; cell < velocity.shape[0]; cell++) {
        const float *u = velocity.data + velocity.shape[1] * cell;
        const double speed = sqrt((double)u[0] * u[0] + (double)u[1] * u[1] + (double)u[2] * u[2]);
        at = speed > fastest ? cell : at;
        fastest = fmax(fastest, speed);
    }
    pf_lattice_origin_mm(lattice, origin_mm);
    for (int a = 0; a < 3; a++)
        centre_mm[a] = origin_mm[a] + pf_lattice_spacing_mm(lattice) * pf_lattice_positions(lattice)[3 * at + a];
    printf("fastest cell: centre %.4g %.4g %.4g mm (LPS), %.9g %s, %.9g %s\n", centre_mm[0], centre_mm[1], centre_mm[2],
           fastest, velocity.unit, (double)pressure.data[at], pressure.unit);
}

int main(int argc, char **argv) {
    pf_context *context = pf_context_create();
    pf_lattice *lattice = NULL;
    pf_case *c = NULL;
    pf_solver *solver = NULL;
    pf_fields *fields = NULL;
    pf_status status = PF_ERROR_USAGE;
    if (!context || argc < 3)
        goto cleanup;
    if ((status = pf_lattice_read(context, argv[1], &lattice)) != PF_OK ||
        (status = pf_case_read(context, argv[2], (const char *const *)argv + 3, argc - 3, &c)) != PF_OK ||
        (status = pf_solver_create(context, lattice, c, &solver)) != PF_OK ||
        (status = pf_solver_run(context, solver, 0)) != PF_OK ||
        (status = pf_fields_create(context, solver, &fields)) != PF_OK)
        goto cleanup;
    print_fastest(lattice, fields);
cleanup:
    if (status != PF_OK)
        fprintf(stderr, "read_fields: %s\n",
                context && argc > 2 ? pf_context_error(context) : "two arguments are needed");
    pf_fields_free(fields);
    pf_solver_free(solver);
    pf_case_free(c);
    pf_lattice_free(lattice);
    pf_context_free(context);
    return (int)status;
}
