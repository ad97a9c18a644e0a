/* SPDX-License-Identifier: Apache-2.0 */
/* The post stage on a pipe whose flow is known, in a folder that goes when the test ends: the same files as mesh and
 * solve leave, for every test of the whole stage. */
#ifndef PORTAFLOW_TESTS_POST_RUN_H
#define PORTAFLOW_TESTS_POST_RUN_H
#include "tests/unit/post/post_lattice.h"
#include <cjson/cJSON.h>
#include <stdbool.h>

enum { POST_RUN_INSTANTS = 8, POST_RUN_FILES = 1024 };
extern const post_pipe POST_RUN_PIPE;
extern const char POST_RUN_CASE[];
#define POST_RUN_FLOW (M_PI * 16 * 0.1)          /* mL/s */
#define POST_RUN_WSS  (4 * 0.0035 * 0.1 / 0.004) /* Pa */
double post_run_drop_pa(double length_mm);

const char *post_run_path(const char *name); /* in the folder; one of four buffers in turn */
void post_run_text(const char *name, const char *text);

/* case.yaml, out/mesh and out/solve of the pipe; fields.vtkhdf is the steady flow. Lattice and fields: the caller's. */
void post_run_make(lattice *l, fields *f);
/* solve.json: flows and pressures times `scale`; `files` is its part about fields. */
void post_run_solve(const char *converged, const char *mode, const char *period, double scale, const char *files);
/* Poiseuille flow times a(t) = mean + cos(2 pi t) over a period of 1 s, stored at (k + 1/2) / POST_RUN_INSTANTS */
double post_run_factor(double mean, double time_s);
/* The stored instants and the mean; what solve.json says of them in `files` [POST_RUN_FILES]. */
void post_run_cycle(const lattice *l, const fields *f, double mean, char *files);

/* The stage, from the folder `in` to out/post. */
int post_run(const char *in, bool no_pictures);
cJSON *post_run_json(const char *name);                                 /* the caller's */
const cJSON *post_run_at(const cJSON *o, const char *a, const char *b); /* o.a.b, o.a where b is NULL */
char *post_run_report(void);                                            /* report.html; the caller's */
int post_run_has(const char *text, const char *what);
#endif
