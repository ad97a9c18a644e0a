/* SPDX-License-Identifier: Apache-2.0 */
/* What test_backend compares and counts: the fields, readouts and heat of a device beside those of the reference. */
#ifndef PORTAFLOW_TESTS_BACKEND_CHECK_H
#define PORTAFLOW_TESTS_BACKEND_CHECK_H
#include "tests/backend/backend_case.h"

typedef struct {
    const char *name;
    const backend_table *table;
    int threads, slabs;
} test_device;

/* Counted; printed where it fails (BACKEND_VERBOSE: always). */
void check(bool good, const char *device, const char *name, const char *what, double value, double limit);
/* Fields within `limit` of the reference, readouts within 5 times that (1e-4 for float); with heat its fields too. */
void compare(const backend_case *c, const test_device *t, const case_fields *f, const case_fields *r, double limit,
             const char *what);
int checks_finish(void); /* prints how many; 1 where one failed */
#endif
