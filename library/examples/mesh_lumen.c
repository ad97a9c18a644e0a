/* SPDX-License-Identifier: Apache-2.0 */
/* A vessel that the program describes itself: a tube of 6 mm along z as a signed distance, cut at the openings of a
 * case, meshed and solved. Prints the pressure drop. Poiseuille: 128 mu Q L / (pi d^4). usage: mesh_lumen CASE.yaml
 * [KEY=VALUE ..]     (the case has openings at z = -4 mm and 4 mm, and no mesh.shape) */
#include <math.h>
#include <portaflow.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 21, LENGTH = 33 };
static const double SPACING_MM[3] = {0.5, 0.5, 0.5}, ORIGIN_MM[3] = {-5, -5, -8}, RADIUS_MM = 3;

static pf_status create_tube(pf_context *context, pf_lumen **lumen) {
    static float distance_mm[LENGTH][WIDTH][WIDTH];
    const int dims[3] = {WIDTH, WIDTH, LENGTH};
    for (int k = 0; k < LENGTH; k++)
        for (int j = 0; j < WIDTH; j++)
            for (int i = 0; i < WIDTH; i++)
                distance_mm[k][j][i] =
                    (float)(hypot(ORIGIN_MM[0] + SPACING_MM[0] * i, ORIGIN_MM[1] + SPACING_MM[1] * j) - RADIUS_MM);
    return pf_lumen_create(context, &distance_mm[0][0][0], dims, SPACING_MM, ORIGIN_MM, lumen);
}

int main(int argc, char **argv) {
    pf_context *context = pf_context_create();
    pf_lumen *lumen = NULL;
    pf_case *c = NULL;
    pf_lattice *lattice = NULL;
    pf_solver *solver = NULL;
    pf_status status = PF_ERROR_USAGE;
    if (!context || argc < 2)
        goto cleanup;
    if ((status = create_tube(context, &lumen)) != PF_OK ||
        (status = pf_case_read(context, argv[1], (const char *const *)argv + 2, argc - 2, &c)) != PF_OK ||
        (status = pf_lattice_create(context, lumen, c, &lattice)) != PF_OK ||
        (status = pf_solver_create(context, lattice, c, &solver)) != PF_OK ||
        (status = pf_solver_run(context, solver, 0)) != PF_OK)
        goto cleanup;
    printf("%lld cells, pressure drop %.9g Pa\n", (long long)pf_lattice_cells(lattice),
           pf_solver_get_opening(solver, 0).pressure_pa - pf_solver_get_opening(solver, 1).pressure_pa);
cleanup:
    if (status != PF_OK)
        fprintf(stderr, "mesh_lumen: %s\n", context && argc > 1 ? pf_context_error(context) : "a case is needed");
    pf_solver_free(solver);
    pf_lattice_free(lattice);
    pf_case_free(c);
    pf_lumen_free(lumen);
    pf_context_free(context);
    return (int)status;
}
