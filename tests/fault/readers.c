/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged results before the readers that guard each stage: readers CASE_FOLDER SEED TIMES
 *
 * Every kind of file that a stage reads of a finished case is damaged TIMES times in each tenth of it (damage.h), as it
 * is and, JSON and HDF5, with a right seal again; this is what fault.sh does with whole stages, more often. A file that
 * is not the one its stage wrote must be refused (case_chain), whatever its own seal says. HDF5 files with a right seal
 * are read all the same afterwards, as no stage would; where HDF5 1.10 itself crashes is counted apart. Each batch runs
 * in a process of its own. Prints a line a kind; exit 1 when one was taken or crashed, with what repeats it. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/case/case.h"
#include "common/case/case_chain.h"
#include "common/lattice/field_file.h"
#include "common/lattice/lattice_file.h"
#include "common/record/hdf5_seal.h"
#include "common/record/json.h"
#include "tests/fault/damage.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REGIONS = 10, PLACES = 4096 };
enum kind { RECORD, PLAIN, LATTICE, FIELDS, CHECKPOINT };

static const struct {
    const char *stage, *name;
    enum kind kind;
} files[] = {
    {"segment", "segment.json", RECORD},    {"segment", "phi.nii.gz", PLAIN},        {"mesh", "mesh.json", RECORD},
    {"mesh", "lattice.h5", LATTICE},        {"mesh", "surface.vtp", PLAIN},          {"solve", "solve.json", RECORD},
    {"solve", "fields.vtkhdf", FIELDS},     {"solve", "fields_0001.vtkhdf", FIELDS}, {"solve", "monitors.csv", PLAIN},
    {"solve", "checkpoint.h5", CHECKPOINT}, {"post", "post.json", RECORD},           {"post", "readouts.json", PLAIN}};

typedef struct {
    long step, taken; /* what is being tried; how many were taken for whole */
    bool refused;     /* it was, and is read all the same */
    char what[80];
} progress;

static progress *seen; /* shared with the child */
static case_file c;
static lattice whole;
static char root[PLACES];

/* 0: refused. */
static int take_file(const char *folder, const char *stage, const char *name) {
    cJSON *record = NULL, *json = cJSON_CreateObject();
    cJSON_AddArrayToObject(json, "inputs");
    int rc = case_chain_open(&c, stage, folder, &record);
    if (rc == OK)
        rc = case_chain_accept(&c, record, folder, name, json);
    cJSON_Delete(record);
    cJSON_Delete(json);
    return rc;
}

/* What a stage does with this file; OK: it was taken for the one that was written. */
static int take(int k, const char *folder, const char *path, bool sealed) {
    cJSON *record = NULL;
    lattice l = {0};
    fields f = {0};
    int rc;
    if (files[k].kind == RECORD) {
        rc = case_chain_open(&c, files[k].stage, folder, &record);
        cJSON_Delete(record);
        return sealed ? fail(ERR_INPUT, "forged") : rc; /* what a forged record says cannot be told: no crash */
    }
    if (files[k].kind == CHECKPOINT) {
        rc = hdf5_seal_check(path, "checkpoint");
        return sealed ? fail(ERR_INPUT, "forged") : rc;
    }
    rc = take_file(folder, files[k].stage, files[k].name);
    seen->refused = rc != OK;
    if (sealed && files[k].kind == LATTICE && lattice_file_read(path, &l) == OK)
        lattice_free(&l);
    if (sealed && files[k].kind == FIELDS && field_file_read(path, &whole, &f) == OK)
        fields_free(&f);
    return rc;
}

static void batch(int k, const char *folder, const char *path, const char *bytes, size_t n, uint64_t seed,
                  size_t region, long first, long times, bool sealed) {
    const bool json = sealed && files[k].kind == RECORD, hdf5 = sealed && files[k].kind >= LATTICE;
    char *data = malloc(n + DAMAGE_ROOM);
    if (!data)
        exit(ERR_RESOURCE);
    for (long t = first; t < times; t++) {
        seen->step = t;
        seen->refused = false;
        memcpy(data, bytes, n);
        const size_t now = damage(data, n, seed * 1000003 + (uint64_t)t, region, REGIONS, json, hdf5, seen->what);
        if (now == n && memcmp(data, bytes, n) == 0)
            continue; /* a bit turned twice */
        if (file_write(path, data, now) != OK || (hdf5 && hdf5_seal(path, path) != OK))
            exit(ERR_OUTPUT);
        status_clear();
        alarm(1800);
        if (take(k, folder, path, sealed) == OK) {
            printf("TAKEN %s: seed %llu, tenth %zu, number %ld%s: %s\n", files[k].name, (unsigned long long)seed,
                   region, t, sealed ? ", sealed" : "", seen->what);
            seen->taken++;
        }
        status_clear();
    }
    free(data);
}

/* One tenth of a file; *crashed grows by what crashed behind the refusal. Returns how many were taken or crashed. */
static long one_region(int k, const char *folder, const char *path, const char *bytes, size_t n, uint64_t seed,
                       size_t region, long times, bool sealed, long *crashed) {
    for (long first = 0; first < times; first = seen->step + 1) {
        int state = 0;
        seen->step = times;
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            batch(k, folder, path, bytes, n, seed, region, first, times, sealed);
            fflush(stdout);
            _exit(0);
        }
        if (child > 0 && waitpid(child, &state, 0) == child && state == 0)
            return 0;
        printf("CRASH%s %s: seed %llu, tenth %zu, number %ld%s: %s\n",
               seen->refused ? " in HDF5, after the refusal," : "", files[k].name, (unsigned long long)seed, region,
               seen->step, sealed ? ", sealed" : "", seen->what);
        if (!seen->refused)
            return 1;
        ++*crashed;
    }
    return 0;
}

/* Returns how many were taken or crashed. */
static long one_kind(int k, uint64_t seed, long times, bool sealed) {
    char folder[PLACES], path[PLACES];
    char *bytes = NULL;
    size_t n = 0;
    long bad = 0, crashed = 0;
    snprintf(folder, sizeof folder, "%.2000s/out/%s", root, files[k].stage);
    snprintf(path, sizeof path, "%.3000s/%s", folder, files[k].name);
    if (file_read(path, (size_t)1 << 30, &bytes, &n) != OK)
        return 1;
    if (take(k, folder, path, false) != OK) {
        printf("%s of the clean case is refused: %s\n", files[k].name, status_message());
        bad++;
    }
    for (size_t region = 0; region < REGIONS && bad == 0; region++)
        bad += one_region(k, folder, path, bytes, n, seed, region, times, sealed, &crashed);
    bad += seen->taken;
    seen->taken = 0;
    if (file_write(path, bytes, n) != OK)
        bad++;
    free(bytes);
    printf("%-8s %-20s %6ld tried, %ld taken or crashed, %ld crashed HDF5 after the refusal\n",
           sealed ? "sealed" : "change", files[k].name, times * REGIONS, bad, crashed);
    return bad;
}

int main(int argc, char **argv) {
    char path[PLACES];
    long bad = 0;
    int rc = OK;
    if (argc < 4)
        return status_finish("readers", fail(ERR_USAGE, "readers CASE_FOLDER SEED TIMES"));
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seen == MAP_FAILED)
        return ERR_RESOURCE;
    snprintf(root, sizeof root, "%s", argv[1]);
    snprintf(path, sizeof path, "%.2000s/case.yaml", root);
    TRY(case_read(path, 0, &c));
    snprintf(path, sizeof path, "%.2000s/out/mesh/lattice.h5", root);
    TRY(lattice_file_read(path, &whole));
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        for (int sealed = 0; sealed < 2; sealed++)
            if (!sealed || files[k].kind != PLAIN)
                bad += one_kind((int)k, strtoull(argv[2], NULL, 10), strtol(argv[3], NULL, 10), sealed);
    if (bad > 0)
        rc = fail(ERR_INTERNAL, "%ld damaged files were taken for whole, or crashed a reader", bad);
cleanup:
    lattice_free(&whole);
    case_free(&c);
    return status_finish("readers", rc);
}
