/* SPDX-License-Identifier: Apache-2.0 */
/* setup.html: a self-contained page on which a user clicks seeds and openings in the image and saves a case.yaml, and
 * the points of a stent, which it saves as treat.yaml for `pipeline treat`. It makes no network request. The build puts
 * the template setup.html of this folder into the program. */
#ifndef PORTAFLOW_SETUP_PAGE_H
#define PORTAFLOW_SETUP_PAGE_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/image/volume.h"
#include "pipeline/inspect/vessel_ends.h"

typedef struct {
    const volume *image;   /* image, with its values */
    const volume *lumen;   /* lumen on the image's grid: nonzero inside; NULL: unknown */
    const volume *liver;   /* liver on any grid: nonzero inside; NULL: unknown */
    bool portal;           /* true: the labels are of a portal vein */
    const char *case_name; /* proposed name of a new case; NULL: an existing case */
    /* paths as in the case. image_name "": no image; labels_name NULL: the method is the level set */
    const char *image_name, *labels_name;
    /* UID of the series in a DICOM folder with several series; NULL: the case names no series */
    const char *series;
    const char *values;           /* values of the vessel's labels, such as "[1, 5]"; NULL: all labels */
    bool view_only;               /* true: the page shows an existing case and cannot save */
    const case_file *readouts_of; /* existing case, whose readouts the page shows; NULL: a new case */
    const char *text, *frame;     /* text and frame of the case to edit; NULL: the case is new */
    int n_vessel;                 /* number of vessels that were found; the points belong to the first */
    const found_vessel *vessel;
    bool placed; /* true: the points were placed in 3D Slicer */
    int n_point; /* number of points, either proposed or from the case */
    const struct setup_point {
        /* kind: "seed", "opening" or "section"; name: NULL for a seed; role: for an opening only */
        const char *kind, *name, *role;
        double lps_mm[3];
        /* condition of an opening in three texts: what, such as "flow"; value, such as "0.6"; unit, such as "L/min".
         * what NULL: no condition is set */
        const char *what, *value, *unit;
        /* plus: text after the value, such as " +- 0.06 L/min"; NULL: none. more: further keys of the opening, such as
         * ", extension: 10 mm"; NULL: none */
        const char *plus, *more;
        /* cut that mesh has computed: centre, normal, radius; radius 0: unknown */
        double centre_mm[3], normal[3], radius_mm;
    } * point;
} setup_page;

/* Writes the page through "<path>.part". Up to 12 million voxels have 16 bits, more have 8 bits. An image above 24
 * million voxels is averaged along its longest sides until it is below. The page stays under 40 MB. It contains no text
 * from the image's header. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int setup_page_write(const char *path, const setup_page *s);
#endif
