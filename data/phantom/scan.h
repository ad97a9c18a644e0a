/* How an MR scanner would show a phantom: tissues, partial volume, point spread, coil sensitivity, noise.
 *
 *   signal = blood * f + tissue * (1 - f)        f the share of the voxel that is lumen
 *   image  = | (point spread * signal) * bias + sigma (n1 + i n2) |      n1, n2 standard normal: Rician
 *   (Gudbjartsson and Patz 1995)
 *
 * Rounded to whole numbers as scanners store them. The same settings give the same voxels, whatever the threads. */
#ifndef PORTAFLOW_SCAN_H
#define PORTAFLOW_SCAN_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "data/phantom/abdomen.h"
#include "data/phantom/phantom.h"
#include "data/phantom/scanner.h"
#include <stdint.h>

enum { SCAN_BLOOD = 1000 }; /* signal of bright blood; SNR is SCAN_BLOOD / sigma */

typedef struct {
    double spacing_mm[3];
    double margin_mm;  /* from the lumen to the border of the image */
    double rotate_deg; /* oblique slices: the grid turned round z by this and then round its x by half of it */
    double blur;       /* full width at half maximum of the Gaussian point spread, in voxels; 0: none */
    double bias;       /* the sensitivity runs from exp(-bias) to exp(bias) over the image; 0: none */
    double snr;        /* 0: no noise */
    bool dark;         /* blood without signal (black blood) instead of bright */
    uint64_t seed;
    /* NULL: as above. Otherwise its signals and noise, organs drawn by the seed (abdomen.h), and snr, dark and the
     * tissues of the kind are not looked at */
    const scanner *scanner;
} scan_settings;

/* The grid round the lumen, zeros. Errors: ERR_USAGE (a setting out of range, more than 4e8 voxels), ERR_RESOURCE. */
MUST_CHECK int scan_grid(const phantom *p, const scan_settings *settings, volume *grid);

/* Fill an image of that geometry. CT noise is white noise smoothed within the slice to the scanner's correlation.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int scan_image(const phantom *p, const scan_settings *settings, volume *image);

/* The truth on the same grid: signed distance in mm at the voxel centres, and 1 where it is negative. */
void scan_phi(const phantom *p, volume *phi_mm);
void scan_mask(const volume *phi_mm, volume *mask);

/* Sensitivity at a place of the grid, u in -1..1 along each axis of the image: exp(-bias)..exp(bias). */
double scan_bias(const scan_settings *settings, const double u[3]);
#endif
