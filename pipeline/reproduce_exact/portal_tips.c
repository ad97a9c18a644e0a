/* SPDX-License-Identifier: Apache-2.0 */
/* verify:portal-tips. Portal tree with a stent of 8 mm to a hepatic vein. Reference: finite volumes on three meshes
 * (data/reproduce/verify-portal-tips/README.md). Pressures are differences to the opening HV. */
#include "common/base/status.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/run/stages.h"
#include <math.h>

/* Same order as the readouts in case.yaml of this study. */
static const char *const place[] = {"SMV", "SV", "PV", "S1", "S2", "S3", "HVI"};
enum { PLACES = sizeof place / sizeof *place };

/* Spacing of the finest lattice at scale 1: 24 cells across the stent */
static const double spacing_mm = 1.0 / 3;

enum { MESHES = 3 };
static const char *const mesh[MESHES] = {"coarse", "middle", "fine"};

/* Value of the finite volumes at cell size 0: least-squares line in the square of the cell size (row cell_mm of the
 * table) through all meshes. Two meshes alone would amplify the scatter of each. */
static double extrapolate(const study_table *t, const char *name) {
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int k = 0; k < MESHES; k++) {
        const double size = study_table_lookup(t, "place", "cell_mm", mesh[k]);
        const double value = study_table_lookup(t, "place", name, mesh[k]);
        x += size * size / MESHES;
        y += value / MESHES;
        xx += size * size * size * size / MESHES;
        xy += size * size * value / MESHES;
    }
    return y - x * (xy - x * y) / (xx - x * x);
}

static void add_row(results *r, const study_table *t, const char *name, double ours, double interval, double *value) {
    *value = extrapolate(t, name);
    results_row(r, "%s|%.4g|%.4g|%.4g|%.4g|%.2g|%.2f", name, study_table_lookup(t, "place", name, mesh[0]),
                study_table_lookup(t, "place", name, mesh[2]), *value, ours, interval, 100 * (ours / *value - 1));
}

int study_portal_tips(const study_context *x, results *r) {
    study_table t;
    study_case c;
    double value, worst = 0, covered = 0;
    const int rc = study_table_read(x->source, "finite-volume.csv", &t);
    if (rc != OK) {
        results_fail(r, rc);
        return r->error;
    }
    results_text(r,
                 "Portal vein from the superior mesenteric (SMV, 0.3 L/min) and the splenic vein (SV, 0.2 L/min); a "
                 "stent of 8 mm from its right branch to a hepatic vein takes 0.4 L/min (Re 320), 0.05 L/min leave by "
                 "each branch (RPV, LPV), the hepatic vein brings 0.1 L/min (HVI). At twice these flows the finite "
                 "volumes found no steady flow. S1 to S3: planes in the stent. Pressures in Pa against the outlet HV; "
                 "wall: mean wall shear stress in Pa. Finite volumes: "
                 "`data/reproduce/verify-portal-tips/README.md`.");
    study_case_open(&c, x, x->source, "default");
    study_case_set(&c, "mesh.spacing", "%.6g mm", spacing_mm / x->scale);
    c.pictures = true;
    study_case_run(&c, STAGE_POST);
    results_table(r, "pressures",
                  "place|finite volumes, coarse|finite volumes, fine|finite volumes, extrapolated|ours|interval "
                  "(+-)|difference (%)");
    for (int k = 0; k < PLACES; k++) {
        const double ours = study_case_readout(&c, "pressure_drops/%d/value_pa", k);
        const double interval = study_case_readout(&c, "pressure_drops/%d/uncertainty/lattice", k);
        add_row(r, &t, place[k], ours, interval, &value);
        worst = fmax(worst, 100 * fabs(ours / value - 1));
        covered += fabs(ours - value) <= interval;
    }
    const double wss = study_case_readout(&c, "wss/mean_pa");
    add_row(r, &t, "wall", wss, study_case_readout(&c, "wss/uncertainty/mean_pa/lattice"), &value);
    results_text(r, "%.0f of %d intervals hold the extrapolated pressure.", covered, PLACES);
    study_case_picture(&c, "pressure", "pressure", "Pressure on the wall");
    results_at_most(r, "largest difference of a pressure to finite volumes (%)", worst, x->scale < 0.75 ? 8 : 3);
    results_at_most(r, "difference of the mean wall shear stress to finite volumes (%)", 100 * fabs(wss / value - 1),
                    x->scale < 0.75 ? 10 : 3);
    study_case_close(&c);
    study_table_free(&t);
    return r->error;
}
