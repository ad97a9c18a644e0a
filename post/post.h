/* The post stage: fields + lattice + case -> readouts.json, wall.vtp, profiles.csv,
 * figures/, report.html, post.json. */
#ifndef PORTAFLOW_POST_POST_H
#define PORTAFLOW_POST_POST_H
#include "common/base/must_check.h"
#include "post/stage/work.h"

/* Errors: all of status.h. Nothing is written before everything is computed. */
MUST_CHECK int post(const post_options *o);
#endif
