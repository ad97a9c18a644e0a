/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic MR image of a phantom: tissues, partial volume, point spread, coil sensitivity, noise.
 *
 *   signal = blood * f + tissue * (1 - f)        f: part of the voxel in the lumen
 *   image  = | (point spread * signal) * bias + sigma (n1 + i n2) |      n1, n2 standard normal: Rician noise
 *   (Gudbjartsson and Patz 1995)
 *
 * Values are rounded to integers, as scanners store them. The image depends on the settings only, not on the number of
 * threads. */
#ifndef PORTAFLOW_SCAN_H
#define PORTAFLOW_SCAN_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "data/phantom/abdomen.h"
#include "data/phantom/phantom.h"
#include "data/phantom/scanner.h"
#include <stdint.h>

enum { SCAN_BLOOD = 1000 }; /* signal of bright blood; SNR means SCAN_BLOOD / standard deviation of the noise */

typedef struct {
    double spacing_mm[3];
    double margin_mm; /* distance from the lumen to the border of the image */
    /* for oblique slices: the grid is rotated about z by this angle, then about its x axis by half of this angle */
    double rotate_deg;
    double blur; /* full width at half maximum of the Gaussian point spread, voxels; 0: none */
    double bias; /* coil sensitivity from exp(-bias) to exp(bias) over the image; 0: uniform */
    double snr;  /* signal of blood over the standard deviation of the noise; 0: no noise */
    bool dark;   /* black blood (no signal) instead of bright blood */
    uint64_t seed;
    /* NULL: tissues of the phantom's kind. Otherwise signals and noise of this scanner, with organs drawn from the seed
     * (abdomen.h); snr and dark are then ignored */
    const scanner *scanner;
} scan_settings;

/* Create the grid around the lumen, all 0. Errors: ERR_USAGE (invalid setting, more than 4e8 voxels), ERR_RESOURCE. */
MUST_CHECK int scan_grid(const phantom *p, const scan_settings *settings, volume *grid);

/* Fill an image that has the grid of scan_grid. CT noise is smoothed within the slice to the scanner's correlation
 * length. Errors: ERR_RESOURCE. */
MUST_CHECK int scan_image(const phantom *p, const scan_settings *settings, volume *image);

/* Compute the truth on the same grid: signed distance in mm at the voxel centres; mask 1 where it is negative. */
void scan_phi(const phantom *p, volume *phi_mm);
void scan_mask(const volume *phi_mm, volume *mask);

/* Coil sensitivity. Along each axis of the image it changes from exp(-bias) at u = -1 to exp(bias) at u = 1. */
double scan_bias(const scan_settings *settings, const double u[3]);
#endif
