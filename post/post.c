/* SPDX-License-Identifier: Apache-2.0 */
#include "post/post.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/case/case_chain.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "common/base/steps.h"
#include "common/base/units.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int make_courses(post_work *p) {
    size_t n = (size_t)p->l.n_opening + 1;
    int(*pair)[2] = malloc(n * sizeof *pair), rc = OK;
    double *flow_ml_s = malloc(n * sizeof *flow_ml_s);
    p->course = calloc(n, sizeof *p->course);
    if (!pair || !flow_ml_s || !p->course)
        GIVE_UP(fail_memory("the course of the vessel", 64.0 * (double)n));
    for (int k = 0; k < p->l.n_opening; k++)
        flow_ml_s[k] = p->r.place[k].flow_ml_s;
    const int n_pair = course_pairs(&p->l, flow_ml_s, pair);
    p->n_course = n_pair;
    if (n_pair > 0)
        TRY(course_make(&p->s, &p->f, n_pair, (const int(*)[2])pair, p->course));
    for (int k = 0; k < n_pair; k++)
        if (p->course[k].n == 0)
            TRY(notes_add(&p->r.notes,
                          "no profile from '%s' to '%s': no lumen connects them, or the lumen between them is shorter "
                          "than a few cells",
                          p->l.opening[pair[k][0]].name, p->l.opening[pair[k][1]].name));
    if (n_pair == 0)
        TRY(notes_add(&p->r.notes, "profiles.csv has no rows: the model has no pair of inlet and outlet"));
cleanup:
    free(pair);
    free(flow_ml_s);
    return rc;
}

/* Computes the values along the branches. The wall shear stress of a pulsatile flow is TAWSS. */
static int measure_along(post_work *p) {
    int rc;
    TRY(along_measure(&p->s, &p->f, &p->w, p->tawss ? p->tawss : p->wss_magnitude, p->c.blood.density_kg_m3,
                      &p->branches, &p->along));
    if (p->along.n == 0)
        TRY(notes_add(&p->r.notes, "along.csv has no rows: %s",
                      p->branches.why[0] ? p->branches.why : "every branch is shorter than its width"));
cleanup:
    return rc;
}

/* Smallest share of the flow through the outlets that makes a missing branch important enough for a warning, chosen. */
static const double UNFED_SHARE = 0.1;

/* Estimated flow of a branch as a share of the flow through the outlets, by the cube law (Murray 1926). */
static double share_of_branch(const lattice *l, double diameter_mm) {
    double cubes = pow(diameter_mm, 3);
    for (int k = 0; k < l->n_opening; k++)
        if (l->opening[k].role == LATTICE_OUTLET)
            cubes += pow(2 * l->opening[k].radius_mm, 3);
    return pow(diameter_mm, 3) / cubes;
}

/* Finds the branches that are not part of the lumen, and warns of wide branches. At an opening with an extension, the
 * plane is moved back to the start of the extension. */
static int find_unfed_branches(post_work *p) {
    unfed_plane *plane = calloc((size_t)p->l.n_opening + 1, sizeof *plane);
    if (!plane)
        return fail_memory("the branches without flow", sizeof *plane * (double)p->l.n_opening);
    for (int k = 0; k < p->l.n_opening; k++) {
        const lattice_opening *o = &p->l.opening[k];
        const case_opening *given = case_find_opening(&p->c, o->name);
        plane[k].radius_mm = o->radius_mm;
        memcpy(plane[k].normal, o->normal, sizeof plane[k].normal);
        vec_add(o->centre_mm, given ? -given->extension_mm : 0, o->normal, plane[k].centre_mm);
    }
    p->r.n_unfed = unfed_branches_list(p->stage[REPORT_SEGMENT], p->l.n_opening, plane, p->r.unfed);
    for (int k = 0; k < p->r.n_unfed; k++) {
        const unfed_branch *b = &p->r.unfed[k];
        const double share = share_of_branch(&p->l, b->diameter_mm);
        const char *where = case_write_point(&p->c, b->point_mm, p->r.unfed_place[k]);
        if (share >= UNFED_SHARE && b->touches)
            message_warn_about("unfed_branch",
                               "a branch %.2g mm wide near %s, by its width about %.0f %% of the flow, is cut away; "
                               "it " UNFED_NARROW "; to include it, write segment: {side_branches: 1} and add "
                               "an opening at its end",
                               b->diameter_mm, where, 100 * share);
        else if (share >= UNFED_SHARE)
            message_warn_about("unfed_branch",
                               "a branch %.2g mm wide near %s is cut away, so no blood flows through it: by its width "
                               "it would carry about %.0f %% of the flow; include it (segment: {side_branches: 1}) and "
                               "give its end as an opening",
                               b->diameter_mm, where, 100 * share);
    }
    free(plane);
    return OK;
}

static void report_readouts(const post_work *p) {
    const readouts *r = &p->r;
    char a[READOUTS_SHOWN], b[READOUTS_SHOWN], c[READOUTS_SHOWN];
    for (int k = 0; k < r->n_opening + r->n_section; k++) {
        const place *at = &r->place[k];
        if (isfinite(at->flow_ml_s) && isfinite(at->pressure_pa))
            message_info("%s: %s mL/s, %s Pa (%s mmHg)", at->name, readouts_show(r, &at->flow_ml_s, 1, a),
                         readouts_show(r, &at->pressure_pa, 1, b),
                         readouts_show(r, &at->pressure_pa, units_pa_to_mmhg(1), c));
    }
    if (isfinite(r->wss.mean))
        message_info("wall shear stress: mean %s Pa, 99th percentile %s Pa over %.4g cm2",
                     readouts_show(r, &r->wss.mean, 1, a), readouts_show(r, &r->wss.p99, 1, b), r->wss.area_mm2 / 100);
}

static void work_free(post_work *p) {
    double *arrays[] = {p->wss, p->pressure, p->wss_magnitude, p->tawss, p->osi, p->rrt};
    for (int k = 0; k < 6; k++)
        free(arrays[k]);
    for (int k = 0; k < p->n_course; k++)
        course_free(&p->course[k]);
    free(p->course);
    along_free(&p->along);
    branches_free(&p->branches);
    for (int k = 0; k < REPORT_STAGES; k++)
        cJSON_Delete(p->stage[k]);
    instants_free(&p->shown);
    free(p->instant);
    free(p->section_point_mm);
    free(p->section_normal);
    monitors_free(&p->monitors);
    volume_free(&p->image);
    volume_free(&p->phi);
    readouts_free(&p->r);
    perfusion_free(&p->liver);
    wall_free(&p->w);
    sampler_free(&p->s);
    fields_free(&p->f);
    solution_free(&p->run);
    surface_free(&p->lumen);
    lattice_free(&p->l);
    case_free(&p->c);
    free(p);
}

int post_stage_run(const post_options *o) {
    char digest[17];
    cJSON *json = NULL;
    int rc, lock = -1;
    steps took; /* duration of each step, reported with --verbose */
    post_work *p = calloc(1, sizeof *p);
    if (!p)
        return fail_memory("post", sizeof *p);
    steps_start(&took);
    TRY(case_read_set(o->case_path, &o->set, CASE_WAVEFORMS, &p->c));
    case_digest(&p->c, "post", digest);
    json = provenance_start("post", o->argc, o->argv, digest);
    if (!json)
        GIVE_UP(fail_memory("post.json", 65536));
    TRY(case_chain_add_parts(&p->c, "post", json));
    TRY(file_create_folder(o->out));
    TRY(file_lock(o->out, &lock));
    TRY(inputs_read(o, p, json));
    steps_end(&took, "reading");
    TRY(liver_flow_compute(p, json));
    steps_end(&took, "liver");
    TRY(readouts_form(&p->c, &p->s, &p->f, &p->run, (const double(*)[3])p->section_point_mm,
                      (const double(*)[3])p->section_normal, &p->r));
    p->r.perfusion = p->liver.liver ? &p->liver : NULL;
    TRY(liver_flow_compare(p));
    if (p->r.pulsatile)
        p->r.peak = extremes_peak(p->r.n_opening, p->r.place, &p->c, &p->monitors, p->run.cycle_period_s);
    TRY(instants_take_sampling_error(&p->run, &p->monitors, &p->r));
    steps_end(&took, "sections");
    p->coarsest_mm = grid_sequence_coarsest_mm(p);
    TRY(wall_values_compute(p));
    steps_end(&took, "wall");
    readouts_take_error_bound(&p->c, p->stage[REPORT_MESH], p->stage[REPORT_SOLVE], &p->r);
    TRY(find_unfed_branches(p));
    TRY(grid_sequence_form_intervals(p, json));
    steps_end(&took, "grid sequence");
    TRY(make_courses(p));
    steps_end(&took, "along the vessel");
    TRY(measure_along(p));
    steps_end(&took, "along the branches");
    report_readouts(p);
    TRY(inputs_read_lumen_image(p, json));
    TRY(outputs_write(o, p, json));
    steps_end(&took, "files and pictures");
    message_info("report: %s/report.html", o->out);
    if (!p->run.converged && !p->c.solve.accept_unconverged)
        rc = fail(ERR_NUMERIC, "the flow did not converge: the numbers of the report must not be used; raise "
                               "solve.max_steps and run solve again");
cleanup:
    file_unlock(lock);
    cJSON_Delete(json);
    work_free(p);
    return rc;
}
