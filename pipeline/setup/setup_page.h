/* setup.html: one page, without any request, on which a user clicks seeds and openings in the image and saves a
 * case.yaml. The page itself is setup.html beside this file; the build puts it into the program. */
#ifndef PORTAFLOW_SETUP_PAGE_H
#define PORTAFLOW_SETUP_PAGE_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/image/volume.h"
#include "pipeline/inspect/vessel_ends.h"

typedef struct {
    const volume *image;                  /* with values */
    const volume *lumen;                  /* not 0 inside, on the image's grid; NULL: none is known */
    const char *image_name, *labels_name; /* as the case names them; image "": none; labels NULL: level set */
    const char *series;                   /* of a DICOM folder with several; NULL: none is named */
    const char *values;                   /* "[1, 5]", the labels of the vessel; NULL: every one */
    bool look;                            /* a case as it is, to look at; nothing is saved */
    const case_file *asked;               /* whose readouts are listed; NULL: none are */
    const char *text, *frame;             /* a case to be changed, and its space; NULL: a new one */
    int n_vessel;                         /* what looks like one: the first, to which the points lead, and others */
    const found_vessel *vessel;
    bool placed; /* the points are those of 3D Slicer */
    int n_point; /* proposed, or of the case */
    const struct setup_point {
        const char *kind, *name, *role; /* "seed", "opening", "section"; name NULL for a seed, role of openings alone */
        double lps_mm[3];
        const char *what, *value, *unit; /* of an opening: "flow", "0.6", "L/min"; what NULL: still to be given */
        const char *plus, *more;         /* " +- 0.06 L/min" of the value, ", extension: 10 mm"; NULL: nothing */
        double centre_mm[3], normal[3], radius_mm; /* of its cut, where mesh has made it; radius 0: not known */
    } * point;
} setup_page;

/* Through "<path>.part". An image of up to 12 million voxels has 16 bits a voxel, a larger one 8, one over 24 million
 * is averaged over 2 voxels along its longest sides until it is not; the page stays under 40 MB. No text of the
 * image's header gets into it. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int setup_page_write(const char *path, const setup_page *s);
#endif
