/* SPDX-License-Identifier: Apache-2.0 */
/* Branches of the vessel before a treatment, with the names and directions of along.csv: named after their openings,
 * from inlets to outlets. An opening also
 * names the branch that ends at it, a section the branch that it is on. */
#ifndef PORTAFLOW_SEGMENT_TREAT_BRANCHES_H
#define PORTAFLOW_SEGMENT_TREAT_BRANCHES_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/centerline/centerline.h"
#include "common/vessel/vessel_table.h"

typedef struct {
    const case_file *c;  /* case before the treatment, borrowed */
    const volume *whole; /* geometry of its image, for coordinates in voxels; borrowed */
    centerline line;
    char (*name)[VESSEL_TABLE_NAME]; /* [line.n_branch] names of the branches, owned */
    bool *reversed;                  /* [line.n_branch] true: the branch runs against the order of the points of its
                                      * centerline; owned */
} treat_branches;

/* phi: signed distance before the treatment. opening_mm [c->n_opening] LPS. Errors: as centerline_find. */
MUST_CHECK int treat_branches_find(const case_file *c, const volume *whole, const volume *phi,
                                   const double (*opening_mm)[3], treat_branches *b);
void treat_branches_free(treat_branches *b);

/* Index of a branch. what: kind of the change, for the message. Errors: ERR_INPUT with the names of all branches. */
MUST_CHECK int treat_branches_number(const treat_branches *b, const char *what, const char *name, int *branch);
/* Distance of the spot from the start of its branch. Errors: ERR_INPUT (beyond the end). */
MUST_CHECK int treat_branches_abscissa(const treat_branches *b, const char *what, int branch, const case_spot *at,
                                       double *mm);
/* Point, unit tangent and inscribed radius at this distance. */
void treat_branches_place(const treat_branches *b, int branch, double mm, double point[3], double tangent[3],
                          double *radius_mm);
#endif
