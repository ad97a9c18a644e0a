/* SPDX-License-Identifier: Apache-2.0 */
/* The memory schemes of the papers and ours, and the arrays they use.
 *   addressing  DENSE     every cell of the box is stored; solid ones are skipped
 *               SEMI      an index array over the box (-1: solid), one thread per cell of the box
 *               SPARSE    the same index array, one thread per fluid cell with its x, y, z          (shang2023)
 *               LIST      18 neighbours per fluid cell, no box
 *               CYCLIC    64-bit pointers: box -> fluid cell and back                               (cyclic2020)
 *   layout      SOA       slot a of cell c at a N + c
 *               AOS       slot a of cell c at 19 c + a
 *               CSOA      blocks of 2^shift cells, SOA inside
 *               MORTON    SOA, the cells of the box in Morton order
 *   propagation PULL      two lattices, gather then collide
 *               PUSH      two lattices, collide then scatter
 *               AA        one lattice                                                               (bailey2009)
 *               TWO       separate collision and streaming                                          (wang2015)
 *               SHARED    PULL through shared memory, one block per x-row                           (rinaldi2012)
 * Collision: kernels/collide.h, BGK with a body force. Walls: half-way bounce-back, or partially solid cells as in
 * shang2023 eqs. 5-6 for the schemes that the papers use with them. With heat a cell has seven more populations
 * (kernels/heat_cell.h) on the same addressing; walls have one prescribed temperature, half-way. Heat exists for
 * schemes that store fluid cells only (scheme_with_heat), those that cyclic2020 compares. */
#ifndef PORTAFLOW_BENCH_SCHEME_H
#define PORTAFLOW_BENCH_SCHEME_H
#include <stdbool.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum scheme_addressing { SCHEME_DENSE, SCHEME_SEMI, SCHEME_SPARSE, SCHEME_LIST, SCHEME_CYCLIC };
enum scheme_layout { SCHEME_SOA, SCHEME_AOS, SCHEME_CSOA, SCHEME_MORTON };
enum scheme_propagation { SCHEME_PULL, SCHEME_PUSH, SCHEME_AA, SCHEME_TWO, SCHEME_SHARED };
enum scheme_wall { SCHEME_BOUNCE, SCHEME_PARTIAL };

/* X(id, name, addressing, layout, propagation, 1 if the scheme supports partially solid cells, papers that compare the
 * scheme) */
#define SCHEME_LIST_OF_ALL(X)                                                                                          \
    X(DENSE_PULL, "dense", DENSE, SOA, PULL, 1, "shang2023 DENSE, gallagher2022 SoA")                                  \
    X(DENSE_PUSH, "dense-push", DENSE, SOA, PUSH, 0, "wang2015")                                                       \
    X(DENSE_AA, "dense-aa", DENSE, SOA, AA, 0, "cyclic2020 section 1")                                                 \
    X(DENSE_TWO, "dense-two-kernels", DENSE, SOA, TWO, 1, "wang2015")                                                  \
    X(DENSE_SHARED, "dense-shared", DENSE, SOA, SHARED, 0, "rinaldi2012")                                              \
    X(DENSE_AOS, "dense-aos", DENSE, AOS, PULL, 0, "shang2023, wang2015")                                              \
    X(DENSE_CSOA, "dense-csoa", DENSE, CSOA, PULL, 0, "gallagher2022 CSoA")                                            \
    X(DENSE_MORTON, "dense-morton", DENSE, MORTON, PULL, 0, "gallagher2022 Morton")                                    \
    X(SPARSE_PULL, "sparse", SPARSE, SOA, PULL, 1, "shang2023 SPARSE")                                                 \
    X(SPARSE_PUSH, "sparse-push", SPARSE, SOA, PUSH, 0, "shang2023")                                                   \
    X(SEMI_PUSH, "semidirect-push", SEMI, SOA, PUSH, 0, "cyclic2020 semidirect")                                       \
    X(LIST_PULL, "list", LIST, SOA, PULL, 0, "indirect, neighbour list")                                               \
    X(LIST_PUSH, "list-push", LIST, SOA, PUSH, 0, "cyclic2020 indirect")                                               \
    X(LIST_AA, "list-aa", LIST, SOA, AA, 0, "indirect, one lattice")                                                   \
    X(CYCLIC_PULL, "cyclic", CYCLIC, SOA, PULL, 0, "cyclic2020, gathering")                                            \
    X(CYCLIC_PUSH, "cyclic-push", CYCLIC, SOA, PUSH, 0, "cyclic2020")

#define SCHEME_ID(id, ...) SCHEME_##id,
enum scheme_id { SCHEME_LIST_OF_ALL(SCHEME_ID) SCHEME_OURS, SCHEME_OURS_HALF, SCHEME_COUNT };
#undef SCHEME_ID

typedef struct {
    const char *name, *who;
    int addressing, layout, propagation;
    bool partial; /* true: the scheme supports SCHEME_PARTIAL */
} scheme;

/* SCHEME_OURS and SCHEME_OURS_HALF use none of the addressings, layouts and propagations above. */
extern const scheme scheme_table[SCHEME_COUNT];
bool scheme_with_heat(int id);              /* true if the scheme has a variant with heat */
const char *scheme_addressing_name(int id); /* way to find neighbours, such as "dense"; "ours" for our scheme */
const char *scheme_layout_name(int id);
const char *scheme_propagation_name(int id);
int scheme_find(const char *name); /* id of a scheme; -1: unknown name */

/* Data of a scheme besides populations; device arrays, NULL if the scheme does not use them. */
typedef struct {
    int32_t nx, ny, nz;
    int64_t n_box, n_cell; /* number of cells of the box, number of fluid cells */
    int64_t n_slot;        /* number of stored cells, which is the stride of SOA */
    int shift;             /* for CSOA: log2 of the cells per block */
    /* for MORTON: log2 of the brick edge. Bricks are stored x fastest, cells in a brick in Morton order. brick_x,
     * brick_y: number of bricks along x and y */
    int brick;
    int32_t brick_x, brick_y;
    const uint8_t *fluid; /* for DENSE with bounce-back: [n_slot] 1 in fluid */
    /* for partially solid cells: [n_slot] solid fraction P, 1 where there is no fluid */
    const float *solid;
    const int32_t *index;     /* for SEMI and SPARSE: [n_box] cell at each place of the box; -1: none */
    const int32_t *x, *y, *z; /* for SPARSE: [n_cell] coordinates of each cell */
    const int32_t *neighbour; /* for LIST: [18][n_cell] neighbour in each direction 1 to 18; -1: wall */
    /* for CYCLIC: [n_box] address of the first population of each cell; NULL: solid */
    const void *const *forward;
    const void *const *const *backward; /* for CYCLIC: [n_cell] address of each cell's entry in `forward` */
    const void *base;                   /* for CYCLIC: array that the addresses in `forward` point into */
} scheme_grid;

/* Physics of a run, lattice units: relaxation and force of the flow; with heat, relaxation and buoyancy of the
 * temperature, and the temperature of all walls. */
typedef struct {
    double omega, force[3];
    double omega_plus, omega_minus, buoyancy[3], wall;
} scheme_physics;

/* Data that a device needs for a step. */
typedef struct {
    /* values of enum scheme_id, enum scheme_wall and enum backend_precision (float or double) */
    int id, wall, precision;
    bool heat;   /* true: flow and temperature; false: flow only */
    int threads; /* number of threads; for the CPU only */
    scheme_grid grid;
    void *lattice[2]; /* [scheme_slots n_slot] populations minus their rest value; AA uses only the first */
    int current;      /* index of the lattice that holds the state */
    int odd;          /* for AA: parity of the next sub-step */
    scheme_physics physics;
} scheme_state;

/* Populations per cell. */
static inline int scheme_slots(bool heat) {
    return heat ? 26 : 19;
}

/* Work of one launch (one loop). */
typedef struct {
    const void *from;
    void *to;
    int part; /* sub-step: for AA 0 even, 1 odd; for TWO 0 collision, 1 streaming */
} scheme_pass;

/* Sets the passes of the next step, returns their number (1 or 2) and advances the state. */
int scheme_next(scheme_state *s, scheme_pass pass[2]);
/* threads of a pass: cells of the box or fluid cells; SHARED: rows * nx */
int64_t scheme_threads(const scheme_state *s);
int scheme_lattices(int id); /* number of lattices that a scheme stores, 1 or 2 */

/* True if a lattice holds collided populations between the steps (PULL, SHARED); otherwise arrived ones. */
bool scheme_holds_collided(int id);
#ifdef __cplusplus
}
#endif
#endif
