/* SPDX-License-Identifier: Apache-2.0 */
/* Surroundings of the vessels: a body with subcutaneous fat and organs that cover each other. */
#ifndef PORTAFLOW_TISSUE_H
#define PORTAFLOW_TISSUE_H
#include "data/phantom/abdomen.h"
#include "data/phantom/phantom.h"

enum { TISSUE_MAX = 8 };

typedef struct {
    double centre_mm[3], half_mm[3]; /* ellipsoid: centre and half axes; an infinite half axis makes a cylinder */
    double signal;
} tissue_organ;

typedef struct {
    /* outline of the body in a plane across z: (x/a)^4 + (y/b)^4 = 1 with half axes half_mm */
    double centre_mm[2], half_mm[2];
    double body, fat; /* signals of the body and of its fat; outside is air with signal 0 */
    double texture;   /* relative amplitude of the slow variation within a tissue */
    int n_organ;
    tissue_organ organ[TISSUE_MAX];
    /* if not NULL: the signals of this scanner, with the organs `around`, replace all members above */
    const scanner *scanner;
    abdomen around;
} tissue_map;

/* Create the tissues for a phantom of one of the kinds; the image extends margin_mm beyond its lumen. */
void tissue_create(const phantom *p, double margin_mm, tissue_map *map);

/* Create the tissues for a scanner preset; the seed draws the organs. */
void tissue_create_scanner(const phantom *p, const scanner *by, uint64_t seed, double margin_mm, tissue_map *map);

/* tissue_signal: signal without vessel and texture, in units of SCAN_BLOOD = 1000. tissue_texture: factor of the slow
 * variation. */
double tissue_signal(const tissue_map *map, const double lps_mm[3]);
double tissue_texture(const tissue_map *map, const double lps_mm[3]);

/* Texture of the liver that is added at a point; 0 without a scanner. */
double tissue_grain(const tissue_map *map, const double lps_mm[3]);
#endif
