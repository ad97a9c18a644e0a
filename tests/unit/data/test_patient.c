/* SPDX-License-Identifier: Apache-2.0 */
/* Files of synthetic patients: every kind's case.yaml and waveforms are read back by the readers of the stages. */
#include "common/case/case.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/waveform/waveform.h"
#include "data/phantom/eye.h"
#include "data/phantom/phantom_patient.h"
#include "data/phantom/pulse.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static void check_case(const phantom *p, const patient_settings *settings) {
    case_file c;
    unlink(temp_path("case.yaml"));
    assert_int_equal(patient_write_flow(p, temp_path(".")), OK);
    assert_int_equal(patient_write_case(p, settings, temp_path(".")), OK);
    if (case_read(temp_path("case.yaml"), 1, &c) != OK)
        fail_msg("%s", status_message());
    assert_int_equal(c.n_opening, p->n_opening);
    assert_true(c.blood.unknown == (settings->blood == VISCOSITY_UNKNOWN));
    assert_int_equal(c.blood.model, c.blood.unknown ? VISCOSITY_NEWTONIAN : settings->blood);
    for (int i = 0; i < c.n_opening; i++) {
        const phantom_opening *o = &p->opening[i];
        double point[3], normal[3];
        case_point_lps(&c, c.opening[i].point, NULL, point);
        case_vector_lps(&c, c.opening[i].normal, NULL, normal);
        assert_string_equal(c.opening[i].name, o->name);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(point[k] - o->point_mm[k]) < 1e-3);
            assert_true(fabs(normal[k] - o->normal[k]) < 1e-5);
        }
        if (o->inlet && !settings->pulsatile)
            assert_true(fabs(c.opening[i].value * 60e3 - o->flow_l_min) < 1e-5 * o->flow_l_min);
    }
    for (int i = 0; i < c.segment.n_seed; i++) {
        double point[3];
        case_point_lps(&c, c.segment.seed[i], NULL, point);
        assert_true(shape_distance_mm(&p->shape, point) < -0.9 * p->branch[i].radius_mm);
    }
    assert_int_equal(c.mesh.has_shape, settings->image == NULL);
    for (int i = 0; c.mesh.has_shape && i < 1000; i++) { /* the written shape is the phantom */
        double point[3];
        for (int k = 0; k < 3; k++)
            point[k] = p->low_mm[k] + (p->high_mm[k] - p->low_mm[k]) * fmod(i * (0.61803 + 0.13 * k), 1);
        assert_true(fabs(shape_distance_mm(&c.mesh.shape, point) - shape_distance_mm(&p->shape, point)) < 1e-3);
    }
    case_free(&c);
}

static void every_kind_has_a_valid_case(void **state) {
    (void)state;
    assert_int_equal(file_create_folder(temp_path("images")), OK);
    assert_int_equal(file_write(temp_path("images/a.nii"), "", 0), OK);
    for (int kind = 0; kind < PHANTOM_KINDS; kind++) {
        phantom p;
        assert_int_equal(phantom_make(kind, 1, &p), OK);
        for (int i = 0; i < 4; i++) {
            const patient_settings settings = {i & 1 ? NULL : "images/a.nii", 0, i & 2, VISCOSITY_NEWTONIAN};
            check_case(&p, &settings);
        }
    }
    for (int model = VISCOSITY_NEWTONIAN; model <= VISCOSITY_UNKNOWN; model++) {
        phantom p;
        const patient_settings settings = {NULL, 0, false, model};
        assert_int_equal(phantom_make(0, 1, &p), OK);
        check_case(&p, &settings);
    }
}

static void waveforms_have_their_mean_and_extremes(void **state) {
    (void)state;
    for (int kind = PULSE_VENOUS; kind <= PULSE_ARTERIAL; kind++) {
        waveform w;
        assert_int_equal(pulse_write(kind, 7, temp_path("a.csv")), OK);
        assert_int_equal(waveform_read(temp_path("a.csv"), &w), OK);
        assert_true(fabs(w.period_s - pulse_period_s(kind)) < 1e-4);
        assert_true(fabs(waveform_mean_m3_s(&w) / 7e-6 - 1) < 2e-3);
        for (int i = 0; i < 100; i++) {
            const double t = pulse_period_s(kind) * i / 100;
            assert_true(fabs(waveform_flow_m3_s(&w, t) / 7e-6 - pulse_value(kind, t)) < 0.02);
        }
        waveform_free(&w);
    }
    double low = INFINITY, high = 0, low_s = 0, high_s = 0, least = INFINITY, most = 0;
    for (int i = 0; i < 860; i++) {
        const double v = pulse_value(PULSE_VENOUS, i * 1e-3), a = pulse_value(PULSE_ARTERIAL, i * 1e-3);
        low_s = v < low ? i * 1e-3 : low_s;
        high_s = v > high ? i * 1e-3 : high_s;
        low = fmin(low, v);
        high = fmax(high, v);
        least = fmin(least, a);
        most = fmax(most, a);
    }
    assert_true(fabs(high_s - 0.07) < 2e-3 && fabs(low_s - 0.62) < 2e-3); /* as published for the portal vein */
    assert_true(fabs(most / least - 5.33) < 0.06);                        /* Reynolds numbers 533 and 100 */
}

static void truth_tells_the_volume(void **state) {
    (void)state;
    phantom p;
    char *text, *at;
    assert_int_equal(phantom_make(PHANTOM_TUBE, 1, &p), OK);
    assert_int_equal(patient_write_truth(&p, true, temp_path(".")), OK);
    assert_int_equal(file_read(temp_path("truth/truth.csv"), 10000, &text, NULL), OK);
    at = strstr(text, "lumen_volume,");
    assert_non_null(at);
    assert_true(fabs(strtod(at + 13, NULL) / (acos(-1) * 16 * 48) - 1) < 2e-3);
    free(text);
    assert_int_equal(file_read(temp_path("truth/centreline.csv"), 10000, &text, NULL), OK);
    assert_non_null(strstr(text, "TUBE,"));
    free(text);
}

/* The example that people copy is the portal phantom: names, points and flows must stay its own. */
static void demo_case_fits_its_phantom(void **state) {
    (void)state;
    phantom p;
    case_file c;
    assert_int_equal(phantom_make(PHANTOM_PORTAL, 1, &p), OK);
    if (case_read(PORTAFLOW_SOURCE_DIR "/data/portal-demo/case.yaml", 0, &c) != OK)
        fail_msg("%s", status_message());
    assert_int_equal(c.n_opening, p.n_opening);
    for (int i = 0; i < c.n_opening; i++)
        for (int j = 0; j < p.n_opening; j++) {
            const phantom_opening *o = &p.opening[j];
            double point[3];
            if (strcmp(c.opening[i].name, o->name) != 0)
                continue;
            case_point_lps(&c, c.opening[i].point, NULL, point);
            for (int k = 0; k < 3; k++)
                assert_true(fabs(point[k] - o->point_mm[k]) < 1);
            if (c.opening[i].condition == CONDITION_FLOW)
                assert_true(fabs(c.opening[i].value * 60e3 - o->flow_l_min) < 1e-9);
        }
    for (int i = 0; i < c.segment.n_seed; i++) {
        double point[3];
        case_point_lps(&c, c.segment.seed[i], NULL, point);
        assert_true(shape_distance_mm(&p.shape, point) < -2);
    }
    case_free(&c);
}

/* The mean place of a label. */
static void middle_of(const volume *v, int label, double p[3]) {
    double n = 0, sum[3] = {0}, at[3];
    for (int k = 0; k < v->dims[2]; k++)
        for (int j = 0; j < v->dims[1]; j++)
            for (int i = 0; i < v->dims[0]; i++) {
                if (lround((double)v->value[volume_index(v, i, j, k)]) != label)
                    continue;
                volume_to_lps(v, (const double[3]){i, j, k}, at);
                n++;
                for (int a = 0; a < 3; a++)
                    sum[a] += at[a];
            }
    assert_true(n > 0);
    for (int a = 0; a < 3; a++)
        p[a] = sum[a] / n;
}

/* As a head is held: the cornea before the lens, in labels and case, and gravity to the feet. */
static void the_eye_looks_to_the_front(void **state) {
    enum { CORNEA = 2, LENS = 4 };
    (void)state;
    double cornea[3], lens[3];
    case_file c;
    volume v = {0};
    assert_int_equal(eye_labels((const double[3]){0.5, 0.5, 0.5}, &v), OK);
    middle_of(&v, CORNEA, cornea);
    middle_of(&v, LENS, lens);
    assert_true(cornea[1] < lens[1] - 1); /* LPS: y to the back */
    assert_true(fabs(cornea[0] - lens[0]) < 0.3 && fabs(cornea[2] - lens[2]) < 0.3);
    volume_free(&v);
    unlink(temp_path("case.yaml"));
    assert_int_equal(eye_write_case(temp_path("."), NULL, 0), OK);
    assert_int_equal(case_read(temp_path("case.yaml"), 1, &c), OK);
    assert_true(c.solve.heat.gravity_m_s2[2] < -9 && fabs(c.solve.heat.gravity_m_s2[1]) < 1e-9);
    assert_true(shape_distance_mm(&c.mesh.shape, (const double[3]){0, -2, 0}) < 0); /* before the iris: fluid */
    assert_true(shape_distance_mm(&c.mesh.shape, (const double[3]){0, 2, 0}) > 0);  /* the lens */
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_valid_case), cmocka_unit_test(waveforms_have_their_mean_and_extremes),
        cmocka_unit_test(truth_tells_the_volume),      cmocka_unit_test(demo_case_fits_its_phantom),
        cmocka_unit_test(the_eye_looks_to_the_front),
    };
    return cmocka_run_group_tests_name("patient", tests, NULL, NULL);
}
