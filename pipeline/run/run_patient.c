/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/run/run_patient.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "pipeline/run/log.h"
#include "pipeline/run/patient.h"
#include "pipeline/run/process.h"
#include "pipeline/run/stages.h"
#include "pipeline/run/stage_state.h"
#include "pipeline/run/summary.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *word[PROCESS_ARGS_MAX];
    int n;
    char program[PATIENT_PATH_MAX], in[PATIENT_PATH_MAX], out[PATIENT_PATH_MAX], threads[16];
    char launcher[PATIENT_PATH_MAX], ranks[16];
} command;

static void add_word(command *c, const char *word) {
    if (c->n + 1 < PROCESS_ARGS_MAX)
        c->word[c->n++] = word;
    c->word[c->n] = NULL;
}

static void add_pair(command *c, const char *option, const char *value) {
    add_word(c, option);
    add_word(c, value);
}

/* Adds the launcher mpirun of Open MPI, found in PATH, to the command. solve distributes the threads itself, so no rank
 * is bound to a core. */
static int add_launcher(const run_options *o, command *c) {
    const char *path = getenv("PATH");
    while (path && *path && !c->launcher[0]) {
        const int n = (int)strcspn(path, ":");
        char place[PATIENT_PATH_MAX];
        const int length = snprintf(place, sizeof place, "%.*s/mpirun", n, path);
        if (n > 0 && path[0] == '/' && length < (int)sizeof place && access(place, X_OK) == 0)
            memcpy(c->launcher, place, (size_t)length + 1);
        path += n + (path[n] == ':');
    }
    if (!c->launcher[0])
        return fail(ERR_RESOURCE, "--ranks %d: mpirun was not found; install openmpi-bin, or leave out --ranks",
                    o->ranks);
    snprintf(c->ranks, sizeof c->ranks, "%d", o->ranks);
    add_word(c, c->launcher);
    add_pair(c, "--quiet", "--oversubscribe");
    add_pair(c, "--bind-to", "none");
    add_word(c, "--mca"); /* gives rank 0 the time to report a lost rank */
    add_pair(c, "odls_base_sigkill_timeout", "3");
    if (geteuid() == 0)
        add_word(c, "--allow-run-as-root");
    add_pair(c, "-n", c->ranks);
    return OK;
}

/* Builds the command of a stage. It runs in the patient's folder and gets relative paths only. The folder's name, which
 * may be the patient's, thus reaches no log and no result. */
static int build_command(const patient *p, int stage_index, const run_options *o, bool resume, command *c) {
    const stage *s = &stages_table[stage_index];
    int rc = OK;
    memset(c, 0, sizeof *c);
    TRY(patient_path(c->program, p->bin, s->name));
    TRY(patient_path(c->out, "out", s->out));
    if (s->takes_ranks && o->ranks > 1)
        TRY(add_launcher(o, c));
    add_word(c, c->program);
    add_pair(c, "--case", "case.yaml");
    if (s->in) {
        TRY(patient_path(c->in, "out", s->in));
        add_pair(c, "--in", c->in);
    }
    add_pair(c, "--out", c->out);
    if (o->threads > 0) {
        snprintf(c->threads, sizeof c->threads, "%d", o->threads);
        add_pair(c, "--threads", c->threads);
    }
    for (int k = 0; k < o->set.n; k++)
        add_pair(c, "--set", o->set.word[k]);
    if (s->takes_device && o->device)
        add_pair(c, "--device", o->device);
    if (resume)
        add_word(c, "--resume");
    if (o->no_pictures && s == &stages_table[STAGE_POST])
        add_word(c, "--no-pictures");
    if (o->verbose)
        add_word(c, "--verbose");
cleanup:
    return rc;
}

/* Last line of the program's output, without "<program>: " in front. */
static const char *sentence_of(const stage *s, const process_result *r) {
    size_t n = strlen(s->name);
    const char *text = r->sentence;
    if (strncmp(text, s->name, n) == 0 && text[n] == ':')
        text += n + 1 + (text[n + 1] == ' ');
    return *text ? text : "it gave no reason";
}

/* Converts the end of a stage to a status with a message. said: the terminal has just shown the stage's message, so the
 * message is not repeated. */
static int check_result(const stage *s, const process_result *r, const char *log, bool said) {
    if (r->signal && process_interrupted())
        return fail(ERR_RESOURCE, "stopped during %s; the same command continues it", s->name);
    const bool from_outside =
        r->signal == SIGKILL || r->signal == SIGTERM || r->signal == SIGINT || r->signal == SIGHUP;
    if (r->signal)
        return fail(from_outside ? ERR_RESOURCE : ERR_INTERNAL,
                    "%s was killed by signal %d (%s)%s; see the log '%s'. The same command continues the run", s->name,
                    r->signal, strsignal(r->signal), r->signal == SIGKILL ? ", probably out of memory" : "", log);
    if (r->exit_code == 0)
        return OK;
    const bool rank_killed = r->exit_code > 128; /* exit codes above 128 mean that the launcher found a killed rank */
    int code = rank_killed ? ERR_RESOURCE : r->exit_code <= ERR_RESOURCE ? r->exit_code : ERR_INTERNAL;
    if (process_interrupted())
        return fail(code, "stopped during %s; the same command continues it", s->name);
    if (said && r->sentence[0])
        return fail(code, "%s ended with exit code %d for the reason above; log: '%s'", s->name, r->exit_code, log);
    return fail(code, "%s: %s (exit %d, log '%s')", s->name, sentence_of(s, r), r->exit_code, log);
}

/* Checks that the result of the stage is complete, before the next stage fails on it. */
static int check_stage_outputs(const patient *p, int stage_index) {
    const stage *s = &stages_table[stage_index];
    stage_state now;
    stage_state_find(p, stage_index, &now);
    if (now.kind == STATE_DONE)
        return OK;
    if (now.files_changed)
        return fail(ERR_INPUT, "a file that %s reads was changed during the run (%s); run the same command again",
                    s->name, now.reason);
    return fail(ERR_INTERNAL, "%s ended without an error, but its result is %s: %s (error in the program)", s->name,
                stage_state_word(now.kind), now.reason);
}

static int stage_run(const patient *p, int stage_index, const run_options *o, bool resume, double *seconds) {
    const stage *s = &stages_table[stage_index];
    char log[PATIENT_PATH_MAX], out[PATIENT_PATH_MAX], name[64];
    process_result r;
    command c;
    int rc = OK;
    TRY(build_command(p, stage_index, o, resume, &c));
    if (o->failure)
        *o->failure = (run_failure){.stage = stage_index};
    if (access(c.program, X_OK) != 0 && o->failure)
        o->failure->missing_program = true;
    if (access(c.program, X_OK) != 0)
        GIVE_UP(fail(ERR_RESOURCE,
                     "the program '%s' is missing: it was not built (cmake prints the reason); install the complete "
                     "package, or build it",
                     c.program));
    TRY(patient_path(log, p->out, "log"));
    TRY(file_create_folder(log));
    snprintf(name, sizeof name, "log/%s.log", s->name);
    TRY(patient_path(log, p->out, name));
    TRY(patient_path(out, p->out, s->out));
    TRY(file_create_folder(out));
    const log_rule rule = {&p->c, p->dir};
    const process_log kept = {log, log_write_line, &rule};
    TRY(process_run(c.word, p->dir, &kept, o->quiet, &r));
    *seconds = r.seconds;
    if (o->failure && r.exit_code != 0) {
        o->failure->failed = true;
        snprintf(o->failure->sentence, sizeof o->failure->sentence, "%.511s", sentence_of(s, &r));
    }
    TRY(check_result(s, &r, log, !o->quiet));
    TRY(check_stage_outputs(p, stage_index));
cleanup:
    return rc;
}

/* Checks that every input file of the stage exists. */
static int check_input_files(const patient *p, int stage_index) {
    const stage *s = &stages_table[stage_index];
    char path[PATIENT_PATH_MAX];
    int rc = OK;
    for (int k = 0; s->needs[k]; k++) {
        if (!stages_needs_file(&p->c, stage_index, s->needs[k]))
            continue;
        TRY(patient_path(path, p->out, s->needs[k]));
        if (!file_exists(path))
            return fail(ERR_INPUT, "%s needs '%s', which is missing; start with %s (--from %s)", s->name, path,
                        stages_table[stages_find_maker(s->needs[k])].name,
                        stages_table[stages_find_maker(s->needs[k])].name);
    }
cleanup:
    return rc;
}

/* Points to the picture of the lumen, which the user should check before the long part of a run. */
static int print_lumen_picture(const patient *p) {
    char path[PATIENT_PATH_MAX];
    const int rc = patient_path(path, p->out, "segment/qc.png");
    if (rc == OK && file_exists(path))
        message_info("check the lumen in %s: is it the right vessel, complete, and nothing else?", path);
    return rc;
}

/* Checks the earlier stages, which --from uses as they are. A warning names an outdated stage (another build, a missing
 * image). A changed input file is an error: the run would report numbers of the old file. The stages themselves refuse
 * damaged files and files of another case. */
static int check_earlier_stages(const patient *p, int from) {
    for (int k = 0; k < from; k++) {
        stage_state s;
        stage_state_find(p, k, &s);
        if (s.kind == STATE_STALE && s.input_changed)
            return fail(ERR_INPUT,
                        "the result of %s was computed from another version of a file (%s): leave out --from, or put "
                        "the old file back",
                        stages_table[k].name, s.reason);
        if (s.kind == STATE_STALE)
            message_warn("%s is out of date (%s) and is not run again; leave out --from to update it",
                         stages_table[k].name, s.reason);
    }
    return OK;
}

static int run_stages(const patient *p, const run_options *o, summary *sum) {
    int rc = OK;
    TRY(check_earlier_stages(p, o->from));
    for (int k = o->from; k <= o->to; k++) {
        stage_state now;
        stage_state_find(p, k, &now);
        sum->stage[k].state = SUMMARY_SKIPPED;
        if (now.kind == STATE_NOT_NEEDED) {
            sum->stage[k].state = SUMMARY_NOT_NEEDED;
            continue;
        }
        if (now.kind == STATE_DONE && !o->force)
            continue;
        TRY(check_input_files(p, k));
        bool resume = now.has_checkpoint && !o->force;
        if (o->quiet)
            message_info("%s: %s", file_name(p->dir), stages_table[k].name);
        else
            message_info("%s: %s (%s%s)", stages_table[k].name, stages_table[k].purpose,
                         now.reason[0] ? now.reason : "requested by --force", o->force ? "" : now.checkpoint);
        TRY(stage_run(p, k, o, resume, &sum->stage[k].seconds));
        sum->stage[k].state = SUMMARY_RAN;
        if (k == STAGE_SEGMENT && !o->quiet)
            TRY(print_lumen_picture(p));
    }
cleanup:
    return rc;
}

/* True if all stages are done. Such a run writes nothing and thus also works on a read-only medium. */
static bool all_done(const patient *p, const run_options *o) {
    for (int k = o->from; k <= o->to; k++) {
        stage_state now;
        stage_state_find(p, k, &now);
        if (o->force || (now.kind != STATE_DONE && now.kind != STATE_NOT_NEEDED))
            return false;
    }
    return true;
}

static int lock_unless_done(patient *p, const run_options *o) {
    const int rc = patient_lock(p);
    if (rc != ERR_OUTPUT)
        return rc;
    const bool done = all_done(p, o);
    status_clear();
    return done ? OK : patient_lock(p); /* status_clear removed the message of the failed lock, so the lock is tried
                                         * again to record the message */
}

int run_patient(const char *dir, const run_options *o) {
    patient p;
    summary sum = {0};
    int rc = OK;
    /* the images are needed only if segment runs */
    TRY(patient_open(dir, &o->set, o->from == STAGE_SEGMENT ? CASE_FILES : CASE_WAVEFORMS, &p));
    TRY(lock_unless_done(&p, o));
    TRY(run_stages(&p, o, &sum));
    if (!o->quiet)
        TRY(summary_print(&p, &sum));
cleanup:
    patient_close(&p);
    return rc;
}
