/* setup.html: a self-contained page on which a user clicks seeds and openings in the image and saves a case.yaml. It
 * makes no network request. The build puts the template setup.html of this folder into the program. */
#ifndef PORTAFLOW_SETUP_PAGE_H
#define PORTAFLOW_SETUP_PAGE_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/image/volume.h"
#include "pipeline/inspect/vessel_ends.h"

typedef struct {
    const volume *image;                  /* image with its values */
    const volume *lumen;                  /* nonzero inside, on the image's grid; NULL: unknown */
    const char *image_name, *labels_name; /* paths as in the case; image "": none; labels NULL: level set */
    const char *series;                   /* UID in a DICOM folder with several series; NULL: not named */
    const char *values;                   /* "[1, 5]", the labels of the vessel; NULL: all */
    bool view_only;                       /* true: view of an existing case; the page cannot save */
    const case_file *readouts_of;         /* case whose readouts the page lists; NULL: none */
    const char *text, *frame;             /* text and space of a case to edit; NULL: a new case */
    int n_vessel;                         /* number of possible vessels; the points belong to the first vessel */
    const found_vessel *vessel;
    bool placed; /* true if the points are from 3D Slicer */
    int n_point; /* number of points: proposed points, or points of the case */
    const struct setup_point {
        /* "seed", "opening", "section"; name NULL for a seed; role only for an opening */
        const char *kind, *name, *role;
        double lps_mm[3];
        /* condition of an opening: "flow", "0.6", "L/min"; what NULL: unset */
        const char *what, *value, *unit;
        const char *plus, *more;                   /* " +- 0.06 L/min" of the value; ", extension: 10 mm"; NULL: none */
        double centre_mm[3], normal[3], radius_mm; /* the cut that mesh computed; radius 0: unknown */
    } * point;
} setup_page;

/* Writes the page through "<path>.part". Up to 12 million voxels have 16 bits, more have 8 bits. An image above 24
 * million voxels is averaged along its longest sides until it is below. The page stays under 40 MB. It contains no text
 * from the image's header. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int setup_page_write(const char *path, const setup_page *s);
#endif
