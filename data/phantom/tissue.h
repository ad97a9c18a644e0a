/* What surrounds the vessels: a body with fat under the skin and some organs, drawn over each other. */
#ifndef PORTAFLOW_TISSUE_H
#define PORTAFLOW_TISSUE_H
#include "data/phantom/abdomen.h"
#include "data/phantom/phantom.h"

enum { TISSUE_MAX = 8 };

typedef struct {
    double centre_mm[3], half_mm[3]; /* ellipsoid; an infinite half axis makes it a cylinder */
    double signal;
} tissue_organ;

typedef struct {
    double centre_mm[2], half_mm[2]; /* outline of the body across z, |x|^4 + |y|^4 = 1 in units of half */
    double body, fat;                /* signals; air outside is 0 */
    double texture;                  /* relative amplitude of the slow variation within a tissue */
    int n_organ;
    tissue_organ organ[TISSUE_MAX];
    const scanner *scanner; /* not NULL: its signals of the organs below in place of all above */
    abdomen around;
} tissue_map;

/* Tissues for a phantom in an image that goes margin_mm beyond its lumen. */
void tissue_create(const phantom *p, double margin_mm, tissue_map *map);

/* The same for a scanner: organs drawn by the seed. */
void tissue_create_scanner(const phantom *p, const scanner *by, uint64_t seed, double margin_mm, tissue_map *map);

/* Signal without any vessel and texture, bright blood being SCAN_BLOOD, and the factor of the texture. */
double tissue_signal(const tissue_map *map, const double lps_mm[3]);
double tissue_texture(const tissue_map *map, const double lps_mm[3]);

/* What is added at a place: the texture of the liver; 0 without a scanner. */
double tissue_grain(const tissue_map *map, const double lps_mm[3]);
#endif
