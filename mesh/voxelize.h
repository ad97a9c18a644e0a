/* From a signed distance to a lattice: which cells hold fluid, how much of each is solid, where their links are cut.
 *
 *   distance(data, p)  signed distance of the LPS point p to the wall in mm, negative in the fluid. It may not grow
 *                      faster than `steepness` mm per mm (1 for a true distance). Called from several threads at once,
 *                      also for points up to two cells outside the box; with periodic axes it must be periodic itself.
 *   P                  solid subcells of 8 x 8 x 8 a cell, a subcell counts by its centre              (shang2023, 2.2)
 *   q                  where the distance is zero along a link, in units of the link, to 1e-5
 * The faces of the box are walls on the axes that are not periodic. An opening cuts the links that cross its plane
 * inside the cross-section round its point: the connected piece of fluid in the plane, and what is nearer to it than to
 * any other piece within two cells. So another branch that meets the same plane is not cut.
 * Openings of role moving wall lie on a wall of the field (or cut it); their profiles are 1.
 * Which cells and links are stored, and in which order: common/lattice/lattice.h.
 * Test: tests/unit/mesh/test_voxelize.c */
#ifndef PORTAFLOW_VOXELIZE_H
#define PORTAFLOW_VOXELIZE_H
#include "common/base/must_check.h"
#include "common/base/steps.h"
#include "common/lattice/lattice.h"

/* One opening plane as it is asked for. */
typedef struct {
    char name[LATTICE_NAME_MAX];
    int role;           /* enum lattice_role */
    double point_mm[3]; /* LPS, on the plane, inside the vessel (or on the wall, for a moving wall) */
    double normal[3];   /* LPS, out of the fluid; any length above 0 */
    double radius_mm;   /* the cross-section must lie within this distance of the point; NaN or 0: found */
    double along[3];    /* LPS, unit: the vessel's direction, either way, where the plane cuts it obliquely; else 0 */
} mesh_opening;

typedef struct {
    double (*distance)(const void *data, const double lps_mm[3]);
    const void *data;
    double steepness; /* 0: 1 */
    /* NULL, or how many of the middles of the subcells (subcells a side, 8 or 4) of a cube round `centre`, at
     * distance_mm, have a distance >= 0, as `distance` says of each, at less cost; -1 where it cannot say */
    int (*solid)(const void *data, const double centre[3], double width_mm, int subcells, double distance_mm);
    /* NULL, or the distance at a point near the wall and its gradient; false where it cannot say */
    bool (*slope)(const void *data, const double lps_mm[3], double *distance_mm, double gradient[3]);
    double spacing_mm;
    double origin_mm[3]; /* LPS, centre of cell 0,0,0 */
    int dims[3];
    bool periodic[3];
    int n_opening;
    const mesh_opening *opening; /* [n_opening], borrowed */
    bool turn_openings; /* normals may point either way: each is turned out of the piece that touches most openings */
    bool progress;      /* show a progress bar */
    steps *steps;       /* NULL, or where the time of each step goes */
} voxelize_input;

typedef struct {
    int n_component;     /* connected pieces of fluid in the box */
    int64_t n_dropped;   /* cells with their centre in the fluid in the pieces that were left out ... */
    int64_t n_beyond;    /* ... and how many of them lie beyond an opening */
    int64_t n_border;    /* stored fluid cells at a face of the box where the fluid goes on outside */
    double border_mm[3]; /* LPS, one of them */
    int64_t
        n_web; /* cut links of walls thinner than a cell with fluid on both sides, where they are sheets (webs.h): */
    double web_mm[3], web_thick_mm; /* LPS, a place of them; their thickness, in the median */
    double fluid_volume_mm3;        /* sum of (1 - P) spacing^3, its columns of cells ended at the opening planes */
} voxelize_report;

/* Box of whole cells that covers low..high (LPS mm, faces of the outer cells): sets dims and origin_mm from spacing_mm.
 * An axis that does not divide into whole cells grows evenly on both sides; ERR_INPUT when it is periodic. */
MUST_CHECK int voxelize_box(voxelize_input *in, const double low_mm[3], const double high_mm[3]);

/* Estimate of the cells with fluid in the box (before openings cut it), from blocks of cells; cheap. */
double voxelize_estimate_cells(const voxelize_input *in);

/* Turn the normals of `opening` [in->n_opening] (out) as turn_openings does, without building a lattice; a larger
 * spacing than the lattice's will do. Errors: as voxelize. */
MUST_CHECK int voxelize_orient(const voxelize_input *in, mesh_opening *opening);

/* Build the lattice; *out is the caller's (lattice_free), zeroed on failure. report may be NULL.
 * Errors: ERR_INPUT naming the opening (its point outside the fluid, cross-section not whole, two openings in one
 * cross-section, no part of the fluid that touches all of them, no fluid at all), ERR_RESOURCE. */
MUST_CHECK int voxelize(const voxelize_input *in, lattice *out, voxelize_report *report);

/* Shrink the box of a lattice to its cells and `margin` cells round them, on the axes that are not periodic; dims and
 * origin_mm of `in` follow. */
void voxelize_trim(voxelize_input *in, lattice *l, int margin);
#endif
