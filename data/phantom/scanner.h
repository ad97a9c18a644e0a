/* Scanners that show veins as clinics see them: three noise levels above a neighbour, and others as bright as they. */
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
    TISSUE_SOFT, /* what lies between the organs: mesentery, unopacified bowel, muscle */
    TISSUE_BONE,
    TISSUES
};

typedef struct {
    const char *name, *summary;
    double signal[TISSUES];
    double noise;      /* standard deviation */
    double noise_fwhm; /* voxels in the slice over which noise is correlated; 0: white */
    bool magnitude;    /* Rician, as in MR; otherwise Gaussian */
    double texture;    /* standard deviation of the liver's texture */
    double slow;       /* relative variation within any tissue, mixing of blood included */
    double bias;       /* as in scan_settings */
    double spacing_mm[3];
} scanner;

enum { SCANNERS = 4 };
/* 0 .. SCANNERS - 1 in the order of "ct-portal|mr-t2|mr-ssfp|mr-dixon". */
const scanner *scanner_get(int index);
#endif
