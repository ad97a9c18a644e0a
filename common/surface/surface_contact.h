/* Edges that do not join exactly two triangles, and places where parts of a surface touch. */
#ifndef PORTAFLOW_SURFACE_CONTACT_H
#define PORTAFLOW_SURFACE_CONTACT_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

typedef struct {
    int64_t open, crowded;            /* edges with one triangle; with three, five, .. triangles */
    double open_mm[3], crowded_mm[3]; /* LPS, middle of the first such edge; NaN: none */
    int64_t touching;                 /* points that two parts share; parts join over edges of two triangles */
    double touching_mm[3];            /* LPS, the first such point; NaN: none */
    double small_mm3;                 /* volume of the smaller of the two parts there */
} surface_contact;

/* Coincident points of s must be merged. Errors: ERR_RESOURCE. */
MUST_CHECK int surface_contact_find(const surface *s, surface_contact *found);
#endif
