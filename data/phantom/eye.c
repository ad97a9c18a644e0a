/* SPDX-License-Identifier: Apache-2.0 */
#include "data/phantom/eye.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const shape eye_shape = {
    .kind = SHAPE_EYE,
    .b = {0, -1, 0},
    .radius = {6, 1.5},
    .length = {[EYE_DEPTH] = 2.6, [EYE_IRIS] = 0.4, [EYE_POSTERIOR] = 0.8, [EYE_LENS] = 10, [EYE_GAP] = 0.15}};
/* Box of the paper: 384 x 384 x 120 cells, 30 cells per millimetre. */
static const double low_mm[3] = {-6.4, -2.7, -6.4}, high_mm[3] = {6.4, 1.3, 6.4};
static const double tissue_mm = 1;

static void write_lumen(FILE *to, const char *image, double spacing_mm) {
    const double *length = eye_shape.length;
    if (image) {
        fprintf(to, "segment: {method: labels, labels: {path: %s, values: [1]}}\nmesh: {spacing: %.5g mm}\n", image,
                spacing_mm);
        return;
    }
    fprintf(to, "mesh:\n  spacing: %.5g mm\n  box: {low: [%g, %g, %g], high: [%g, %g, %g]}\n", spacing_mm, low_mm[0],
            low_mm[1], low_mm[2], high_mm[0], high_mm[1], high_mm[2]);
    fprintf(to,
            "  shape: {type: eye, centre: [0, 0, 0], axis: [0, -1, 0], radius: %g mm, pupil: %g mm, depth: %g mm,\n",
            eye_shape.radius[0], eye_shape.radius[1], length[EYE_DEPTH]);
    fprintf(to, "          iris: %g mm, posterior: %g mm, lens: %g mm, gap: %g mm}\n", length[EYE_IRIS],
            length[EYE_POSTERIOR], length[EYE_LENS], length[EYE_GAP]);
}

int eye_write_case(const char *folder, const char *image, double across) {
    char *text = NULL, *path = file_join(folder, "case.yaml");
    size_t used = 0;
    FILE *to = open_memstream(&text, &used);
    int rc = OK;
    if (to) {
        fprintf(to, "# The anterior segment of an eye, written by: phantom --kind eye. It faces forward, head upright; "
                    "supine: gravity: [0, 9.81, 0].\nname: eye-phantom\nspace: LPS\n");
        write_lumen(to, image, eye_shape.length[EYE_DEPTH] / (across > 0 ? across : 17));
        fprintf(to,
                "walls:\n  - {name: cornea, %s, temperature: 34 degC}\n  - {name: tissue, temperature: 37 degC}   # "
                "iris, lens, ciliary body\n",
                image ? "label: 2" : "part: cornea");
        fprintf(to,
                "blood: {density: 993 kg/m3, viscosity: 0.70 mPa s}   # aqueous humor: water at 36 degC\n"
                "solve:\n  tolerance: 1e-4\n  heat: {diffusivity: 1.5e-7 m2/s, expansion: 3.4e-4 1/K, gravity: [0, 0, "
                "-9.81]}\npost: {nusselt_length: %g mm}\n",
                eye_shape.length[EYE_DEPTH]);
    }
    if (!to || fclose(to) != 0 || !path)
        GIVE_UP(fail_memory("a text file", 4096));
    TRY(file_create_folder(folder));
    TRY(file_write(path, text, used));
cleanup:
    free(text);
    free(path);
    return rc;
}

int eye_labels(const double spacing_mm[3], volume *v) {
    double origin[3];
    int dims[3];
    for (int a = 0; a < 3; a++) {
        dims[a] = (int)ceil((high_mm[a] - low_mm[a] + 2 * tissue_mm) / spacing_mm[a]);
        origin[a] = 0.5 * (low_mm[a] + high_mm[a] - spacing_mm[a] * (dims[a] - 1));
    }
    const int rc = volume_create(v, dims, spacing_mm, origin, NULL);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < (rc == OK ? dims[2] : 0); k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                double p[3];
                volume_to_lps(v, (const double[3]){i, j, k}, p);
                const double d = shape_distance_mm(&eye_shape, p);
                v->value[volume_index(v, i, j, k)] = d < 0           ? 1
                                                     : d < tissue_mm ? (float)(2 + shape_part_at(&eye_shape, p))
                                                                     : 0;
            }
    return rc;
}
