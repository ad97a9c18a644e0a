/* SPDX-License-Identifier: Apache-2.0 */
/* Branches of the vessel that the lumen does not include, from segment.json: no blood flows through them. */
#ifndef PORTAFLOW_UNFED_BRANCHES_H
#define PORTAFLOW_UNFED_BRANCHES_H
#include <cjson/cJSON.h>
#include <stdbool.h>

enum { UNFED_BRANCHES_MAX = 32 };

/* What messages say of a branch with a narrow lumen at its origin (narrow_contact.h) */
#define UNFED_NARROW "joins through a narrow lumen: another vessel that touches, or a branch narrowed at its origin"

/* The plane of an opening, LPS. normal: unit vector out of the vessel; 0, 0, 0: unknown. */
typedef struct {
    double centre_mm[3], normal[3], radius_mm;
} unfed_plane;

typedef struct {
    double point_mm[3]; /* LPS, place where the branch leaves the vessel */
    double diameter_mm;
    bool touches; /* the lumen is narrow where the branch leaves: UNFED_NARROW */
} unfed_branch;

/* Estimates the plane of an opening before mesh.json has it. Centre: point_mm (LPS). Radius: of the branch in
 * segment.json whose end is nearest. Normal: `normal`, or the direction of this branch if `normal` is NULL. False:
 * segment.json lists no branches. */
bool unfed_plane_estimate(const cJSON *segment, const double point_mm[3], const double *normal, unfed_plane *plane);

/* Lists the branches that segment found and cut at the wall, widest first. A branch up to UNFED_BEYOND radii beyond an
 * opening is omitted: the lumen of segment continues three radii beyond the plane, where mesh cuts it. Of branches that
 * leave from the same place only the widest is listed; a branch that touches hides none that does not. segment: the
 * record segment.json, NULL: none. Returns the number of listed branches. */
#define UNFED_BEYOND 4.0
int unfed_branches_list(const cJSON *segment, int n_plane, const unfed_plane *plane,
                        unfed_branch list[UNFED_BRANCHES_MAX]);
#endif
