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
    int device;         /* enum device of solve/core/device.h */
    int gpu;            /* number of the GPU, if `device` is one */
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

/* Waveform of one call of pf_case_set_flow_waveform, kept until its case is freed. */
typedef struct case_wave {
    struct case_wave *next;
    waveform w;
    char *file;     /* path of the opening before the call, which the case owned; NULL: none */
    char name[100]; /* for messages */
} case_wave;

struct pf_case {
    atomic_int references;
    case_wave *wave;     /* list, newest first */
    bool needs_pressure; /* true: calls have set the conditions, so case_read has not checked that an opening has a
                          * pressure */
    case_file c;
};

/* A solver and its callers share the fields of a phase. */
struct pf_fields {
    atomic_int references;
    pf_lattice *lattice;
    fields f;
};

/* State of the thread before a call, which call_end restores. */
typedef struct {
    context_record *outer;
    int threads;
} call_state;

/* Makes the context current in the calling thread, clears its error, and gives OpenMP in this thread its number of
 * threads. Returns the previous state. */
call_state call_begin(pf_context *context);
/* Restores the state of call_begin. Returns rc as a pf_status, with an error message if rc is not OK. */
pf_status call_end(pf_context *context, call_state before, int rc);

/* Selects GPU `gpu`, if `device` (enum device) is one, for the following calls of this thread. Errors: ERR_RESOURCE. */
MUST_CHECK int call_select_gpu(int device, int gpu);

/* A lattice without cells and with one reference; NULL: not enough memory. */
pf_lattice *lattice_allocate(void);
/* A new reference; returns its argument. */
pf_lattice *lattice_share(const pf_lattice *vessel);
pf_case *case_share(const pf_case *c);
pf_fields *fields_share(pf_fields *f);
#endif
