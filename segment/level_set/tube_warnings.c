/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/level_set/tube_warnings.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/vec.h"
#include "segment/level_set/level_set_constants.h"
#include "segment/vessel/plaque.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Report widenings that no tube follows. Each needs a check by a person. */
static void warn_of_sacs(level_set_report *r, const tube *t) {
    r->n_sac = t->n_found;
    memcpy(r->sac, t->found, sizeof r->sac);
    for (int k = 0; k < t->n_found; k++) {
        const tube_sac *s = &t->found[k];
        if (s->taken)
            message_warn_serious(
                "the vessel widens from %.2g to %.3g mm in radius near [%.1f, %.1f, %.1f] (LPS), and "
                "no wall separates the widening (%.3g mL) from the vessel: included as an aneurysm; "
                "if the widening is an organ or a touching vessel, draw a mask (segment.method: labels)",
                s->vessel_mm, s->radius_mm, s->at_mm[0], s->at_mm[1], s->at_mm[2], s->volume_mm3 / 1000);
        else
            message_warn_serious(
                "near [%.1f, %.1f, %.1f] (LPS) a structure %.3g mm in radius, as bright as the vessel (%.2g mm in "
                "radius), has no visible wall towards the vessel: the structure is not included, and the lumen's wall "
                "there is a guess; if the structure is an aneurysm of the vessel, put a seed into its middle",
                s->at_mm[0], s->at_mm[1], s->at_mm[2], s->radius_mm, s->vessel_mm);
    }
    r->n_sac_unlisted = t->n_unlisted;
    if (t->n_unlisted > 0)
        message_warn_serious("%d more widenings of this kind are not listed (%d are): check the picture qc.png",
                             t->n_unlisted, t->n_found);
}

/* Report structures that a neck below the resolution of sac.h may join to the vessel. */
static void warn_of_pouches(level_set_report *r, const tube *t) {
    r->n_pouch = t->n_pouch;
    memcpy(r->pouch, t->pouch, sizeof r->pouch);
    for (int k = 0; k < t->n_pouch; k++) {
        const tube_pouch *p = &t->pouch[k];
        if (p->narrow)
            message_warn_serious(
                "near [%.1f, %.1f, %.1f] (LPS) a round structure of %.3g mL, as bright as the vessel, touches the "
                "vessel (radius %.2g mm) in a narrow contact: the structure is not included; if it is an aneurysm "
                "with a narrow neck, draw a mask (segment.method: labels)",
                p->at_mm[0], p->at_mm[1], p->at_mm[2], p->volume_mm3 / 1000, p->vessel_mm);
        else
            message_info(
                "near [%.1f, %.1f, %.1f] (LPS) a round structure of %.3g mL, as bright as the vessel, lies against the "
                "vessel's wall: the structure is not included, because it is probably an organ; check it in qc.png",
                p->at_mm[0], p->at_mm[1], p->at_mm[2], p->volume_mm3 / 1000);
    }
    if (t->n_pouch_unlisted > 0)
        message_warn(
            "%d other structures next to the vessel, also round and bright, are not listed; check them in qc.png",
            t->n_pouch_unlisted);
}

/* Intensity of blood near node i, among the nodes `from` .. `to` - 1: a low quantile along the vessel, which a short
 * plaque does not raise. */
static double blood_nearby(const tube *t, int from, int to, int i) {
    enum { MOST = 400 };
    double inside[MOST];
    int n = 0;
    for (int k = from; k < to && n < MOST; k++)
        if (vec_distance(t->node[k].at_mm, t->node[i].at_mm) < NEARBY_RADII * t->node[i].radius_mm)
            inside[n++] = t->node[k].inside;
    qsort(inside, (size_t)n, sizeof *inside, order_double);
    return n > 0 ? inside[n / 4] : t->node[i].inside;
}

/* Fraction of the node's rays that meet something brighter than blood near the wall: beyond the wall, or within it,
 * because the blur of thin material may look like blood. blood: intensity of nearby blood. */
static double bright_part(const front *f, const tube_node *t, double blood) {
    enum { SAMPLES = 6 };
    const volume *image = f->with_plaque.value != NULL ? &f->with_plaque : &f->cropped;
    const double thin = volume_thinnest_mm(image);
    const double contrast = t->inside - t->outside, noises = BRIGHTER_NOISES * f->seeds.bright.noise;
    const double most =
        fmin(t->inside + fmax(FAR_BRIGHTER * contrast, noises), blood + fmax(PLAQUE_BRIGHTER * contrast, noises));
    int count = 0;
    for (int r = 0; r < TUBE_RAYS; r++) {
        const double angle = 2 * M_PI * r / TUBE_RAYS;
        bool bright = false;
        for (int s = 0; s < SAMPLES && !bright; s++) {
            const double low = WITHIN_PART * t->wall_mm[r], high = t->wall_mm[r] + BESIDE_VOXELS * thin;
            const double far = low + (high - low) * s / (SAMPLES - 1.0);
            double p[3];
            for (int a = 0; a < 3; a++)
                p[a] = t->at_mm[a] + far * (cos(angle) * t->across[0][a] + sin(angle) * t->across[1][a]);
            const double x = f->seeds.sign * volume_sample(image, p);
            bright = x > most ||
                     x - f->seeds.sign * volume_sample(&f->cropped, p) > PLAQUE_BRIGHTER * (t->inside - t->outside);
        }
        count += bright;
    }
    return count / (double)TUBE_RAYS;
}

/* Warn of bright material at the wall: plaque, a stent or bone hide the wall by their blur. The warning is serious in a
 * narrow vessel, where an error of half a voxel is large. */
static void warn_of_bright(front *f) {
    const double thin = volume_thinnest_mm(&f->cropped);
    level_set_report *r = f->report;
    const tube *t = &f->extent.tube;
    double longest = 0, narrow = INFINITY;
    r->bright_mm = 0;
    for (int k = 0; k < t->n_piece; k++) {
        int from, to;
        double run = 0;
        tube_between(t, k, &from, &to);
        for (int i = from; i + 1 < to; i++) {
            const double step = vec_distance(t->node[i].at_mm, t->node[i + 1].at_mm);
            const bool bright = bright_part(f, &t->node[i], blood_nearby(t, from, to, i)) >= BRIGHT_RAYS;
            run = bright ? run + step : 0;
            r->bright_mm += bright ? step : 0;
            narrow = bright ? fmin(narrow, t->node[i].radius_mm) : narrow;
            if (run <= longest)
                continue;
            longest = run;
            memcpy(r->bright_at_mm, t->node[i - (int)(0.5 * run / step)].at_mm, sizeof r->bright_at_mm);
        }
    }
    if (longest < thin) {
        r->bright_mm = 0;
        return;
    }
    (narrow < FEW_VOXELS * thin && longest > narrow ? message_warn_serious : message_warn)(
        "along %.1f mm near [%.1f, %.1f, %.1f] (LPS) something brighter than blood (CT: plaque, stent, bone, unmixed "
        "contrast; MRI: inflow, fat) touches the wall: the wall's position there is uncertain by half a voxel (%.2g "
        "mm; smallest radius %.2g mm), %s",
        r->bright_mm, r->bright_at_mm[0], r->bright_at_mm[1], r->bright_at_mm[2], 0.5 * thin, narrow,
        narrow < FEW_VOXELS * thin
            ? "too much for so narrow a vessel: pressures and wall shear stress there are a guess"
            : "check it in qc.png");
}

/* True if the image contains air. It is then a CT, where calcium is bright. */
static bool has_air(const volume *image) {
    const size_t n = volume_size(image);
    for (size_t i = 0; i < n; i++)
        if (image->value[i] < AIR_HU)
            return true;
    return false;
}

void tube_warnings_free_front(const volume *image, const front *f, const volume *level) {
    const seeds_statistics *s = &f->seeds.bright;
    const volume *v = &f->grid.evened;
    const double most = s->inside + fmax(FAR_BRIGHTER * (s->inside - s->outside), BRIGHTER_NOISES * s->noise);
    /* voxels: number of image voxels per voxel of the working grid */
    const double *h = image->spacing_mm, voxels = pow(f->grid.spacing_mm, 3) / (h[0] * h[1] * h[2]);
    double count = 0, brightest = most, place[3] = {0}, p[3];
    for (int k = 0; k < v->dims[2]; k++)
        for (int j = 0; j < v->dims[1]; j++)
            for (int i = 0; i < v->dims[0]; i++) {
                const double x = (double)v->value[volume_index(v, i, j, k)];
                if (x <= most)
                    continue;
                volume_to_lps(v, (const double[3]){i, j, k}, p);
                if (!volume_contains(level, p) || volume_sample(level, p) >= 0)
                    continue;
                count++;
                if (x > brightest)
                    memcpy(place, p, sizeof place);
                brightest = fmax(brightest, x);
            }
    if (count * voxels >= LEAST_BRIGHT)
        (has_air(image) ? message_warn_serious
                        : message_warn)("%.2g mL of the lumen are far brighter than the blood at the seeds, the "
                                        "brightest at [%.1f, %.1f, %.1f] (LPS): in MRI this may be inflow; calcified "
                                        "plaque, a stent or bone is not lumen: give the vessel's ends as openings",
                                        count * pow(f->grid.spacing_mm, 3) / 1000, place[0], place[1], place[2]);
}

void tube_warnings(front *f) {
    warn_of_sacs(f->report, &f->extent.tube);
    warn_of_pouches(f->report, &f->extent.tube);
    warn_of_bright(f);
}
