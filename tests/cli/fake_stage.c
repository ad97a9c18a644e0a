/* SPDX-License-Identifier: Apache-2.0 */
/* A stand-in for segment, mesh, solve and post in the test of the chaining: it keeps their promises about files and
 * JSON, but its results are only texts made from its inputs. What it should do wrong is said by the environment:
 *   FAKE_FAIL="solve 5"   that stage says a sentence and ends with that code
 *   FAKE_CRASH=mesh       that stage ends by a signal
 *   FAKE_HANG=solve       that stage writes a checkpoint (the case's digest), says how far it is, waits to be stopped
 *   FAKE_UNCONVERGED=solve  that stage writes everything, says that it did not converge and ends with 5
 *   FAKE_FORGET=mesh      that stage ends well without its first output
 *   FAKE_REPLACE=segment  the image is another one when that stage ends */
#include "common/case/case_chain.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/cli/options.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "pipeline/run/stages.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of post: one drop has an interval, one none. */
static const char *const readouts =
    "{\"flow_balance\": 0.001, \"pressure_drops\": ["
    "{\"from\": \"A\", \"to\": \"B\", \"value_pa\": 12.34, \"uncertainty\": {\"lattice\": 0.5, \"total\": 0.5}},"
    "{\"from\": \"A\", \"to\": \"C\", \"value_pa\": 12.34, \"uncertainty\": {\"lattice\": null, \"total\": null}}]}";

static const char *case_path, *in_folder, *out_folder, *device;
static bool resume;
static options_list set;

static bool asked(const char *variable, const char *stage_name) {
    const char *value = getenv(variable);
    return value && strncmp(value, stage_name, strlen(stage_name)) == 0;
}

/* The text of a file in out/, appended once its stage vouches for it. */
static int append(const case_file *c, const char *out, const char *file, char text[65536], cJSON *json) {
    const char *maker = stages_table[stages_find_maker(file)].name;
    char *path = file_join(out, file), *folder = file_folder(path), *content = NULL;
    cJSON *record = NULL;
    int rc = OK;
    TRY(case_chain_open(c, maker, folder, &record));
    if (strcmp(file_name(file), "solve.json") == 0) {
        TRY(provenance_add_stage_input(json, c->folder, path));
        const cJSON *result = cJSON_GetObjectItemCaseSensitive(record, "result");
        bool converged = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(result, "converged"));
        rc = converged || c->solve.accept_unconverged ? OK : fail(ERR_NUMERIC, "the flow did not converge");
        goto cleanup;
    }
    TRY(case_chain_accept(c, record, folder, file_name(file), json));
    TRY(file_read(path, 30000, &content, NULL));
    snprintf(text + strlen(text), 65536 - strlen(text), "%.20000s", content);
cleanup:
    cJSON_Delete(record);
    free(folder);
    free(path);
    free(content);
    return rc;
}

static int write_outputs(const stage *s, const char *folder, const char *out, const char *text, cJSON *json) {
    char *path = NULL;
    int rc = OK;
    for (int k = asked("FAKE_FORGET", s->name) ? 1 : 0; s->makes[k]; k++) {
        path = file_join(out, s->makes[k]);
        if (strstr(s->makes[k], "readouts"))
            TRY(file_write(path, readouts, strlen(readouts)));
        else if (!s->makes[k + 1])
            TRY(provenance_write(json, path)); /* <stage>.json is the last */
        else
            TRY(file_write(path, text, strlen(text)));
        if (s->makes[k + 1])
            TRY(provenance_add_output(json, folder, path));
        free(path);
        path = NULL;
    }
cleanup:
    free(path);
    return rc;
}

/* Like solve: --resume takes a checkpoint of this case and nothing else. */
static bool resumed(const stage *s, const char *out, const char *digest) {
    char *path = s->checkpoint ? file_join(out, s->checkpoint) : NULL, *text = NULL;
    bool same = resume && path && file_read(path, 100, &text, NULL) == OK && strcmp(text, digest) == 0;
    free(path);
    free(text);
    status_clear();
    return same;
}

static int misbehave(const stage *s, const char *out, const char *digest) {
    char *checkpoint = s->checkpoint ? file_join(out, s->checkpoint) : NULL;
    const char *code = asked("FAKE_FAIL", s->name) ? getenv("FAKE_FAIL") : NULL;
    int held = -1;
    int rc = code ? fail((int)strtol(code + strlen(s->name), NULL, 10), "the fake reason of '%s'", s->name) : OK;
    if (asked("FAKE_CRASH", s->name))
        raise(SIGKILL);
    if (asked("FAKE_HANG", s->name) && checkpoint) {
        TRY(file_write(checkpoint, digest, strlen(digest)));
        TRY(file_lock(out_folder, &held));
        message_info("waiting");
        progress_start_open("flow");
        progress_set_remaining(100, "step 7");
        for (int k = 0; k < 600; k++)
            usleep(100000);
        rc = fail(ERR_INTERNAL, "nobody stopped it");
    }
cleanup:
    free(checkpoint);
    return rc;
}

static int work(const stage *s, int index, int argc, char **argv) {
    case_file c = {0};
    cJSON *json = NULL;
    char digest[17], text[65536] = "";
    char *out = NULL, *in = NULL, *image = NULL;
    int rc = OK;
    TRY(case_read_set(case_path, &set, index == STAGE_SEGMENT ? CASE_FILES : CASE_WAVEFORMS, &c));
    case_digest(&c, s->name, digest);
    json = provenance_start(s->name, argc, argv, digest);
    out = file_folder(out_folder);
    in = s->in && s->in[0] ? file_folder(in_folder) : strdup(in_folder ? in_folder : "");
    TRY(case_chain_add_parts(&c, s->name, json));
    message_info("%s", resumed(s, out, digest) ? "resumed" : "from the beginning");
    TRY(misbehave(s, out, digest));
    if (index == STAGE_SEGMENT) {
        image = case_resolve_path(&c, c.image.path);
        TRY(provenance_add_input(json, "image", image));
        if (asked("FAKE_REPLACE", s->name))
            TRY(file_write(image, "another", 7));
    }
    for (int k = 0; s->needs[k]; k++)
        if (stages_needs_file(&c, index, s->needs[k]))
            TRY(append(&c, in, s->needs[k], text, json));
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s %s\n", s->name, digest);
    bool converged = !asked("FAKE_UNCONVERGED", s->name);
    cJSON_AddBoolToObject(cJSON_AddObjectToObject(json, "result"), "converged", converged);
    TRY(write_outputs(s, c.folder, out, text, json));
    if (!converged && !c.solve.accept_unconverged)
        rc = fail(ERR_NUMERIC, "not converged");
cleanup:
    cJSON_Delete(json);
    free(out);
    free(in);
    free(image);
    case_free(&c);
    return rc;
}

int main(int argc, char **argv) {
    int index = stages_find(file_name(argv[0]));
    const options_entry table[] = {{"case", 0, OPTION_TEXT, &case_path, "FILE", "case file", .required = true},
                                   {"in", 0, OPTION_TEXT, &in_folder, "DIR", "input", .required = false},
                                   {"out", 0, OPTION_TEXT, &out_folder, "DIR", "output", .required = true},
                                   {"device", 0, OPTION_TEXT, &device, "NAME", "device", .required = false},
                                   {"resume", 0, OPTION_FLAG, &resume, NULL, "continue", .required = false},
                                   CASE_SET_OPTION(&set),
                                   {0}};
    const options_program program = {"fake", "", "fake stage", table, ""};
    bool done = false;
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    message_init(file_name(argv[0]), options_verbose());
    if (rc == OK && !done)
        rc = index < 0 ? fail(ERR_USAGE, "no stage of this name") : work(&stages_table[index], index, argc, argv);
    return status_finish(file_name(argv[0]), rc);
}
