/* SPDX-License-Identifier: Apache-2.0 */
/* Several viscosities at once, on one lattice: a thread with its own context on each GPU of a computer, or two threads
 * on the CPU. Prints a CSV table in any order. usage: several_gpus LATTICE.h5 INLET FLOW_M3_S OUTLET */
#include <portaflow.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    pthread_t thread;
    const pf_lattice *lattice;
    char **argv, device[16];
    double viscosity_pa_s;
    pf_status status;
} worker;

static void *work(void *data) {
    worker *w = data;
    pf_context *context = pf_context_create();
    pf_case *c = NULL;
    pf_solver *s = NULL;
    if ((w->status = pf_context_set_threads(context, 1)) == PF_OK &&
        (w->status = pf_context_set_device(context, w->device)) == PF_OK &&
        (w->status = pf_case_create(context, w->lattice, &c)) == PF_OK &&
        (w->status = pf_case_set_flow(context, c, w->argv[2], strtod(w->argv[3], NULL))) == PF_OK &&
        (w->status = pf_case_set_pressure(context, c, w->argv[4], 0)) == PF_OK &&
        (w->status = pf_case_set_blood(context, c, 1060, w->viscosity_pa_s)) == PF_OK &&
        (w->status = pf_solver_create(context, w->lattice, c, &s)) == PF_OK &&
        (w->status = pf_solver_run(context, s, 0)) == PF_OK)
        printf("%g,%.9g,%s\n", w->viscosity_pa_s,
               pf_solver_get_opening(s, 0).pressure_pa - pf_solver_get_opening(s, 1).pressure_pa, w->device);
    else
        fprintf(stderr, "several_gpus: %s: %s\n", w->device, pf_context_error(context));
    pf_solver_free(s);
    pf_case_free(c);
    pf_context_free(context);
    return NULL;
}

int main(int argc, char **argv) {
    worker w[16] = {{.device = "cuda:0"}};
    pf_context *context = pf_context_create();
    pf_lattice *lattice = NULL;
    int n = 0, status = argc != 5 ? PF_ERROR_USAGE : (int)pf_lattice_read(context, argv[1], &lattice);
    if (status != PF_OK)
        return fprintf(stderr, "several_gpus: %s\n", argc == 5 ? pf_context_error(context) : "four arguments"), status;
    while (pf_context_set_device(context, w[n].device) == PF_OK && ++n < 16)
        snprintf(w[n].device, sizeof w[n].device, "cuda:%d", n);
    for (const int gpus = n; gpus == 0 && n < 2; n++)
        snprintf(w[n].device, sizeof w[n].device, "cpu");
    printf("viscosity_pa_s,pressure_drop_pa,device\n");
    for (int k = 0; k < n; k++) {
        w[k].lattice = lattice, w[k].argv = argv, w[k].viscosity_pa_s = 3e-3 + 0.5e-3 * k;
        pthread_create(&w[k].thread, NULL, work, &w[k]);
    }
    for (int k = 0; k < n; k++)
        status = pthread_join(w[k].thread, NULL) == 0 && w[k].status == PF_OK ? status : (int)w[k].status;
    pf_lattice_free(lattice);
    return pf_context_free(context), status;
}
