/* The whole stage on a pipe whose flow is known: every file it writes, steady and pulsatile, and what it refuses. */
#include "common/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/post.h"
#include "common/file.h"
#include "common/lattice_file.h"
#include "common/message.h"
#include "common/provenance.h"
#include "common/units.h"
#include "common/vtk_surface.h"
#include "near.h"
#include "post/vtk_shim.h"
#include "post_lattice.h"
#include "temp.h"

enum { INSTANTS = 8 };
static const post_pipe PIPE = {.point_mm = {1, 2, 3},
                               .axis = {0, 0.6, 0.8},
                               .radius_mm = 4,
                               .length_mm = 24,
                               .mean_m_s = 0.1,
                               .viscosity_pa_s = 0.0035};
#define FLOW (M_PI * 16 * 0.1) /* mL/s */

static const char CASE[] =
    "name: 'a <b>bold</b> & \"quoted\" name'\n"
    "space: LPS\n"
    "openings:\n"
    "  - {name: in, role: inlet, point: [1, 2, 3], normal: [0, -0.6, -0.8], flow: 5 mL/s}\n"
    "  - {name: out, role: outlet, point: [1, 16.4, 22.2], normal: [0, 0.6, 0.8], pressure: 0 Pa}\n"
    "sections:\n"
    "  - {name: mid, point: [1.4, 9.2, 12.6]}\n"
    "  - {name: nowhere, point: [50, 9.2, 12.6]}\n"
    "mesh: {spacing: 0.5 mm, shape: {type: cylinder, from: [1, 2, 3], to: [1, 16.4, 22.2], radius: 4 mm},"
    " box: {low: [-4, -3, -2], high: [6, 22, 27]}}\n"
    "readouts:\n"
    "  - {pressure_drop: {from: in, to: mid}}\n"
    "  - {pressure_drop: {from: in, to: nowhere}}\n"
    "  - ppg: {portal: mid, liver: {model: resistance, value: 4 mmHg min/L}}\n"
    "  - ppg: {portal: in}\n";

static const char SOLVE[] =
    "{\"stage\": \"solve\", \"program\": {\"name\": \"solve\", \"version\": \"0.1.0\"}, \"warnings\": [\"a <warning> "
    "of solve\", \"another\"],"
    " \"result\": {\"converged\": %s, \"steps\": 100, \"dx_mm\": 0.5, \"dt_s\": 1e-4, \"tau\": 0.6, \"reynolds\": 240,"
    " \"womersley\": null, \"mach\": 0.1, \"device\": \"cpu, 2 threads\", \"mlups\": 50, \"seconds\": 3, "
    "\"flow_balance\": 1e-5,"
    " \"mode\": \"%s\", \"wall\": \"interpolated\", \"collision\": \"trt\", \"precision\": \"float\", "
    "\"cycle_period_s\": %s,"
    " \"cycles\": 3, \"openings\": {\"in\": {\"role\": \"inlet\", \"flow_ml_s\": %.9g, \"pressure_pa\": %.9g},"
    " \"out\": {\"role\": \"outlet\", \"flow_ml_s\": %.9g, \"pressure_pa\": 0}}, %s}}\n";

static double drop_pa(double length_mm) {
    return post_pipe_gradient_pa_m(&PIPE) * length_mm * 1e-3;
}

static void write_solve(const char *converged, const char *mode, const char *period, double scale, const char *files) {
    char text[4096];
    snprintf(text, sizeof text, SOLVE, converged, mode, period, scale * FLOW, scale * drop_pa(24), scale * FLOW, files);
    temp_text("out/solve/solve.json", text);
}

/* out/mesh and out/solve of the pipe; fields.vtkhdf is the steady flow */
static void make_run(lattice *l, fields *f) {
    surface lumen;
    assert_int_equal(file_make_folder(temp_path("out/mesh")), OK);
    assert_int_equal(file_make_folder(temp_path("out/solve")), OK);
    temp_text("case.yaml", CASE);
    post_pipe_lattice(&PIPE, 16, l);
    post_fields_make(l, post_pipe_flow, &PIPE, f);
    post_pipe_surface(&PIPE, 40, 0, &lumen);
    assert_int_equal(lattice_file_write(temp_path("out/mesh/lattice.h5"), l), OK);
    assert_int_equal(surface_write(temp_path("out/mesh/surface.vtp"), &lumen, 0, NULL), OK);
    assert_int_equal(field_file_write(temp_path("out/solve/fields.vtkhdf"), l, f), OK);
    write_solve("true", "steady", "null", 1, "\"fields\": [{\"file\": \"fields.vtkhdf\", \"time_s\": 0}]");
    surface_free(&lumen);
}

static int run_post(const char *in, bool no_pictures) {
    static char case_path[512], in_path[512], out_path[512];
    snprintf(case_path, sizeof case_path, "%s", temp_path("case.yaml"));
    snprintf(in_path, sizeof in_path, "%s", temp_path(in));
    snprintf(out_path, sizeof out_path, "%s", temp_path("out/post"));
    char *argv[] = {"post", "--case", case_path};
    post_options o = {.case_path = case_path, .in = in_path, .out = out_path, .no_pictures = no_pictures, .argc = 3};
    o.argv = argv;
    return post(&o);
}

static cJSON *read_json(const char *name) {
    cJSON *object = NULL;
    assert_int_equal(json_read(temp_path(name), &object), OK);
    return object;
}

static const cJSON *at(const cJSON *o, const char *a, const char *b) {
    const cJSON *first = cJSON_GetObjectItemCaseSensitive(o, a);
    return b ? cJSON_GetObjectItemCaseSensitive(first, b) : first;
}

static void check_readouts(const cJSON *r) {
    assert_near(json_get(at(r, "openings", "in"), "flow_ml_s"), FLOW, 1e-6);
    assert_near(json_get(at(r, "sections", "mid"), "flow_ml_s"), FLOW, 0.003 * FLOW);
    assert_near(json_get(at(r, "sections", "mid"), "area_mm2"), M_PI * 16, 0.15);
    assert_near(json_get(at(r, "sections", "mid"), "pressure_pa"), drop_pa(12), 0.003 * drop_pa(12));
    assert_true(cJSON_IsNull(at(at(r, "sections", "nowhere"), "flow_ml_s", NULL))); /* null, never 0 */
    assert_true(cJSON_IsNull(at(at(r, "sections", "nowhere"), "area_mm2", NULL)));
    const cJSON *drops = at(r, "pressure_drops", NULL), *gradients = at(r, "ppg", NULL);
    assert_near(json_get(cJSON_GetArrayItem(drops, 0), "value_pa"), drop_pa(12), 0.003 * drop_pa(12));
    assert_true(cJSON_IsNull(at(cJSON_GetArrayItem(drops, 1), "value_pa", NULL)));
    const cJSON *terms = at(cJSON_GetArrayItem(gradients, 0), "terms", NULL);
    assert_int_equal(cJSON_GetArraySize(terms), 2);
    assert_near(json_get(cJSON_GetArrayItem(terms, 1), "value_mmhg"), 4 * FLOW * 0.06, 1e-6);
    assert_true(json_get(cJSON_GetArrayItem(gradients, 0), "value_mmhg") > 4 * FLOW * 0.06);
    assert_true(cJSON_IsNull(at(cJSON_GetArrayItem(gradients, 1), "value_mmhg", NULL))); /* no liver */
    double exact = 4 * 0.0035 * 0.1 / 0.004;
    assert_near(json_get(at(r, "wss", NULL), "mean_pa"), exact, 0.005 * exact);
    assert_true(cJSON_IsNull(at(r, "wss", "osi_mean")));
    assert_near(json_get(at(r, "velocity", NULL), "max_m_s"), 0.2, 0.001);
    assert_string_equal(cJSON_GetStringValue(at(r, "solve", "device")), "cpu");
    assert_string_equal(cJSON_GetStringValue(at(r, "solve", "hardware")), "cpu, 2 threads");
    assert_true(cJSON_IsTrue(at(r, "solve", "converged")));
    assert_true(cJSON_GetArraySize(at(r, "notes", NULL)) >= 4);
    const cJSON *warnings = at(r, "warnings", NULL); /* what solve said, then the section */
    assert_int_equal(cJSON_GetArraySize(warnings), 3);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(warnings, 0)), "solve: a <warning> of solve");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(warnings, 1)), "solve: another");
}

static int contains(const char *text, const char *what) {
    return strstr(text, what) != NULL;
}

static char *read_report(void) {
    char *text = NULL;
    assert_int_equal(file_read(temp_path("out/post/report.html"), 100000000, &text, NULL), OK);
    return text;
}

/* nothing that would leave the page, and no name that becomes markup */
static void check_report(const char *text) {
    const char *reason;
    assert_false(contains(text, "http://"));
    assert_false(contains(text, "https://"));
    assert_false(contains(text, "<script"));
    assert_false(contains(text, "<b>bold"));
    assert_true(contains(text, "a &lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot; name"));
    assert_true(contains(text, "a &lt;warning&gt; of solve"));
    assert_true(contains(text, "not a diagnosis"));
    assert_true(contains(text, "No portal pressure gradient"));
    assert_true(contains(text, "% of it is modelled"));
    if (vtk_shim_available(&reason))
        assert_true(contains(text, "src=\"data:image/png;base64,iVBOR"));
    else
        printf("no pictures here: %s\n", reason);
}

static void count_rows(const char *name, const char *header, int least) {
    char *text = NULL;
    int rows = 0;
    assert_int_equal(file_read(temp_path(name), 1000000, &text, NULL), OK);
    assert_int_equal(strncmp(text, header, strlen(header)), 0);
    for (const char *p = text; *p; p++)
        rows += *p == '\n';
    assert_true(rows > least);
    free(text);
}

static void steady(void **state) {
    lattice l;
    fields f;
    surface lumen;
    char reason[256];
    make_run(&l, &f);
    message_init("test", false);
    assert_int_equal(run_post("out/solve", false), OK);
    cJSON *r = read_json("out/post/readouts.json");
    check_readouts(r);
    cJSON_Delete(r);
    char *text = read_report();
    check_report(text);
    assert_false(contains(text, "class=\"unconverged\""));
    assert_false(contains(text, "NOT CONVERGED &mdash;")); /* not even where no style hides it */
    assert_true(contains(text, "computed flow in an exact shape &middot;"));
    assert_false(contains(text, "as found in the image"));
    free(text);
    count_rows("out/post/profiles.csv",
               "from,to,distance_mm,area_mm2,flow_ml_s,mean_velocity_m_s,pressure_pa,pressure_mmhg\nin,out,", 20);
    assert_int_equal(surface_read(temp_path("out/post/wall.vtp"), 1, 0, &lumen), OK);
    assert_near(surface_area_mm2(&lumen), 2 * M_PI * 4 * 24, 6);
    surface_free(&lumen);
    const char *label[] = {"out/mesh/lattice.h5", "out/mesh/surface.vtp", "out/solve/solve.json",
                           "out/solve/fields.vtkhdf"};
    char input[4][512];
    const char *path[4];
    for (int k = 0; k < 4; k++) {
        snprintf(input[k], sizeof input[k], "%s", temp_path(label[k]));
        path[k] = input[k];
    }
    assert_int_equal(
        provenance_is_current(temp_path("out/post/post.json"), temp_path("."), NULL, 4, label, path, reason), 1);
    assert_int_equal(run_post("out", true), OK); /* the folder above; no pictures */
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

/* Poiseuille flow times a(t) = mean + cos(2 pi t) over a period of 1 s, stored at (k + 1/2) / INSTANTS */
static double factor(double mean, double time_s) {
    return mean + cos(2 * M_PI * time_s);
}

/* The stored instants and the mean; what solve.json says of them in `files` [1024]. */
static void write_cycle(const lattice *l, const fields *f, double mean, char *files) {
    fields at_instant;
    char name[64];
    assert_int_equal(fields_create(&at_instant, l->n_cell), OK);
    int n = snprintf(files, 1024, "\"fields_mean\": \"fields.vtkhdf\", \"fields\": [");
    for (int k = 0; k <= INSTANTS; k++) { /* the last one: the mean */
        double a = k < INSTANTS ? factor(mean, (k + 0.5) / INSTANTS) : mean;
        for (int64_t c = 0; c < 6 * l->n_cell; c++)
            at_instant.stress_pa[c] = (float)(a * (double)f->stress_pa[c]);
        for (int64_t c = 0; c < 3 * l->n_cell; c++)
            at_instant.velocity_m_s[c] = (float)(a * (double)f->velocity_m_s[c]);
        for (int64_t c = 0; c < l->n_cell; c++)
            at_instant.pressure_pa[c] = (float)(a * (double)f->pressure_pa[c]);
        snprintf(name, sizeof name, k < INSTANTS ? "out/solve/fields_%04d.vtkhdf" : "out/solve/fields.vtkhdf", k);
        assert_int_equal(field_file_write(temp_path(name), l, &at_instant), OK);
        if (k < INSTANTS)
            n += snprintf(files + n, 1024 - (size_t)n, "%s{\"file\": \"%s\", \"time_s\": %g}", k ? ", " : "",
                          file_name(name), (k + 0.5) / INSTANTS);
    }
    snprintf(files + n, 1024 - (size_t)n, "]");
    fields_free(&at_instant);
}

/* tau = a tau0: TAWSS and OSI as in test_cycle.c. `absolute`: mean of |a| */
static void check_averages(double mean, double absolute) {
    cJSON *r = read_json("out/post/readouts.json");
    double exact = 4 * 0.0035 * 0.1 / 0.004;
    assert_near(json_get(at(r, "wss", NULL), "tawss_mean_pa"), absolute * exact, 0.005 * absolute * exact);
    assert_near(json_get(at(r, "wss", NULL), "mean_pa"), absolute * exact, 0.005 * absolute * exact);
    assert_near(json_get(at(r, "wss", NULL), "osi_mean"), 0.5 * (1 - mean / absolute), 0.002);
    assert_near(json_get(at(r, "sections", "mid"), "flow_ml_s"), mean * FLOW,
                0.003 * absolute * FLOW); /* averaged over the cycle */
    assert_near(json_get(cJSON_GetArrayItem(at(r, "pressure_drops", NULL), 0), "value_pa"), mean * drop_pa(12),
                0.003 * absolute * drop_pa(12));
    assert_near(json_get(at(r, "velocity", NULL), "max_m_s"), 0.2 * (mean + cos(M_PI / INSTANTS)), 0.002 * (1 + mean));
    assert_non_null(cJSON_GetStringValue(at(r, "units", "osi")));
    cJSON_Delete(r);
}

/* a mean with an oscillation; none but an oscillation: OSI 0.5; one that never turns the flow: OSI 0 */
static void pulsatile(void **state) {
    static const double means[] = {0, 2, 0.4};
    lattice l;
    fields f;
    char files[1024];
    make_run(&l, &f);
    for (int n = 0; n < 3; n++) {
        double absolute = 0;
        write_cycle(&l, &f, means[n], files);
        for (int k = 0; k < INSTANTS; k++)
            absolute += fabs(factor(means[n], (k + 0.5) / INSTANTS)) / INSTANTS;
        write_solve("true", "pulsatile", "1", means[n], files);
        assert_int_equal(run_post("out/solve", true), OK);
        check_averages(means[n], absolute);
    }
    char *text = read_report();
    assert_true(contains(text, "<b>OSI</b>"));
    free(text);
    remove(temp_path("out/solve/fields_0003.vtkhdf"));
    assert_int_equal(run_post("out/solve", true), ERR_INPUT);
    assert_non_null(strstr(status_message(), "fields_0003.vtkhdf' is missing"));
    status_clear();
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

/* case.yaml with these instants, pulsatile */
static void write_instants(const char *times) {
    char text[sizeof CASE + 256];
    const char *flow = strstr(CASE, "5 mL/s");
    snprintf(text, sizeof text, "%.*s{waveform: wave.csv}%s%s%s", (int)(flow - CASE), CASE, flow + 6,
             "solve: {mode: pulsatile}\npost: {instants: ", times);
    strcat(text, "}\n");
    temp_text("case.yaml", text);
    temp_text("wave.csv", "t_s,flow_ml_s\n0,7\n0.25,2\n0.5,-3\n0.75,2\n1,7\n");
}

/* three cycles as solve writes them, rows 0.02 s apart */
static void write_monitors(double mean, const char *header) {
    char text[16384];
    int n = snprintf(text, sizeof text, "%s\n", header);
    for (int k = 0; k <= 150; k++) {
        double a = factor(mean, 0.02 * k);
        n += snprintf(text + n, sizeof text - (size_t)n, "%d,%.9g,1e-3,0,%.9g,%.9g,%.9g,0\n", 200 * k, 0.02 * k,
                      a * FLOW, a * drop_pa(24), a * FLOW);
    }
    temp_text("out/solve/monitors.csv", text);
}

static void check_instant(const cJSON *i, double time_s, double a, double opening_tolerance) {
    const cJSON *mid = at(i, "sections", "mid"), *wss = at(i, "wss", NULL);
    double exact = 4 * 0.0035 * 0.1 / 0.004, size = fabs(a);
    const cJSON *drop = cJSON_GetArrayItem(at(i, "pressure_drops", NULL), 0);
    assert_near(json_get(i, "time_s"), time_s, 1e-9);
    assert_near(json_get(at(i, "openings", "in"), "flow_ml_s"), a * FLOW, opening_tolerance * FLOW);
    assert_near(json_get(at(i, "openings", "out"), "flow_ml_s"), a * FLOW, opening_tolerance * FLOW);
    assert_near(json_get(i, "flow_balance"), 0, opening_tolerance);
    assert_near(json_get(mid, "flow_ml_s"), a * FLOW, 0.003 * FLOW);
    assert_near(json_get(mid, "backflow_ml_s"), fmax(-a, 0) * FLOW, 0.003 * FLOW);
    assert_near(json_get(mid, "velocity_max_m_s"), 0.2 * size, 0.002);
    assert_near(json_get(mid, "wss_mean_pa"), size * exact, 0.01 * exact);
    assert_near(json_get(mid, "wss_max_pa"), size * exact, 0.05 * exact);
    assert_near(json_get(drop, "value_pa"), a * drop_pa(12), (0.004 + 8 * opening_tolerance) * drop_pa(12));
    assert_near(json_get(wss, "mean_pa"), size * exact, 0.005 * exact);
    assert_true(json_get(wss, "p99_pa") <= json_get(wss, "max_pa"));
    assert_near(json_get(at(i, "velocity", NULL), "max_m_s"), 0.2 * size, 0.002);
    assert_true(cJSON_IsNull(at(at(i, "sections", "nowhere"), "velocity_max_m_s", NULL)));
}

static void check_cycle(double mean, double opening_tolerance) {
    cJSON *r = read_json("out/post/readouts.json");
    const cJSON *list = at(r, "instants", NULL);
    assert_int_equal(cJSON_GetArraySize(list), 2);
    check_instant(cJSON_GetArrayItem(list, 0), 0.0625, factor(mean, 0.0625), opening_tolerance);
    check_instant(cJSON_GetArrayItem(list, 1), 0.4375, factor(mean, 0.4375), opening_tolerance); /* it flows back */
    cJSON_Delete(r);
}

static void check_wall_file(void) {
    surface found;
    assert_int_equal(surface_read(temp_path("out/post/wall_0003.vtp"), 1, 0, &found), OK);
    assert_near(surface_area_mm2(&found), 2 * M_PI * 4 * 24, 6);
    surface_free(&found);
    cJSON *json = read_json("out/post/post.json");
    char *text = cJSON_PrintUnformatted(json);
    assert_true(contains(text, "wall_0003.vtp") && contains(text, "monitors.csv"));
    free(text);
    cJSON_Delete(json);
}

static void instants_of_the_cycle(void **state) {
    static const char *const page[] = {"wss_instants_front.png", "wss_instants_back.png", "velocity_instants.png",
                                       "sections_instants.png"};
    const char *reason;
    lattice l;
    fields f;
    char files[1024], header[256] = "step,time_s,change,flow_balance";
    double mean = 0.4;
    make_run(&l, &f);
    write_cycle(&l, &f, mean, files);
    write_solve("true", "pulsatile", "1", mean, files);
    strcat(header, ",in_flow_ml_s,in_pressure_pa,out_flow_ml_s,out_pressure_pa");
    write_monitors(mean, header);
    write_instants("[0.07 s, 440 ms, 0.45 s]"); /* the nearest stored; two are one */
    int warnings = message_warning_count();
    assert_int_equal(run_post("out/solve", false), OK);
    assert_true(message_warning_count() > warnings);
    check_cycle(mean, 1e-4);
    check_wall_file();
    for (int k = 0; k < 4 && vtk_shim_available(&reason); k++) {
        char name[64];
        snprintf(name, sizeof name, "out/post/figures/%s", page[k]);
        assert_true(file_exists(temp_path(name)));
    }
    char *text = read_report();
    assert_true(contains(text, "Instants of the cycle"));
    free(text);
    remove(temp_path("out/solve/monitors.csv")); /* then they are read just inside the openings */
    assert_int_equal(run_post("out/solve", true), OK);
    check_cycle(mean, 0.01);
    write_instants("[0.9 s]");
    assert_int_equal(run_post("out/solve", true), OK);
    assert_true(!file_exists(temp_path("out/post/wall_0003.vtp")) && file_exists(temp_path("out/post/wall_0007.vtp")));
    write_instants("[1.4 s]");
    assert_int_equal(run_post("out/solve", true), ERR_INPUT);
    assert_non_null(strstr(status_message(), "the instant 1.4 s of the case lies beyond the cycle of 1 s"));
    status_clear();
    write_monitors(mean, "step,time_s,change,flow_balance,other_flow_ml_s,other_pressure_pa");
    write_instants("[0.9 s]");
    assert_int_equal(run_post("out/solve", true), ERR_INPUT);
    assert_non_null(strstr(status_message(), "monitors.csv' does not have the columns of this lattice's openings"));
    status_clear();
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

/* u + shear in a plane through the axis: no flow more, but beyond 0.2 m/s at the rim some of it is against the others
 */
static void eddies_in_openings_are_told(void **state) {
    static const struct {
        double s;
        bool told;
    } runs[] = {{0.1, false}, {6, true}};
    lattice l;
    fields f;
    make_run(&l, &f);
    for (int k = 0; k < 2; k++) {
        fields g;
        assert_int_equal(fields_create(&g, l.n_cell), OK);
        memcpy(g.pressure_pa, f.pressure_pa, sizeof(float) * (size_t)l.n_cell);
        memcpy(g.stress_pa, f.stress_pa, 6 * sizeof(float) * (size_t)l.n_cell);
        for (int64_t c = 0; c < l.n_cell; c++) {
            double p[3];
            lattice_centre_mm(&l, c, p);
            for (int a = 0; a < 3; a++)
                g.velocity_m_s[3 * c + a] =
                    (float)((double)f.velocity_m_s[3 * c + a] * (1 + runs[k].s * (p[0] - PIPE.point_mm[0]) / 4));
        }
        assert_int_equal(field_file_write(temp_path("out/solve/fields.vtkhdf"), &l, &g), OK);
        assert_int_equal(run_post("out/solve", true), OK);
        char *text = NULL;
        assert_int_equal(file_read(temp_path("out/post/readouts.json"), 1000000, &text, NULL), OK);
        assert_true(contains(text, "opening 'out'") == runs[k].told);
        assert_true(!runs[k].told || contains(text, "pass it the wrong way"));
        free(text);
        fields_free(&g);
    }
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

static void unconverged_cannot_be_missed(void **state) {
    lattice l;
    fields f;
    make_run(&l, &f);
    write_solve("false", "steady", "null", 1, "\"fields\": [{\"file\": \"fields.vtkhdf\", \"time_s\": 0}]");
    assert_int_equal(run_post("out/solve", true), OK);
    char *text = read_report();
    assert_true(contains(text, "<body class=\"unconverged\">"));
    assert_true(contains(text, "NOT CONVERGED &mdash; no number in this report may be used"));
    assert_false(contains(text, "aria-label=\"thresholds\"")); /* no ruler to read a wrong number on */
    free(text);
    cJSON *r = read_json("out/post/readouts.json");
    assert_true(cJSON_IsFalse(at(r, "solve", "converged")));
    int said = 0;
    const cJSON *warning;
    cJSON_ArrayForEach(warning, at(r, "warnings", NULL)) said |=
        contains(cJSON_GetStringValue(warning), "not converge");
    assert_true(said);
    cJSON_Delete(r);
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

static void refuse(const char *sentence) {
    remove(temp_path("out/post/post.json"));
    assert_int_equal(run_post("out/solve", true), ERR_INPUT);
    if (!strstr(status_message(), sentence))
        fail_msg("'%s' lacks '%s'", status_message(), sentence);
    assert_false(file_exists(temp_path("out/post/post.json")));
    status_clear();
}

static void bad_inputs_are_refused(void **state) {
    lattice l, other;
    fields f;
    make_run(&l, &f);
    write_solve("true", "steady", "null", 1, "\"fields\": [{\"file\": \"../case.yaml\", \"time_s\": 0}]");
    refuse("not a file name");
    write_solve("true", "steady", "null", 1, "\"fields\": []");
    refuse("lists no fields");
    write_solve("true", "pulsatile", "1", 1,
                "\"fields_mean\": \"fields.vtkhdf\", \"fields\": [{\"file\": \"fields.vtkhdf\", \"time_s\": 0}]");
    refuse("at least 3");
    temp_text("out/solve/solve.json", "{\"stage\": \"solve\"}");
    refuse("has no \"result\"");
    fields_free(&f);
    make_run(&other, &f); /* back to good files ... */
    assert_int_equal(lattice_file_write(temp_path("out/mesh/lattice.h5"), &other), OK);
    surface far;
    post_pipe away = PIPE;
    away.point_mm[0] += 40;
    post_pipe_surface(&away, 40, 0, &far);
    assert_int_equal(surface_write(temp_path("out/mesh/surface.vtp"), &far, 0, NULL), OK); /* ... but for the surface */
    refuse("no triangle of the surface lies at the wall");
    remove(temp_path("out/mesh/surface.vtp"));
    refuse("surface.vtp' is missing; run mesh first");
    surface_free(&far);
    fields_free(&f);
    lattice_free(&l);
    lattice_free(&other);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady),
        cmocka_unit_test(pulsatile),
        cmocka_unit_test(instants_of_the_cycle),
        cmocka_unit_test(eddies_in_openings_are_told),
        cmocka_unit_test(unconverged_cannot_be_missed),
        cmocka_unit_test(bad_inputs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
