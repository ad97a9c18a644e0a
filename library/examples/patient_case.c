/* SPDX-License-Identifier: Apache-2.0 */
/* The case of a patient, as `pipeline run` has meshed it, steady or pulsatile: shows the progress, ends cleanly with
 * Ctrl-C, and prints flow and pressure of each opening.
 * usage: patient_case DIR/out/mesh/lattice.h5 DIR/case.yaml DEVICE [KEY=VALUE ..]     (DEVICE: auto, cpu or cuda) */
#include <portaflow.h>
#include <signal.h>
#include <stdio.h>

static pf_context *context;

static void cancel(int signal_number) {
    (void)signal_number;
    pf_context_cancel(context);
}

static void print_message(void *data, pf_message_level level, const char *text) {
    (void)data;
    if (level >= PF_MESSAGE_INFO)
        fprintf(stderr, "%s%s\n", level >= PF_MESSAGE_WARNING ? "warning: " : "", text);
}

static void print_progress(void *data, double share, double remaining_s, const char *note) {
    (void)data;
    fprintf(stderr, "%3.0f %%, %.0f s left: %s\n", 100 * share, remaining_s, note);
}

int main(int argc, char **argv) {
    pf_lattice *lattice = NULL;
    pf_case *c = NULL;
    pf_solver *solver = NULL;
    pf_status status = PF_ERROR_USAGE;
    context = pf_context_create();
    if (!context || argc < 4)
        goto cleanup;
    signal(SIGINT, cancel);
    pf_context_on_message(context, print_message, NULL);
    pf_context_on_progress(context, print_progress, NULL);
    if ((status = pf_context_set_device(context, argv[3])) != PF_OK ||
        (status = pf_lattice_read(context, argv[1], &lattice)) != PF_OK ||
        (status = pf_case_read(context, argv[2], (const char *const *)argv + 4, argc - 4, &c)) != PF_OK ||
        (status = pf_solver_create(context, lattice, c, &solver)) != PF_OK ||
        (status = pf_solver_run(context, solver, 0)) != PF_OK)
        goto cleanup;
    printf("opening,flow_m3_s,mean_velocity_m_s,pressure_pa\n");
    for (int k = 0; k < pf_lattice_openings(lattice); k++) {
        const pf_opening_result o = pf_solver_get_opening(solver, k);
        printf("%s,%.9g,%.9g,%.9g\n", o.name, o.flow_m3_s, o.mean_velocity_m_s, o.pressure_pa);
    }
cleanup:
    if (status != PF_OK)
        fprintf(stderr, "patient_case: %s\n",
                context && argc > 3 ? pf_context_error(context) : "three arguments are needed");
    pf_solver_free(solver);
    pf_case_free(c);
    pf_lattice_free(lattice);
    pf_context_free(context);
    return (int)status;
}
