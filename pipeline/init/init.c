/* SPDX-License-Identifier: Apache-2.0 */
/* The file case_template.c writes the text of the case. */
#include "pipeline/init/init.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/inspect/inspect_image.h"
#include "pipeline/inspect/patient_files.h"
#include "pipeline/init/case_template.h"
#include "pipeline/inspect/mask_names.h"
#include "pipeline/init/series.h"
#include "pipeline/setup/setup_write.h"
#include "pipeline/inspect/inspect_surface.h"
#include "pipeline/run/patient.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Finds the path from the patient's folder to `path`. The result is relative even for a file outside the folder,
 * because an absolute path could reveal the patient's name and would not hold on another machine. */
static int name_from_case(const char *dir, const char *path, char name[FILES_PATH_MAX]) {
    char *folder = realpath(dir, NULL), *file = realpath(path, NULL);
    int rc = OK;
    size_t common = 0, n = 0;
    if (!folder || !file)
        GIVE_UP(fail(ERR_INPUT, "cannot open '%s': there is no such file or folder; check the path", path));
    for (size_t k = 0; file[k] == folder[k] && file[k]; k++) /* position after the last '/' that all paths share */
        if (file[k] == '/')
            common = k;
    if (strcmp(file, folder) == 0) {
        rc = file_path(name, FILES_PATH_MAX, ".");
        goto cleanup;
    }
    if (strncmp(file, folder, strlen(folder)) == 0 && file[strlen(folder)] == '/')
        common = strlen(folder);
    name[0] = '\0';
    for (const char *up = folder + common; up && strlen(up) > 1 && n + 4 < FILES_PATH_MAX; up = strchr(up + 1, '/'))
        n += (size_t)snprintf(name + n, FILES_PATH_MAX - n, "../");
    rc = file_path(name + n, FILES_PATH_MAX - n, "%s", file + common + 1);
cleanup:
    free(folder);
    free(file);
    return rc;
}

/* Names the case after its folder. The name is "case" if case.yaml cannot hold the name of the folder. */
static void name_case(const char *dir, char name[CASE_CHOICE_NAME]) {
    char *folder = realpath(dir, NULL);
    const char *last = folder ? file_name(folder) : "";
    const bool good = *last && strlen(last) < CASE_CHOICE_NAME && patient_files_is_text(last);
    snprintf(name, CASE_CHOICE_NAME, "%s", good ? last : "case");
    free(folder);
}

/* Finds the mask of the liver if it is a separate file, such as "liver.nii.gz". */
static void find_liver(const patient_files *found, char name[FILES_PATH_MAX]) {
    for (int kind = FILES_IMAGE; kind <= FILES_MASK; kind++)
        for (int k = 0; k < found->n[kind]; k++)
            if (strncasecmp(file_name(found->name[kind][k]), "liver.", 6) == 0)
                snprintf(name, FILES_PATH_MAX, "%s", found->name[kind][k]);
}

/* Label of the liver in the mask; 0: none. */
static int find_liver_label(const vessel_ends *ends) {
    for (int k = 0; k < ends->n_label; k++)
        if (strcasecmp(ends->label[k].name, "liver") == 0)
            return ends->label[k].value;
    return 0;
}

/* Reads one image or mask: geometry, whether the values are labels, volume of its nonzero voxels. An unreadable image
 * is not an error here; `pipeline check` reports it. */
static void read_image_or_mask(const char *dir, const char *name, volume *v, bool *labels, double *filled_ml) {
    bool seen;
    char *path = file_join(dir, name);
    *labels = false;
    *filled_ml = NAN;
    if (!path || inspect_image_kind(path, v, &seen, labels, filled_ml) != OK)
        memset(v, 0, sizeof *v);
    free(path);
}

/* Prints "found image: x.nii (512 x 512 x 119 voxels of 0.74 x 0.74 x 1.6 mm)". An image that holds labels is moved to
 * the masks. An image or mask without any nonzero voxel is removed. */
static void list_images(const char *dir, patient_files *found) {
    static const int kinds[2] = {FILES_MASK, FILES_IMAGE};
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < found->n[kinds[pass]];) {
            char *name = found->name[kinds[pass]][k];
            volume v = {0};
            bool labels;
            double ml;
            read_image_or_mask(dir, name, &v, &labels, &ml);
            const bool moved = pass == 1 && labels && found->n[FILES_MASK] < FILES_MAX, empty = ml <= 0;
            printf("found %s: %s", labels || pass == 0 ? "mask" : "image", name);
            if (v.dims[0] > 0)
                printf(" (%d x %d x %d voxels of %.3g x %.3g x %.3g mm)", v.dims[0], v.dims[1], v.dims[2],
                       v.spacing_mm[0], v.spacing_mm[1], v.spacing_mm[2]);
            if (labels)
                printf(", %.4g mL", ml);
            printf("%s\n", empty   ? ": empty, all voxels are 0"
                           : moved ? ": separate regions of whole numbers, used as a mask"
                                   : "");
            /* a message of several lines lists the series of a folder, which are printed later */
            if (status_message()[0] != 0 && strchr(status_message(), '\n') == NULL)
                printf("note: %s\n", status_message());
            status_clear();
            volume_free(&v);
            if (empty)
                patient_files_remove(found, kinds[pass], k);
            else if (moved)
                patient_files_move(found, FILES_IMAGE, k, FILES_MASK);
            else
                k++;
        }
}

/* Reads and prints the points that the user placed in 3D Slicer. */
static void list_points(const char *dir, const patient_files *found, markups *points) {
    for (int k = 0; k < found->n[FILES_POINTS]; k++) {
        const char *name = found->name[FILES_POINTS][k];
        const int before = points->n;
        char *path = file_join(dir, name);
        if (path && markups_add(path, points) == OK)
            printf("found points: %s (%d points from 3D Slicer, in case.yaml as RAS)\n", name, points->n - before);
        else
            printf("note: %s\n", status_message());
        status_clear();
        free(path);
    }
}

/* Rank of a mask in the patient's folder by the name of its file and the names of its labels; the lowest is best. */
static int rank_mask(const char *dir, const char *name) {
    char *path = file_join(dir, name);
    const int rank = path ? inspect_image_mask_rank(path) : INT_MAX;
    free(path);
    return rank;
}

/* Chooses a mask: the best match with a portal vein, else with another vessel, else the first mask. */
static const char *choose_mask(const char *dir, const patient_files *found) {
    int best = 0, best_rank = INT_MAX;
    for (int k = 0; k < found->n[FILES_MASK]; k++) {
        const int rank = rank_mask(dir, found->name[FILES_MASK][k]);
        if (rank < best_rank) {
            best_rank = rank;
            best = k;
        }
    }
    return found->name[FILES_MASK][best];
}

/* Prints the surfaces found. An unreadable surface (a centerline, for example) is removed from the list if there is
 * another surface. */
static void list_surfaces(const char *dir, patient_files *found) {
    for (int k = 0; k < found->n[FILES_SURFACE];) {
        char *path = file_join(dir, found->name[FILES_SURFACE][k]);
        printf("found surface: %s\n", found->name[FILES_SURFACE][k]);
        const bool good = path && (isfinite(inspect_surface_about(path).longest) || status_message()[0] == 0);
        if (!good)
            printf("note: %s\n", status_message());
        status_clear();
        free(path);
        if (!good && found->n[FILES_SURFACE] > 1)
            patient_files_remove(found, FILES_SURFACE, k);
        else
            k++;
    }
}

static void print_rest(const patient_files *found) {
    for (int k = 0; k < found->n[FILES_WAVEFORM]; k++)
        printf("found waveform: %s\n", found->name[FILES_WAVEFORM][k]);
}

static const double ORGAN_ML = 1000; /* No vessel has a larger volume, not even the largest aortic aneurysm */

static void print_labels(const vessel_ends *ends) {
    for (int k = 0; k < ends->n_label; k++)
        printf("  label %d%s%s: %.4g mL%s\n", ends->label[k].value, ends->label[k].name[0] ? " " : "",
               ends->label[k].name, ends->label[k].volume_ml,
               ends->n_label > 1 && ends->label[k].chosen ? "   <- used" : "");
    bool chosen = ends->n_label == 0;
    double volume_ml = 0;
    for (int k = 0; k < ends->n_label; k++) {
        chosen = chosen || ends->label[k].chosen;
        volume_ml += ends->label[k].chosen ? ends->label[k].volume_ml : 0;
    }
    if (volume_ml > ORGAN_ML)
        printf("  %.4g mL is more than a vessel holds; this may be an organ: write the vessel's label into case.yaml\n",
               volume_ml);
    if (!chosen)
        printf("  cannot recognize the vessel among these labels: write its label into case.yaml\n");
}

/* Warns of the places where the vessel seems joined to another one. */
static void print_contacts(const found_vessel *v) {
    for (int k = 0; k < v->n_contact; k++)
        printf("%s[%.1f, %.1f, %.1f]", k == 0 ? "  two vessels seem joined near " : ", ", v->contact[k][0],
               v->contact[k][1], v->contact[k][2]);
    if (v->n_contact > 0)
        printf(" (RAS, mm), where the lumen is narrow: if they are two vessels, keep the ends of one only; if it is a "
               "narrowed branch, keep all\n");
}

/* Prints which of several files the case uses, and the vessels, ends and labels found in them. */
static void print_choice(const case_choice *c, const patient_files *found) {
    static const char *const word[] = {"image", "mask", "surface"};
    for (int kind = FILES_IMAGE; kind <= FILES_SURFACE; kind++) {
        const char *name = kind == FILES_IMAGE ? c->image : kind == FILES_MASK ? c->mask : c->surface;
        if (*name && found->n[kind] > 1)
            printf("using one of %d %ss: %s (to use another one, change case.yaml)\n", found->n[kind], word[kind],
                   name);
    }
    print_labels(&c->ends);
    const bool sure = c->mask[0] || c->surface[0];
    for (int k = 0; k < c->ends.n_vessel; k++)
        for (int i = 0; i < c->ends.vessel[k].n_hole; i++) {
            const vessel_end *e = &c->ends.vessel[k].hole[i];
            printf(
                "  hole of %.2g mm radius near [%.1f, %.1f, %.1f]: much narrower than the vessel, so not an opening\n",
                e->radius_mm, e->point[0], e->point[1], e->point[2]);
        }
    for (int k = 0; k < c->ends.n_vessel; k++) {
        printf("%s: %.0f mm long, %d end%s: %s\n",
               sure                     ? "vessel"
               : c->ends.vessel[k].edge ? "possible vessel, or edge of an organ or bone"
                                        : "possible vessel",
               c->ends.vessel[k].length_mm, c->ends.vessel[k].n_end, c->ends.vessel[k].n_end == 1 ? "" : "s",
               sure || k == 0    ? "openings proposed in case.yaml"
               : c->points.n > 0 ? "seeds proposed in case.yaml"
                                 : "seeds proposed in case.yaml; setup.html shows them with 'another vessel'");
        print_contacts(&c->ends.vessel[k]);
    }
    if (c->ends.n_bone > 0)
        printf("%d more look%s like bone (marrow in a brighter shell) and %s not proposed\n", c->ends.n_bone,
               c->ends.n_bone == 1 ? "s" : "", c->ends.n_bone == 1 ? "is" : "are");
}

/* Smallest and largest length (SHORT_MM, LONG_MM) and radius (THIN_MM, WIDE_MM) of a vessel in mm. They decide the unit
 * of a surface if exactly one unit gives such a size. */
enum { UM = 3 };
static const char *const UNIT[] = {"mm", "cm", "m", "um"};
static const double UNIT_MM[] = {1, 10, 1000, 1e-3}, SHORT_MM = 10, LONG_MM = 700, THIN_MM = 0.7, WIDE_MM = 20,
                    INCH_MM = 25.4,
                    /* upper limit of the size of a surface; equals LONGEST_MM of common/surface_vtk/surface_close.c */
    LONGEST_MM = 2000;

static bool is_vessel(double longest_mm, double radius_mm) {
    return longest_mm >= SHORT_MM && longest_mm <= LONG_MM && radius_mm >= THIN_MM && radius_mm <= WIDE_MM;
}

/* Finds the ends of the surface in the likeliest unit. If the file names no frame, the ends have x y z as in the
 * file. */
static int find_surface_ends(const patient *p, const char *path, case_choice *c) {
    const surface_about about = inspect_surface_about(path);
    status_clear(); /* the problems are already printed */
    int first = 0, chosen = -1, n = 0, rc;
    while (first < 2 && isfinite(about.longest) && about.longest * UNIT_MM[first] < SHORT_MM)
        first++;
    first = about.longest > LONGEST_MM ? UM : first;
    rc = vessel_ends_find(p->bin, path, NULL, UNIT[first], &c->ends);
    if (rc == OK && (c->ends.n_vessel == 0 || c->ends.hollow) && (about.longest < SHORT_MM || about.longest > LONG_MM))
        printf("  it is %.3g units long, but vessels are usually %g to %g mm long: if its unit is not mm, set unit in "
               "case.yaml\n",
               about.longest, SHORT_MM, LONG_MM);
    if (rc != OK || c->ends.n_vessel == 0)
        return rc;
    if (c->ends.hollow) { /* the thickness of a hollow wall does not show the unit, and its ends are no openings */
        c->ends.n_vessel = 0;
        printf(
            "  this surface is a hollow wall, between an outer and an inner surface: give the inner surface alone; no "
            "opening is proposed\n");
        return rc;
    }
    for (int u = UM; u >= 0; u--)
        if (is_vessel(about.longest * UNIT_MM[u], c->ends.vessel[0].radius_mm * UNIT_MM[u] / UNIT_MM[first])) {
            chosen = u;
            n++;
        }
    chosen = chosen >= 0 ? chosen : first;
    c->unit = UNIT[chosen];
    c->unit_sure = n == 1;
    c->frame = about.ras < 0 ? NULL : about.ras ? "RAS" : "LPS";
    vessel_ends_scale(&c->ends, UNIT_MM[chosen] / UNIT_MM[first], c->frame ? 1 : -1);
    printf("  %.3g units long, %.3g units wide: %s%s (%s)\n", about.longest,
           2 * c->ends.vessel[0].radius_mm / UNIT_MM[chosen], n == 1 ? "unit " : "unit ambiguous, proposed ", c->unit,
           n == 1 ? "no other unit gives the size of a vessel" : "set unit in case.yaml; the ends below assume it");
    if (is_vessel(about.longest * INCH_MM, c->ends.vessel[0].radius_mm * INCH_MM / UNIT_MM[chosen]))
        printf("  in inches it would also have the size of a vessel, %.3g mm long and %.3g wide: check its unit\n",
               about.longest * INCH_MM, 2 * c->ends.vessel[0].radius_mm * INCH_MM / UNIT_MM[chosen]);
    printf("  its frame: %s\n",
           c->frame ? c->frame : "not in the file; set it in case.yaml (VMTK: RAS; Slicer, SimVascular, ITK: LPS)");
    return OK;
}

/* Reads the geometry of the image, chooses its series, and finds the ends of the mask, surface or image that the case
 * uses. */
static int examine_choice(const patient *p, const char *series, volume *v, case_choice *c) {
    bool seen;
    int rc = OK;
    const char *name = c->mask[0] ? c->mask : c->surface[0] ? c->surface : c->image;
    char *path = *c->image ? file_join(p->dir, c->image) : NULL;
    if (path && inspect_image(path, NULL, false, v, &seen) != OK) {
        if (file_is_folder(path))
            TRY(series_choose(path, series, c->series));
        status_clear();
        if (!c->series[0] || inspect_image(path, c->series, false, v, &seen) != OK)
            memset(v, 0, sizeof *v);
        status_clear();
    } else if (path && file_is_folder(path)) {
        TRY(series_choose(path, NULL, c->series)); /* prints the series; c->series stays empty if there is only one */
    }
    if (series && !c->series[0])
        GIVE_UP(
            fail(ERR_INPUT, "--series: '%s' is not a DICOM folder with several series; leave out --series", c->image));
    free(path);
    path = *name ? file_join(p->dir, name) : NULL;
    if (path && c->surface[0])
        rc = find_surface_ends(p, path, c);
    else if (path)
        rc = vessel_ends_find(p->bin, path, c->series[0] ? c->series : NULL, NULL, &c->ends);
cleanup:
    free(path);
    return rc;
}

/* Writes setup.html with the points of an existing case.yaml for editing, if the case is readable. It never changes the
 * case.yaml. */
static int show_case(const patient *located, bool *shown) {
    patient p;
    char page[PATIENT_PATH_MAX], word[PATIENT_WORD_MAX], *text = NULL;
    int rc = OK;
    *shown = false;
    if (patient_open(located->dir, NULL, 0, &p) != OK) {
        status_clear(); /* problems of the case are found by `pipeline check` */
        goto cleanup;
    }
    TRY(patient_path(page, p.dir, "setup.html"));
    TRY(file_read(p.case_path, CASE_BYTES_MAX, &text, NULL));
    TRY(setup_write_case(page, &p, text, shown));
    if (!*shown)
        status_clear(); /* `pipeline check --picture` reports the cause */
    if (*shown)
        printf("%s is not changed\nwrote %s; open it in a browser, change seeds and openings, save over the "
               "case.yaml, then: pipeline check %s\n",
               p.case_path, page, patient_word(p.dir, word));
cleanup:
    free(text);
    patient_close(&p);
    return rc;
}

static void print_skipped(const patient_files *found) {
    if (found->unnamed > 0)
        printf("note: skipped %d files whose names hold a control character or are not UTF-8; rename them\n",
               found->unnamed);
    if (found->structure_sets > 0)
        printf("note: skipped %d DICOM structure set%s (RTSTRUCT): contours; to use one, export it in 3D Slicer as "
               "labelmap (NIfTI or NRRD)\n",
               found->structure_sets, found->structure_sets > 1 ? "s" : "");
}

/* Uses the image of --image. If this image holds labels, it is the mask, and the case gets method labels. */
static int choose_given(const patient *p, const char *image, case_choice *c) {
    volume v = {0};
    bool labels;
    double ml;
    const int rc = name_from_case(p->dir, image, c->image);
    if (rc != OK)
        return rc;
    read_image_or_mask(p->dir, c->image, &v, &labels, &ml);
    status_clear(); /* `pipeline check` reports an unreadable image */
    volume_free(&v);
    if (!labels)
        return OK;
    printf("%s holds labels: used as a mask\n", image);
    snprintf(c->mask, FILES_PATH_MAX, "%s", c->image);
    c->image[0] = 0;
    return OK;
}

/* Names the case, and chooses its image, mask and surface. image: from --image, NULL: none. */
static int choose_files(const patient *p, const char *image, const patient_files *found, case_choice *choice) {
    int rc = OK;
    name_case(p->dir, choice->name);
    if (image)
        TRY(choose_given(p, image, choice));
    if (!choice->image[0] && found->n[FILES_IMAGE] > 0)
        snprintf(choice->image, FILES_PATH_MAX, "%s", found->name[FILES_IMAGE][0]);
    if (!choice->mask[0] && found->n[FILES_MASK] > 0)
        snprintf(choice->mask, FILES_PATH_MAX, "%s", choose_mask(p->dir, found));
    else if (!choice->mask[0] && found->n[FILES_SURFACE] > 0 && !choice->image[0])
        snprintf(choice->surface, FILES_PATH_MAX, "%s", found->name[FILES_SURFACE][0]);
cleanup:
    return rc;
}

int init_patient(const char *dir, const char *image, const char *series) {
    char word[PATIENT_WORD_MAX];
    patient p;
    volume v = {0};
    patient_files *found = calloc(1, sizeof *found);
    case_choice *choice = calloc(1, sizeof *choice);
    char *text = NULL, page[PATIENT_PATH_MAX];
    bool written = false, shown = false;
    int rc = OK;
    if (!found || !choice)
        GIVE_UP(fail_memory("the list of files", sizeof *found + sizeof *choice));
    if (image && !file_exists(image)) /* checked before any file is written */
        GIVE_UP(fail(ERR_INPUT, "cannot open '%s': there is no such file or folder; check the path", image));
    TRY(file_create_folder(dir));
    TRY(patient_locate(dir, &p));
    if (file_exists(p.case_path)) {
        TRY(show_case(&p, &shown));
        if (!shown)
            rc = fail(ERR_OUTPUT, "'%s' already exists and is not changed; edit it, or move it away and repeat",
                      p.case_path);
        goto cleanup;
    }
    TRY(patient_files_find(p.dir, found));
    print_skipped(found);
    find_liver(found, choice->liver);
    const int organs = mask_names_remove_organs(found);
    if (organs > 0)
        printf("found %d masks whose names are organs, not vessels: not used\n", organs);
    list_images(p.dir, found);
    list_surfaces(p.dir, found);
    print_rest(found);
    list_points(p.dir, found, &choice->points);
    TRY(choose_files(&p, image, found, choice));
    TRY(examine_choice(&p, series, &v, choice));
    choice->liver_label = find_liver_label(&choice->ends);
    print_choice(choice, found);
    if (!choice->image[0] && !choice->mask[0] && !choice->surface[0])
        printf("no readable image, mask or surface was found: images and masks as NIfTI, NRRD, MetaImage or DICOM, "
               "surfaces as STL, VTP, PLY or VTK (FreeSurfer's .mgz: mri_convert a.mgz a.nii.gz)\n");
    TRY(case_template_write(choice, &v, found, &text));
    TRY(file_write(p.case_path, text, strlen(text)));
    if (choice->image[0] || choice->mask[0]) {
        TRY(patient_path(page, p.dir, "setup.html"));
        TRY(setup_write(page, p.dir, choice, &written));
    }
    if (written)
        printf("wrote %s; open it in a browser, click seeds and openings, save its case.yaml into the patient's "
               "folder\n",
               page);
    printf("wrote %s; %s every FILL-IN, then: pipeline check %s\n", p.case_path,
           written ? "if you do not use setup.html, replace" : "replace", patient_word(p.dir, word));
    printf("the case is named '%s', after its folder; this name appears in the report\n", choice->name);
cleanup:
    free(text);
    free(found);
    free(choice);
    volume_free(&v);
    return rc;
}
