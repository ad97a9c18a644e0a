/* SPDX-License-Identifier: Apache-2.0 */
/* Which labels of a mask are taken for the vessel: class maps of TotalSegmentator without names, arteries and veins. */
#include "common/base/status.h"
#include "segment/ends/label_list.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 60 };

static volume draw(void) {
    volume v;
    const double mm[3] = {2, 2, 2}, origin[3] = {0, 0, 0};
    assert_int_equal(volume_create(&v, (int[3]){SIDE, SIDE, SIDE}, mm, origin, NULL), OK);
    return v;
}

/* So many voxels (8 uL each) of a label, in a row of its own. */
static void add(volume *v, int label, int n) {
    for (size_t i = 1; i < volume_size(v) && n > 0; i++)
        if (v->value[i] <= 0) {
            v->value[i] = (float)label;
            n--;
        }
}

/* The name of a label in a mask of all of 1..most; eight and nine of so many mL. */
static void names(int most, double eight_ml, double nine_ml, int value, const char *name) {
    static label_list list;
    volume v = draw();
    for (int k = 1; k <= most; k++)
        add(&v, k, k == 8 ? (int)(eight_ml * 125) : k == 9 ? (int)(nine_ml * 125) : 60);
    assert_int_equal(label_list_read("none.nii", &v, &list), OK);
    assert_string_equal(list.label[value - 1].name, name);
    if (name[0]) {
        assert_int_equal(label_list_choose_vessel(&list, &v), OK);
        for (int k = 0; k < list.n; k++)
            assert_int_equal(list.label[k].taken, list.label[k].value == value);
    }
    volume_free(&v);
}

static void class_maps(void **state) {
    (void)state;
    names(117, 4, 5, 64, "portal_vein_and_splenic_vein");
    names(104, 4, 5, 64, "portal_vein_and_splenic_vein"); /* version 2 of an abdomen */
    names(104, 60, 25, 9, "portal_vein_and_splenic_vein");
    names(104, 60, 25, 64, ""); /* a rib */
    names(50, 4, 5, 25, "portal_vein_and_splenic_vein");
    names(50, 60, 25, 25, ""); /* none of them */
    names(130, 4, 5, 64, "");
}

/* Of many labels without names none is taken. */
static void unknown(void **state) {
    (void)state;
    static label_list list;
    volume v = draw();
    for (int k = 1; k <= 12; k++)
        add(&v, k, 100);
    assert_int_equal(label_list_read("none.nii", &v, &list), OK);
    assert_int_equal(label_list_choose_vessel(&list, &v), OK);
    for (int k = 0; k < list.n; k++)
        assert_false(list.label[k].taken);
    assert_false(label_list_to_mask(&list, &v));
    volume_free(&v);
}

/* Which of n labels of these names are taken. */
static void takes(int n, const char *const *name, const bool *taken) {
    static label_list list;
    volume v = draw();
    for (int k = 0; k < n; k++)
        add(&v, k + 1, 100);
    assert_int_equal(label_list_read("none.nii", &v, &list), OK);
    for (int k = 0; k < n; k++)
        snprintf(list.label[k].name, LABEL_NAME_MAX, "%s", name[k]);
    assert_int_equal(label_list_choose_vessel(&list, &v), OK);
    for (int k = 0; k < n; k++)
        assert_int_equal(list.label[k].taken, taken[k]);
    volume_free(&v);
}

/* Aorta and vena cava are not one lumen, nor are aorta and pulmonary artery. */
static void arteries_or_veins(void **state) {
    (void)state;
    takes(4, (const char *const[]){"aorta", "inferior_vena_cava", "iliac_artery_left", "liver"},
          (const bool[]){true, false, true, false});
    takes(4, (const char *const[]){"heart_atrium_left", "pulmonary_artery", "aorta", "heart_myocardium"},
          (const bool[]){false, false, true, false});
    takes(3, (const char *const[]){"pulmonary_vein", "heart", "superior_vena_cava"},
          (const bool[]){false, false, true});
    takes(2, (const char *const[]){"heart_ventricle_right", "pulmonary_artery"}, (const bool[]){false, true});
    takes(3, (const char *const[]){"ventricle", "venous_sinuses", "cerebellum"}, (const bool[]){false, true, false});
    takes(3, (const char *const[]){"internal_jugular_vein_left", "internal_carotid_artery_left", "hyoid"},
          (const bool[]){false, true, false});
}

/* 0 nothing, 1 an organ, 2 the vessel that forks inside it: between its arms the organ is no wider than a vessel. */
static int organ_and_vessel(const double p[3]) {
    static const double to[4][3] = {{-42, 0, -52}, {38, 14, 22}, {-30, 30, 24}, {10, -34, 30}};
    double least = 1e9, out2 = 0;
    for (int k = 0; k < 4; k++) {
        double along = 0, length2 = 0, d2 = 0;
        for (int a = 0; a < 3; a++) {
            along += p[a] * to[k][a];
            length2 += to[k][a] * to[k][a];
        }
        along = fmin(1, fmax(0, along / length2));
        for (int a = 0; a < 3; a++)
            d2 += (p[a] - along * to[k][a]) * (p[a] - along * to[k][a]);
        least = fmin(least, d2);
    }
    for (int a = 0; a < 3; a++)
        out2 += p[a] * p[a] / (a == 0 ? 50. * 50 : 45. * 45);
    return least < 6 * 6 ? 2 : out2 < 1 && p[2] > -20 ? 1 : 0;
}

static void an_organ_with_its_vessels(void **state) {
    (void)state;
    static label_list list;
    volume v = draw();
    for (int k = 0; k < SIDE; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++)
                v.value[volume_index(&v, i, j, k)] =
                    (float)organ_and_vessel((const double[3]){2. * i - SIDE, 2. * j - SIDE, 2. * k - SIDE});
    assert_int_equal(label_list_read("none.nii", &v, &list), OK);
    assert_int_equal(list.n, 2);
    assert_int_equal(label_list_choose_vessel(&list, &v), OK);
    assert_false(list.label[0].taken);
    assert_true(list.label[1].taken);
    volume_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(class_maps), cmocka_unit_test(unknown),
                                       cmocka_unit_test(arteries_or_veins),
                                       cmocka_unit_test(an_organ_with_its_vessels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
