/* SPDX-License-Identifier: Apache-2.0 */
/* Scanner presets with clinical contrast: the vein is brighter than one neighbour by three standard deviations of the
 * noise, and has the same signal as other neighbours. */
#ifndef PORTAFLOW_SCANNER_H
#define PORTAFLOW_SCANNER_H
#include <stdbool.h>

enum scanner_tissue {
    TISSUE_AIR,
    TISSUE_VEIN,
    TISSUE_ARTERY,
    TISSUE_CAVA,
    TISSUE_LIVER,
    TISSUE_SPLEEN,
    TISSUE_KIDNEY,
    TISSUE_PANCREAS,
    TISSUE_BOWEL,
    TISSUE_STOMACH,
    TISSUE_FAT,
    TISSUE_SOFT, /* tissue between the organs: mesentery, unopacified bowel, muscle */
    TISSUE_BONE,
    TISSUES
};

typedef struct {
    const char *name;
    double signal[TISSUES];
    double noise; /* standard deviation of the noise */
    /* correlation width of the noise within a slice: full width at half maximum in voxels; 0: white noise */
    double noise_fwhm;
    bool magnitude; /* true: Rician noise, as in MR; false: Gaussian */
    double texture; /* standard deviation of the liver's texture */
    /* relative amplitude of slow variations within a tissue, such as incomplete mixing of contrast agent in blood */
    double slow;
    double bias; /* coil sensitivity from exp(-bias) to exp(bias) over the image */
    double spacing_mm[3];
} scanner;

enum { SCANNERS = 4 };
/* Preset of index 0 .. SCANNERS - 1 in the order "ct-portal|mr-t2|mr-ssfp|mr-dixon"; NULL: other index. */
const scanner *scanner_get(int index);
#endif
