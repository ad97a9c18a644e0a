/* SPDX-License-Identifier: Apache-2.0 */
/* The handles of portaflow.h, and what every function does at its start and end. */
#ifndef PORTAFLOW_HANDLES_H
#define PORTAFLOW_HANDLES_H
#include "common/case/case.h"
#include "common/context/context.h"
#include "common/lattice/field_file.h"
#include "common/lattice/lattice.h"
#include "library/portaflow.h"
#include <stdatomic.h>

struct pf_context {
    context_record inner;
    int threads;
    atomic_bool cancel; /* true: pf_context_cancel was called, and no pf_solver_run has ended by it yet */
    void (*on_message)(void *data, pf_message_level level, const char *text);
    void (*on_progress)(void *data, double share, double remaining_s, const char *note);
    void *message_data, *progress_data;
};

/* Several solvers and fields may share a lattice. It is freed when the last reference is released. */
struct pf_lattice {
    atomic_int references;
    lattice l;
};

struct pf_case {
    atomic_int references;
    bool needs_pressure; /* true: calls have set the conditions, so case_read has not checked that an opening has a
                          * pressure */
    case_file c;
};

struct pf_fields {
    pf_lattice *lattice;
    fields f;
};

/* State of the thread before a call, which call_end restores. */
typedef struct {
    context_record *outer;
    int threads;
} call_state;

/* Enters the context, clears its error, and sets its number of threads. */
call_state call_begin(pf_context *context);
/* Restores the thread. Returns rc as a pf_status, with an error message if rc is not OK. */
pf_status call_end(pf_context *context, call_state before, int rc);

/* A new reference; returns its argument. */
pf_lattice *lattice_share(const pf_lattice *vessel);
pf_case *case_share(const pf_case *c);
#endif
