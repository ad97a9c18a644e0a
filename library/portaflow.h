/* SPDX-License-Identifier: Apache-2.0 */
/* libportaflow: steady and pulsatile blood flow on a lattice, by the lattice Boltzmann solver of `solve`, for programs
 * in C.
 *
 *   pf_context *context = pf_context_create();
 *   pf_lattice_read(context, "out/mesh/lattice.h5", &lattice);
 *   pf_case_create(context, lattice, &c);                       one inlet IN, one outlet OUT
 *   pf_case_set_flow(context, c, "IN", 1e-6);
 *   pf_case_set_pressure(context, c, "OUT", 0);
 *   pf_solver_create(context, lattice, c, &solver);
 *   pf_solver_run(context, solver, 0);
 *   pf_fields_create(context, solver, &fields);
 *   const float *pressure_pa = pf_fields_pressure(fields).data;
 *
 * Result. The flow has the same bits as the fields that `solve` writes for the same lattice file, case, device and
 * number of threads with mesh.grid_levels: 1. Not available: several grid levels, blood: {model: unknown}, and one flow
 * on several ranks or GPUs, because a rank is a process; `mpirun solve` computes such a case.
 *
 * Errors. A function that can fail returns a pf_status. On failure, except PF_ERROR_USAGE, it sets its output handle to
 * NULL. pf_context_error() gives one sentence with the cause, the value and the remedy. The library does not print,
 * does not end the process, and installs no signal handler.
 *
 * Threads. A context belongs to one thread at a time; a handle is used with one context at a time. Different contexts
 * may be used in different threads at once, for example two solvers that share one pf_lattice. Only pf_context_cancel
 * may be called from any thread. The library uses HDF5 in pf_lattice_read only, under a lock of its own. HDF5 itself
 * may not be thread-safe: if the program uses HDF5 as well, it must not do so during that call.
 *
 * Owners. The caller frees every handle with the function of its type; NULL is allowed. A solver keeps the data of its
 * lattice and its case, and fields keep their lattice, so the order of the calls is free; the context is freed last.
 * Pointers into a handle are owned by the library and valid until the handle is freed. Texts are UTF-8.
 *
 * Units are SI, lengths of the lattice are in mm. Coordinates are LPS (left, posterior, superior), as in DICOM. */
#ifndef PORTAFLOW_PUBLIC_H
#define PORTAFLOW_PUBLIC_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define PF_API __attribute__((visibility("default")))
#else
#define PF_API
#endif

typedef struct pf_context pf_context; /* receiver of errors, messages and progress; device, number of threads */
typedef struct pf_lumen pf_lumen;     /* the inside of a vessel: a signed distance to its wall; constant */
typedef struct pf_lattice pf_lattice; /* cells of a vessel and the links that its wall cuts; constant */
typedef struct pf_case pf_case;       /* boundary conditions, blood and settings of the solver */
typedef struct pf_solver pf_solver;   /* one flow that is being computed */
typedef struct pf_fields pf_fields;   /* copy of the velocity, pressure and stress of a solver; constant */

/* Codes 1 to 6 are the exit codes of the programs. */
typedef enum {
    PF_OK = 0,
    PF_ERROR_INTERNAL, /* a fault of the library */
    PF_ERROR_USAGE,    /* an argument that is never valid, or a call in the wrong state */
    PF_ERROR_INPUT,    /* a bad file or value */
    PF_ERROR_OUTPUT,
    PF_ERROR_NUMERIC,  /* the flow diverged or did not converge */
    PF_ERROR_RESOURCE, /* memory, or a part that this build lacks */
    PF_CANCELLED       /* pf_context_cancel was called */
} pf_status;

PF_API const char *pf_version(void); /* such as "0.1.0" */

/* --- context ------------------------------------------------------------------------------------------------------ */

/* Returns NULL if there is not enough memory. The context uses as many threads as OpenMP offers to the calling thread
 * (OMP_NUM_THREADS, otherwise all cores). */
PF_API pf_context *pf_context_create(void);
PF_API void pf_context_free(pf_context *context);

/* Message of the last call with this context if it failed: one sentence without a full stop; "" if the last call
 * succeeded. Valid until the next call with this context. */
PF_API const char *pf_context_error(const pf_context *context);

/* Number of OpenMP threads of the following calls, 1 to 1024. A solver keeps the number that it was created with.
 * Errors: PF_ERROR_USAGE. */
PF_API pf_status pf_context_set_threads(pf_context *context, int threads);

/* Device of the solvers that are created later: "auto" (default: GPU 0 if there is a usable one, otherwise the CPU),
 * "cpu", "cuda" (GPU 0) or "cuda:N" (GPU N, counted from 0). Several threads may use several GPUs, each with its own
 * context. A call with a solver on a GPU makes this GPU the current CUDA device of the calling thread. Errors:
 * PF_ERROR_USAGE; PF_ERROR_RESOURCE for a GPU that does not exist, without a driver, or if the library was built
 * without CUDA; the device then stays as it was. */
PF_API pf_status pf_context_set_device(pf_context *context, const char *device);

typedef enum { PF_MESSAGE_DEBUG, PF_MESSAGE_INFO, PF_MESSAGE_WARNING, PF_MESSAGE_SERIOUS } pf_message_level;
/* Sets the receiver of messages; NULL (the default): they are dropped. PF_MESSAGE_SERIOUS: a warning that may change a
 * conclusion. `text` is valid during the call. The receiver runs in the thread of the library call. With this context
 * it may call pf_context_cancel, and no other function of the library. */
PF_API void pf_context_on_message(pf_context *context,
                                  void (*receive)(void *data, pf_message_level level, const char *text), void *data);
/* Sets the receiver of the progress of pf_solver_run; NULL (the default): not reported. share: completed part, 0 to 1;
 * remaining_s: remaining time in seconds; both NaN while unknown. note: such as "step 1200, residual 3.1e-05". Rules as
 * for messages. */
PF_API void pf_context_on_progress(pf_context *context,
                                   void (*receive)(void *data, double share, double remaining_s, const char *note),
                                   void *data);
/* Requests that the running pf_solver_run or pf_solver_run_to, or the next one, ends with PF_CANCELLED; that call
 * clears the request. The call ends within 100 steps, or 1/100 of a cycle; its flow is kept, and pf_solver_run
 * continues it. May be called from any thread, from the receivers and from signal handlers. */
PF_API void pf_context_cancel(pf_context *context);

/* --- lumen -------------------------------------------------------------------------------------------------------- */

/* Copies the signed distance to the wall, mm, negative inside: distance_mm [dims[2]][dims[1]][dims[0]], x fastest, on
 * voxels of spacing_mm along the LPS axes x, y, z, with the centre of the first one at origin_mm. dims: 3 to 4096. Only
 * values near the wall count, but all must be finite; the outermost voxel centres close the vessel. Errors:
 * PF_ERROR_INPUT, PF_ERROR_RESOURCE. */
PF_API pf_status pf_lumen_create(pf_context *context, const float *distance_mm, const int dims[3],
                                 const double spacing_mm[3], const double origin_mm[3], pf_lumen **vessel);
PF_API void pf_lumen_free(pf_lumen *vessel);

/* --- lattice ------------------------------------------------------------------------------------------------------ */

/* Reads lattice.h5, which the program `mesh` writes, and checks it. Errors: PF_ERROR_INPUT (missing, damaged, of
 * another version), PF_ERROR_RESOURCE. */
PF_API pf_status pf_lattice_read(pf_context *context, const char *path, pf_lattice **vessel);
/* Cuts a lumen at the openings of a case, and builds its lattice with the spacing of the case (keys of `mesh`), as the
 * program `mesh` does; mesh.grid_levels is ignored. lumen NULL: the shape of the case (mesh.shape). Not cancelled by
 * pf_context_cancel. Errors: PF_ERROR_INPUT (an opening does not cut the lumen; the lattice is too coarse for the flow;
 * the case has `walls`, splits the flow by territories or gives its points in voxels), PF_ERROR_RESOURCE,
 * PF_ERROR_NUMERIC. */
PF_API pf_status pf_lattice_create(pf_context *context, const pf_lumen *lumen, const pf_case *c, pf_lattice **vessel);
PF_API void pf_lattice_free(pf_lattice *vessel);

PF_API int64_t pf_lattice_cells(const pf_lattice *vessel);     /* number of cells, n_cell */
PF_API double pf_lattice_spacing_mm(const pf_lattice *vessel); /* distance of neighbouring cell centres, mm */
/* Position of each cell in the box of the lattice, counted from 0: [n_cell][3]. In the order of the cells, x varies
 * fastest. Owned by the lattice. Centre of cell c in mm, LPS: origin_mm + spacing_mm * position[c]. */
PF_API const int32_t *pf_lattice_positions(const pf_lattice *vessel);
PF_API void pf_lattice_origin_mm(const pf_lattice *vessel, double origin_mm[3]); /* centre of position 0, 0, 0 */
/* Writes the centres of all cells to centre_mm [n_cell][3], mm, LPS, which the caller owns. */
PF_API void pf_lattice_centres_mm(const pf_lattice *vessel, double *centre_mm);

PF_API int pf_lattice_openings(const pf_lattice *vessel); /* number of openings */
PF_API const char *pf_lattice_opening_name(const pf_lattice *vessel,
                                           int k); /* owned by the lattice; NULL: no opening k */
PF_API double pf_lattice_opening_area_mm2(const pf_lattice *vessel,
                                          int k); /* area of its cross-section; NaN: no opening k */

/* --- case --------------------------------------------------------------------------------------------------------- */

/* Reads a case.yaml (common/CASE.md); `segment` may be missing. settings [n_setting]: "KEY=VALUE" each, as after --set
 * of the programs, such as "openings.SMV.flow=0.6 L/min"; NULL for none, at most 64. Errors: PF_ERROR_INPUT, one line
 * per problem of the file; PF_ERROR_USAGE, PF_ERROR_RESOURCE. */
PF_API pf_status pf_case_read(pf_context *context, const char *path, const char *const *settings, int n_setting,
                              pf_case **c);
/* Creates a case for the openings of a lattice, without boundary conditions. Blood: 1060 kg/m3, 3.5 mPa s. All other
 * values are the defaults of case.yaml. Each opening needs a flow, a waveform or a pressure, and at least one
 * needs a pressure. Errors: PF_ERROR_INPUT for a lattice with a moving wall, whose case must be read;
 * PF_ERROR_RESOURCE. */
PF_API pf_status pf_case_create(pf_context *context, const pf_lattice *vessel, pf_case **c);
PF_API void pf_case_free(pf_case *c);

/* The setters change the case for solvers that are created later. Errors: PF_ERROR_INPUT for an unknown opening or a
 * value out of range. flow_m3_s: positive into an inlet and out of an outlet, up to 100 L/min; its profile is developed
 * unless the case says otherwise. pressure_pa: at the opening plane, with the same zero as all pressures of the
 * case, up to 1000 mmHg of either sign. */
PF_API pf_status pf_case_set_flow(pf_context *context, pf_case *c, const char *opening, double flow_m3_s);
PF_API pf_status pf_case_set_pressure(pf_context *context, pf_case *c, const char *opening, double pressure_pa);
/* Flow that varies in time: time_s [n] ascending from 0, flow_m3_s [n] at these times, period_s above the last time, 1
 * ms to 1000 s. n: 2 to 1000000. The flow between the samples is a periodic cubic spline. The samples are copied. In
 * steady flow the mean of the spline counts. */
PF_API pf_status pf_case_set_flow_waveform(pf_context *context, pf_case *c, const char *opening, const double *time_s,
                                           const double *flow_m3_s, int n, double period_s);
/* Requests a pulsatile flow (solve/PULSATILE.md) of `cycles` or more cycles, 1 to 1000, up to three times as many until
 * it is periodic. phases: number of equidistant instants of the last cycle whose fields are kept, 3 to 1000. Errors:
 * PF_ERROR_INPUT also for shear-thinning blood and heat. */
PF_API pf_status pf_case_set_pulsatile(pf_context *context, pf_case *c, int cycles, int phases);
/* density_kg_m3: 100 to 5000; viscosity_pa_s (dynamic): 1e-5 to 1. */
PF_API pf_status pf_case_set_blood(pf_context *context, pf_case *c, double density_kg_m3, double viscosity_pa_s);
/* collision: "trt", "bgk" or "cumulant", which needs a lattice with 27 directions: mesh writes it for a case with
 * solve.collision cumulant. Default: "cumulant" for a lattice with 27 directions, otherwise "trt". */
PF_API pf_status pf_case_set_collision(pf_context *context, pf_case *c, const char *collision);
/* precision: "float" (default) or "double". */
PF_API pf_status pf_case_set_precision(pf_context *context, pf_case *c, const char *precision);
/* Residual at which a steady flow ends (solve/STEADY.md), above 0, up to 0.1. Default: 1e-6, or larger where the
 * numerical viscosity of the lattice limits the accuracy. */
PF_API pf_status pf_case_set_tolerance(pf_context *context, pf_case *c, double tolerance);

/* --- solver ------------------------------------------------------------------------------------------------------- */

/* Chooses the time step, allocates the solver on the device of the context and sets its start: a developed flow,
 * otherwise rest. The solver has its own copy of the case's values. Errors: PF_ERROR_INPUT (openings of case and
 * lattice differ, nothing drives the flow), PF_ERROR_RESOURCE, PF_ERROR_NUMERIC. */
PF_API pf_status pf_solver_create(pf_context *context, const pf_lattice *vessel, const pf_case *c, pf_solver **solver);
PF_API void pf_solver_free(pf_solver *solver);
PF_API const char *pf_solver_device(const pf_solver *solver); /* "cpu" or "cuda"; constant text */

/* Computes steps until the flow is steady, or an unsteady flow has a mean (solve/STEADY.md), or a pulsatile flow is
 * periodic to 1 %.
 * max_steps 0: until then; the limit of the case (solve.max_steps, or three times `cycles`) gives PF_ERROR_NUMERIC.
 * Otherwise at most about max_steps steps, in whole monitors of up to 100 steps, and a flow that is not steady yet is
 * no error (pf_solver_result.converged). A later call continues; a flow that was periodic then computes another cycle.
 * Errors: PF_ERROR_NUMERIC, PF_ERROR_RESOURCE, PF_CANCELLED. After a divergence the solver cannot be run again. */
PF_API pf_status pf_solver_run(pf_context *context, pf_solver *solver, int64_t max_steps);
/* Pulsatile flow: computes up to time_s, in seconds since the start of the first cycle, rounded up to the next monitor
 * (about 1/100 of a cycle) or end of a cycle. Calls that stop between give the same flow as one call. Flows rise from
 * rest during the first half cycle. A time that is over computes nothing. Errors: as pf_solver_run, and PF_ERROR_USAGE
 * for a steady flow or a time not 0 to 1e6 s. */
PF_API pf_status pf_solver_run_to(pf_context *context, pf_solver *solver, double time_s);

typedef struct {
    int converged;           /* 1: steady within the tolerance, or periodic; 0: not (yet) */
    int unsteady;            /* 1: the flow does not become steady, and its values are means over time */
    int64_t steps;           /* computed steps */
    double residual;         /* relative change of the velocity while blood moves on by one radius */
    double flow_balance;     /* |sum of the flows| / sum of the inflows */
    double time_step_s;      /* time step */
    double relaxation_time;  /* tau, in time steps */
    double reynolds;         /* Reynolds number of the fastest cross-section */
    double velocity_max_m_s; /* largest velocity of a cell; pulsatile: in the running cycle */
    double time_s, period_s; /* pulsatile: time since the start of the first cycle; length of a cycle; 0: steady */
    int cycles;              /* pulsatile: number of complete cycles */
    /* pulsatile: relative difference of the velocity between the last two cycles' ends; NaN: unknown */
    double cycle_change;
} pf_solver_result;

/* State after the last pf_solver_run; all 0 before the first. */
PF_API pf_solver_result pf_solver_get_result(const pf_solver *solver);

typedef struct {
    const char *name;         /* owned by the lattice */
    double flow_m3_s;         /* positive into an inlet and out of an outlet */
    double mean_velocity_m_s; /* flow over the area of the cross-section */
    double pressure_pa;       /* mean pressure at the opening plane */
} pf_opening_result;

/* Flow and pressure of opening k after the last pf_solver_run. name is NULL and all values are NaN if there is no
 * opening k, or before the first run. Pulsatile: at pf_solver_result.time_s. Pressure drop from opening a to b:
 * pressure_pa of a minus pressure_pa of b. */
PF_API pf_opening_result pf_solver_get_opening(const pf_solver *solver, int k);

/* --- fields ------------------------------------------------------------------------------------------------------- */

typedef struct {
    const float *data; /* owned by the fields; the values of one cell are consecutive */
    int64_t shape[2];  /* number of cells, number of values per cell */
    const char *unit;  /* such as "m/s" */
} pf_array;

/* Copies the fields after the last pf_solver_run; they do not change when the solver runs on. In a cell that is not
 * computed (its centre lies in the wall) the velocity is 0 and the pressure NaN. Errors: PF_ERROR_USAGE before the
 * first run; PF_ERROR_RESOURCE. */
PF_API pf_status pf_fields_create(pf_context *context, pf_solver *solver, pf_fields **copy);
/* Fields of stored phase k of a pulsatile flow, without copying them. Phase k is at k / phases of the cycle that
 * pf_solver_run stored last. Errors: PF_ERROR_USAGE for a phase that is not stored. */
PF_API pf_status pf_fields_create_phase(pf_context *context, pf_solver *solver, int k, pf_fields **copy);
PF_API int pf_solver_phases(const pf_solver *solver); /* number of stored phases; 0: none yet, or a steady flow */
PF_API void pf_fields_free(pf_fields *copy);

/* Time of the fields: since the start of the first cycle, or for a stored phase since the start of its cycle, s. 0 in a
 * steady flow. */
PF_API double pf_fields_time_s(const pf_fields *copy);

PF_API pf_array pf_fields_pressure(const pf_fields *copy); /* [n_cell][1], Pa, relative to the case's zero */
PF_API pf_array pf_fields_velocity(const pf_fields *copy); /* [n_cell][3], m/s, LPS */
PF_API pf_array pf_fields_stress(const pf_fields *copy);   /* [n_cell][6], Pa, viscous: xx yy zz xy xz yz */
/* [n_cell][1], degC; data is NULL if the case has no solve.heat. NaN in cells that are not computed. */
PF_API pf_array pf_fields_temperature(const pf_fields *copy);

#ifdef __cplusplus
}
#endif
#endif
