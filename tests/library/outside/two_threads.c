/* SPDX-License-Identifier: Apache-2.0 */
/* Two solvers in two threads, each on its lattice: of the file LATTICE.h5, or meshed from the shape of the case (`-`).
 * Writes pressure and velocity of thread k to the file OUT_k. usage: two_threads LATTICE.h5 CASE.yaml SETTING_0
 * SETTING_1 OUT     (settings: KEY=VALUE of the case) */
#include <portaflow.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *lattice, *path, *setting;
    char out[256];
    int status;
} work;

static void *solve(void *data) {
    work *w = data;
    const char *const settings[] = {w->setting};
    pf_context *context = pf_context_create();
    pf_lattice *lattice;
    pf_case *c;
    pf_solver *s;
    pf_fields *f;
    pf_context_set_threads(context, 1);
    pf_context_set_device(context, "cpu");
    if ((w->status = (int)pf_case_read(context, w->path, settings, 1, &c)) != PF_OK ||
        (w->status = (int)(strcmp(w->lattice, "-") == 0 ? pf_lattice_create(context, NULL, c, &lattice)
                                                        : pf_lattice_read(context, w->lattice, &lattice))) != PF_OK ||
        (w->status = (int)pf_solver_create(context, lattice, c, &s)) != PF_OK)
        return fprintf(stderr, "%s\n", pf_context_error(context)), NULL;
    pf_lattice_free(lattice); /* the solver keeps its own references */
    pf_case_free(c);
    w->status = (int)pf_solver_run(context, s, 0);
    if (w->status != PF_OK || (w->status = (int)pf_fields_create(context, s, &f)) != PF_OK)
        return fprintf(stderr, "%s\n", pf_context_error(context)), NULL;
    pf_solver_free(s);
    FILE *out = fopen(w->out, "wb");
    const pf_array p = pf_fields_pressure(f), u = pf_fields_velocity(f);
    fwrite(p.data, sizeof *p.data, (size_t)(p.shape[0] * p.shape[1]), out);
    fwrite(u.data, sizeof *u.data, (size_t)(u.shape[0] * u.shape[1]), out);
    w->status = fclose(out) != 0 ? 11 : 0;
    pf_fields_free(f);
    pf_context_free(context);
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t thread[2];
    work w[2] = {{.lattice = argv[1], .path = argv[2]}, {.lattice = argv[1], .path = argv[2]}};
    for (int k = 0; k < 2 && argc == 6; k++) {
        w[k].setting = argv[3 + k];
        snprintf(w[k].out, sizeof w[k].out, "%s_%d", argv[5], k);
        pthread_create(&thread[k], NULL, solve, &w[k]);
    }
    for (int k = 0; k < 2 && argc == 6; k++)
        pthread_join(thread[k], NULL);
    return argc != 6 ? 12 : w[0].status != 0 ? w[0].status : w[1].status;
}
