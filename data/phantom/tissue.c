/* SPDX-License-Identifier: Apache-2.0 */
/* Signals imitate a contrast-enhanced, fat-suppressed T1-weighted image of the abdomen, time of flight of the neck,
 * and gel around the tubes. They are chosen by eye relative to blood, not measured (SOURCES.md). */
#include "data/phantom/tissue.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

static void organ_add(tissue_map *map, const tissue_organ *organ, double scale) {
    tissue_organ *o = &map->organ[map->n_organ++];
    *o = *organ;
    for (int k = 0; k < 3; k++) {
        o->centre_mm[k] *= scale;
        o->half_mm[k] *= scale;
    }
}

void tissue_create(const phantom *p, double margin_mm, tissue_map *map) {
    static const tissue_organ belly[] = {{{-64, -6, 80}, {62, 48, 46}, 520},     /* liver */
                                         {{8, 54, 0}, {18, 14, INFINITY}, 240},  /* vertebrae */
                                         {{18, 33, 0}, {7, 7, INFINITY}, 860},   /* aorta */
                                         {{-18, 33, 0}, {10, 7, INFINITY}, 800}, /* inferior vena cava */
                                         {{24, -6, -8}, {34, 8, 10}, 470},       /* pancreas */
                                         {{2, -30, -45}, {30, 12, 26}, 330}};    /* bowel */
    static const tissue_organ neck[] = {{{14, -14, 0}, {8, 9, INFINITY}, 0},     /* windpipe, filled with air */
                                        /* jugular vein, with saturated signal */
                                        {{-16, 8, 0}, {5, 6, INFINITY}, 330}};
    const bool in_abdomen = p->kind == PHANTOM_PORTAL, in_neck = p->kind == PHANTOM_CAROTID;
    const double wide =
        /* larger than the image, because random vessels reach its corners */
        p->kind == PHANTOM_RANDOM ? 1.25 : 0.98;
    memset(map, 0, sizeof *map);
    for (int k = 0; k < 2; k++) {
        map->centre_mm[k] = (p->low_mm[k] + p->high_mm[k]) / 2;
        map->half_mm[k] = wide * ((p->high_mm[k] - p->low_mm[k]) / 2 + margin_mm);
    }
    map->body = in_abdomen ? 400 : in_neck ? 260 : 350;
    map->fat = in_abdomen || in_neck ? 170 : map->body;
    map->texture = in_abdomen || in_neck ? 0.06 : 0;
    if (in_abdomen)
        for (size_t i = 0; i < sizeof belly / sizeof *belly; i++)
            organ_add(map, &belly[i], p->scale);
    if (in_neck)
        for (size_t i = 0; i < sizeof neck / sizeof *neck; i++)
            organ_add(map, &neck[i], p->scale);
}

void tissue_create_scanner(const phantom *p, const scanner *by, uint64_t seed, double margin_mm, tissue_map *map) {
    memset(map, 0, sizeof *map);
    map->scanner = by;
    map->texture = by->slow;
    abdomen_create(p, seed, margin_mm, &map->around);
}

static bool organ_contains(const tissue_organ *o, const double p[3]) {
    double level = 0;
    for (int k = 0; k < 3; k++) {
        const double u = (p[k] - o->centre_mm[k]) / o->half_mm[k];
        level += u * u;
    }
    return level < 1;
}

double tissue_signal(const tissue_map *map, const double lps_mm[3]) {
    double level = 0;
    if (map->scanner)
        return map->scanner->signal[abdomen_tissue(&map->around, lps_mm)];
    for (int k = 0; k < 2; k++) {
        const double u = (lps_mm[k] - map->centre_mm[k]) / map->half_mm[k];
        level += u * u * u * u;
    }
    if (level >= 1)
        return 0;
    double signal = level > 0.7 ? map->fat : map->body;
    for (int i = 0; i < map->n_organ; i++)
        if (level <= 0.7 && organ_contains(&map->organ[i], lps_mm))
            signal = map->organ[i].signal;
    return signal;
}

double tissue_texture(const tissue_map *map, const double lps_mm[3]) {
    if (map->texture == 0)
        return 1;
    const double wave = sin(lps_mm[0] / 5.3 + lps_mm[1] / 7.1) + sin(lps_mm[1] / 4.7 - lps_mm[2] / 6.1 + 1) +
                        sin(lps_mm[2] / 5.9 + lps_mm[0] / 8.3 + 2);
    return 1 + map->texture * wave / 3;
}

double tissue_grain(const tissue_map *map, const double lps_mm[3]) {
    if (!map->scanner || abdomen_tissue(&map->around, lps_mm) != TISSUE_LIVER)
        return 0;
    return map->scanner->texture * abdomen_texture(&map->around, lps_mm);
}
