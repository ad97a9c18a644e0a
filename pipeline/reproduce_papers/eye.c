/* SPDX-License-Identifier: Apache-2.0 */
/* cyclic2020:figure5. Natural convection of the aqueous humor in the anterior segment of an eye, standing and supine:
 * the shape of `phantom --kind eye`. The paper's tables of sizes and properties are pictures; sources:
 * data/phantom/SOURCES.md. */
#include "common/base/vec.h"
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/run/stages.h"

/* Same values as in case.yaml of this study. */
static const double depth_mm = 2.6, lens_mm = -0.55, middle_mm = 1.3,
                    rim_mm = 4.2; /* rim_mm: radius of the chamber at depth middle_mm */
static const double gravity_m_s2 = 9.81, expansion_1_k = 3.4e-4, difference_k = 3, viscosity_m2_s = 0.70e-3 / 993;
/* Speed in the eye of Canning et al., divided by the speed in our eye: ratios of expansion, viscosity and squared
 * depth */
static const double canning_of_ours = 0.88 / 1.28 * (2.75 / 2.6) * (2.75 / 2.6);
static const double seen_cells = 2;       /* Smallest width of a gap, in cells, that lets fluid pass; approximate */
static const double finest_mm = 1.0 / 30; /* Spacing of the paper, which has 384 x 384 x 120 cells */

/* Largest fraction of the wall area that may lack a wall shear stress, per mm of spacing. This area lies at corners
 * where two walls meet */
static const double corners_1_mm = 0.8;

/* Behind the iris: gap between iris and lens; back side of the iris; radius of the lens; depth of the posterior chamber
 * next to the lens. first_mm: smallest radius of a ring of points; step_mm: distance between two rings. */
static const double gap_mm = 0.15, iris_mm = 0.4, lens_radius_mm = 10, posterior_mm = 0.8, first_mm = 2, step_mm = 0.5;

enum {
    LINE = 101,
    DEPTHS = 5,
    WAVES = 16,
    RADII = 8,
    RING = 72,
    SHOWN = 2
}; /* SHOWN: index of the ring whose radius is 3 mm */

/* Flow behind the iris: through the gap between iris and lens, and around the axis of the eye. Radial velocity: mean
 * over the depth between the iris and the structures behind it. Waves around the axis: the m-th wave is 2 m alternating
 * vortices. */
typedef struct {
    double radius_mm[RADII], angle_deg[RING]; /* angle: measured from straight up */
    double radial_mm_s[RADII][RING];
    double fastest_mm_s; /* largest speed at all points, on all rings and in all depths */
    double waves_mm_s;   /* largest deviation of the radial velocity from its mean around the axis */
    /* largest mean of the radial velocity around the axis; without exchange of mass with walls it is 0 */
    double mean_mm_s;
    int wave;          /* number m of the strongest wave on ring SHOWN; 0: no motion */
    double wave_share; /* squared amplitude of this wave over the sum of squared amplitudes of all waves */
} eye_behind;

typedef struct {
    /* along, across: velocities at the points of the line along the axis of the eye and of the line across it, mm/s */
    double speed_mm_s, place_mm[3], nusselt, along[LINE], across[LINE];
    /* wall shear stress in the middle of the cornea, Pa; part of the wall that has a wall shear stress */
    double apex_pa, wall_share;
    eye_behind behind;
} eye_flow;

/* Largest speed of the convection between a warm and a cold plate, depth_mm apart, along gravity: g beta dT h^2 / (72
 * sqrt(3) nu), the lubrication limit in the middle of a flat chamber (Canning, Greaney, Dewynne, Fitt 2002). */
static double lubrication_mm_s(void) {
    return 1e-3 * gravity_m_s2 * expansion_1_k * difference_k * depth_mm * depth_mm / (72 * sqrt(3.0) * viscosity_m2_s);
}

/* Counts the sign changes of the velocity along the line, ignoring velocities below a tenth of the largest. */
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

/* Largest difference of two values at mirrored positions of the line, relative to the largest value. */
static double asymmetry(const double *value) {
    double largest = 0, off = 0;
    for (int k = 0; k < LINE; k++) {
        const double a = isfinite(value[k]) ? value[k] : 0, b = isfinite(value[LINE - 1 - k]) ? value[LINE - 1 - k] : 0;
        largest = fmax(largest, fabs(a));
        off = fmax(off, fabs(a - b));
    }
    return off / largest;
}

/* --------------------------------------------------------------------------------------------- behind the iris */

static double depth_at(double radius_mm) {
    return fmin(posterior_mm, gap_mm + lens_radius_mm - sqrt(lens_radius_mm * lens_radius_mm - radius_mm * radius_mm));
}

static void find_waves(eye_behind *b) {
    double best = 0, sum = 0;
    b->waves_mm_s = b->mean_mm_s = 0;
    for (int i = 0; i < RADII; i++) {
        double mean = 0;
        for (int k = 0; k < RING; k++)
            mean += b->radial_mm_s[i][k] / RING;
        b->mean_mm_s = fmax(b->mean_mm_s, fabs(mean));
        for (int k = 0; k < RING; k++)
            b->waves_mm_s = fmax(b->waves_mm_s, fabs(b->radial_mm_s[i][k] - mean));
    }
    b->wave = 0;
    for (int m = 1; m <= WAVES; m++) {
        const double *v = b->radial_mm_s[SHOWN];
        double c = 0, s = 0;
        for (int k = 0; k < RING; k++) {
            c += v[k] * cos(2 * M_PI * m * k / RING);
            s += v[k] * sin(2 * M_PI * m * k / RING);
        }
        sum += c * c + s * s;
        if (c * c + s * s > best) {
            best = c * c + s * s;
            b->wave = m;
        }
    }
    b->wave_share = sum > 0 ? best / sum : 0;
}

static void probe_behind(const study_case *t, eye_behind *b) {
    static double point[RADII * RING * DEPTHS][3], velocity[RADII * RING * DEPTHS][3];
    enum { N = RADII * RING * DEPTHS };
    for (int n = 0; n < N; n++) {
        const int k = n / DEPTHS % RING, i = n / DEPTHS / RING;
        const double r = first_mm + i * step_mm, angle = 2 * M_PI * k / RING;
        b->radius_mm[i] = r;
        b->angle_deg[k] = 360.0 * k / RING;
        point[n][0] = r * sin(angle);
        point[n][1] = iris_mm + depth_at(r) * (n % DEPTHS + 0.5) / DEPTHS;
        point[n][2] = r * cos(angle);
    }
    study_case_probe(t, N, point, velocity, NULL);
    b->fastest_mm_s = 0;
    for (int i = 0; i < RADII; i++)
        for (int k = 0; k < RING; k++) {
            double sum = 0;
            for (int j = 0; j < DEPTHS; j++) {
                const int n = (i * RING + k) * DEPTHS + j;
                const double *u = velocity[n], *p = point[n];
                if (!isfinite(u[0])) /* no velocity: the gap has no cell */
                    continue;
                sum += 1e3 * (u[0] * p[0] + u[2] * p[2]) / b->radius_mm[i] / DEPTHS;
                b->fastest_mm_s = fmax(b->fastest_mm_s, 1e3 * vec_length(u));
            }
            b->radial_mm_s[i][k] = sum;
        }
    find_waves(b);
}

/* ------------------------------------------------------------------------------------------------- the whole eye */

/* Reads the upward velocity on the axis of the eye, and the velocity along the axis on a line across the chamber.
 * depth: positions on the axis from the iris to the cornea, which is to the front (-y), mm; height: positions on the
 * line from below to above, mm. */
static void probe(const study_case *t, double *depth, double *height, eye_flow *f) {
    static double point[2 * LINE][3], velocity[2 * LINE][3];
    for (int k = 0; k < LINE; k++) {
        depth[k] = numbers_middle(k, LINE, lens_mm, depth_mm);
        height[k] = numbers_middle(k, LINE, -rim_mm, rim_mm);
        for (int a = 0; a < 3; a++)
            point[k][a] = point[LINE + k][a] = 0;
        point[k][1] = -depth[k];
        point[LINE + k][1] = -middle_mm;
        point[LINE + k][2] = height[k];
    }
    study_case_probe(t, 2 * LINE, point, velocity, NULL);
    for (int k = 0; k < LINE; k++) {
        f->along[k] = 1e3 * velocity[k][2];
        f->across[k] = -1e3 * velocity[LINE + k][1];
    }
}

static void run_eye(const study_context *x, results *r, const char *name, const char *gravity, double *depth,
                    double *height, eye_flow *f) {
    static const char *const picture[][2] = {{"velocity", "speed in the plane of gravity and axis"},
                                             {"temperature", "temperature and streamlines"}};
    double apex_mm[1][3] = {{0, -depth_mm, 0}}, wss_pa[1][3];
    study_case t;
    study_case_open(&t, x, x->source, "%s", name);
    t.pictures = true;
    study_case_set(&t, "solve.heat.gravity", "%s", gravity);
    study_case_set(&t, "mesh.spacing", "%.5g mm", finest_mm / x->scale);
    study_case_run(&t, STAGE_POST);
    f->speed_mm_s = 1e3 * study_case_readout(&t, "velocity/max_m_s");
    f->nusselt = study_case_readout(&t, "heat/sides/cornea/nusselt");
    for (int a = 0; a < 3; a++)
        f->place_mm[a] = study_case_readout(&t, "heat/velocity_max_at_lps_mm/%d", a);
    probe(&t, depth, height, f);
    study_case_probe_wall(&t, 1, apex_mm, wss_pa);
    f->apex_pa = vec_length(wss_pa[0]);
    f->wall_share =
        study_case_readout(&t, "wss/area_mm2") / study_case_number(&t, "mesh/mesh.json", "result/wall_area_mm2");
    probe_behind(&t, &f->behind);
    for (int k = 0; k < 2; k++)
        study_case_picture(&t, picture[k][0], results_format(r, "%s-%s", name, picture[k][0]),
                           results_format(r, "%s: %s", name, picture[k][1]));
    study_case_close(&t);
}

static void draw(results *r, const double *depth, const double *height, const eye_flow f[2]) {
    plot axis =
        plot_new(r, "axis", "Velocity against gravity on the axis of the eye, standing", "from the iris, mm", "mm/s");
    plot across =
        plot_new(r, "across", "Velocity towards the cornea across the chamber, supine", "from the axis, mm", "mm/s");
    plot_curve(&axis, PLOT_LINE, LINE, depth, f[0].along, "standing");
    plot_curve(&across, PLOT_LINE, LINE, height, f[1].across, "supine");
    plot_write(&axis);
    plot_write(&across);
}

static void draw_behind(results *r, const eye_flow f[2]) {
    plot p = plot_new(r, "behind", "Radial velocity behind the iris, 3 mm from the axis",
                      "angle from straight up, degrees", "mm/s");
    plot_curve(&p, PLOT_LINE, RING, f[0].behind.angle_deg, f[0].behind.radial_mm_s[SHOWN], "standing");
    plot_curve(&p, PLOT_LINE, RING, f[1].behind.angle_deg, f[1].behind.radial_mm_s[SHOWN], "supine");
    plot_write(&p);
}

static void show_speeds(results *r, const char *const name[2], const eye_flow f[2]) {
    results_table(r, "flow",
                  "position|largest speed, mm/s|per kelvin|at LPS, mm|Nusselt number of the cornea|"
                  "wall shear stress in the middle of the cornea, Pa");
    for (int k = 0; k < 2; k++)
        results_row(r, "%s|%.3f|%.3f|%.2f, %.2f, %.2f|%.3f|%.2e", name[k], f[k].speed_mm_s,
                    f[k].speed_mm_s / difference_k, f[k].place_mm[0], f[k].place_mm[1], f[k].place_mm[2], f[k].nusselt,
                    f[k].apex_pa);
    results_row(r, "standing, lubrication theory|%.3f|%.3f|on the axis||", lubrication_mm_s(),
                lubrication_mm_s() / difference_k);
    results_row(r, "standing, lubrication theory, eye of Canning et al.|%.3f|%.3f|on the axis||",
                canning_of_ours * lubrication_mm_s(), canning_of_ours * lubrication_mm_s() / difference_k);
    results_row(r, "Fernandez-Vigo and others (2018), no lens implanted|||||1.6e-03");
    results_text(
        r,
        "Canning et al. give about 0.2 mm/s per kelvin; their row uses the same formula with 1.28 times the viscosity, "
        "a depth of 2.75 mm and 0.88 times the expansion. Kumar and Pushpavanam (2025) find the same vortices. The "
        "Nusselt number grows with the resolution (3.1 at 6 cells per millimetre): 34 and 37 degC meet at the rim of "
        "the cornea. Velocities below a tenth of the largest do not count as changes of direction.");
}

static void show_behind(results *r, const char *const name[2], const eye_flow f[2]) {
    results_text(
        r,
        "Behind the iris, 2 to 5.5 mm from the axis. Radial velocity: mean over five depths; its m-th wave around the "
        "axis is 2 m alternating vortices; its mean (0 in a closed eye) is mass exchanged with interpolated walls.");
    results_table(
        r, "posterior",
        "position|largest speed, mm/s|of the largest in the eye|radial velocity less its mean, mm/s|mean, mm/s|"
        "strongest wave at 3 mm|its share");
    for (int k = 0; k < 2; k++) {
        const eye_behind *b = &f[k].behind;
        results_row(r, "%s|%.3g|%.2g|%.3g|%.3g|%d|%.2f", name[k], b->fastest_mm_s, b->fastest_mm_s / f[k].speed_mm_s,
                    b->waves_mm_s, b->mean_mm_s, b->wave, b->wave_share);
    }
    results_text(r, "Standing: wave 1, two large opposite vortices, as in the paper. Supine, the paper shows several "
                    "petals. Our eye and flow are axisymmetric: petals could only come from the grid (wave 4 and its "
                    "multiples), and must be small.");
    draw_behind(r, f);
}

static void check_behind(results *r, const eye_flow f[2]) {
    results_at_most(r, "standing: strongest wave behind the iris less one (two opposite vortices)",
                    fabs(f[0].behind.wave - 1.0), 0);
    results_at_least(r, "standing: its share", f[0].behind.wave_share, 0.9);
    results_at_most(r, "radial velocity behind the iris less its mean, supine over standing (petals)",
                    f[1].behind.waves_mm_s / f[0].behind.waves_mm_s, 0.01);
}

static void check(results *r, const eye_flow f[2], double spacing_mm) {
    const double ratio = f[0].speed_mm_s / lubrication_mm_s();
    results_at_most(r, "standing: changes of direction on the axis less one (one vortex)",
                    fabs(turns(f[0].along) - 1.0), 0);
    results_at_most(r, "supine: changes of direction across the chamber less two (two opposite vortices)",
                    fabs(turns(f[1].across) - 2.0), 0);
    results_at_most(r, "supine: asymmetry of the velocity across the chamber", asymmetry(f[1].across), 0.05);
    results_at_least(r, "standing: part of the wall with a wall shear stress (corners of a cell's width have none)",
                     f[0].wall_share, 1 - corners_1_mm * spacing_mm);
    results_at_least(r, "standing: largest speed over that of lubrication theory", ratio, 0.5);
    results_at_most(r, "standing: largest speed over that of lubrication theory", ratio, 1.5);
}

int study_eye(const study_context *x, results *r) {
    static double depth[LINE], height[LINE];
    static eye_flow f[2];
    static const char *const name[2] = {"standing", "supine"}, *const gravity[2] = {"[0, 0, -9.81]", "[0, 9.81, 0]"};
    results_text(r,
                 "Aqueous humor (`phantom --kind eye`), %.3g cells per millimetre, cornea at 34, other walls at 37 "
                 "degC, gravity across the axis of the eye (standing) and along it (supine). The paper shows one "
                 "vortex before the iris when standing, two opposite ones when supine. Its sizes, properties and "
                 "speeds are pictures (ours: data/phantom/SOURCES.md); the speed is compared with lubrication theory.",
                 x->scale / finest_mm);
    for (int k = 0; k < 2; k++)
        run_eye(x, r, name[k], gravity[k], depth, height, &f[k]);
    show_speeds(r, name, f);
    draw(r, depth, height, f);
    show_behind(r, name, f);
    check(r, f, finest_mm / x->scale);
    if (gap_mm * x->scale >= seen_cells * finest_mm)
        check_behind(r, f);
    else
        results_text(r,
                     "The gap between iris and lens is less than %g cells wide here; the criteria behind the iris need "
                     "a finer lattice.",
                     seen_cells);
    return r->error;
}
