/* SPDX-License-Identifier: Apache-2.0 */
/* The post stage: fields, lattice and case -> readouts.json, wall.vtp, profiles.csv, figures/, report.html,
 * post.json. */
#ifndef PORTAFLOW_POST_POST_H
#define PORTAFLOW_POST_POST_H
#include "common/base/must_check.h"
#include "post/stage/work.h"

/* Run the stage. Errors: any of status.h. Nothing is written before all results are computed. */
MUST_CHECK int post_stage_run(const post_options *o);
#endif
