/* SPDX-License-Identifier: Apache-2.0 */
/* See vessel_files.h. The JSON object and the text are in vessel_report.c. */
#include "common/vessel/vessel_files.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>

static int count_points(const centerline *c) {
    int n = 0;
    for (int k = 0; k < c->n_branch; k++)
        n += c->branch[k].n;
    return n;
}

/* ------------------------------------------------------------------------------------------------------- VTP */

typedef double point_value(const centerline_point *p);

static double radius_of(const centerline_point *p) {
    return p->radius_mm;
}
static double abscissa_of(const centerline_point *p) {
    return p->abscissa_mm;
}
/* An unknown curvature is written as 0, because VTK cannot read "nan" in ASCII arrays. At such points Blanking is 1, or
 * the branch is straight. */
static double curvature_of(const centerline_point *p) {
    return isfinite(p->curvature_per_mm) ? p->curvature_per_mm : 0;
}
static double torsion_of(const centerline_point *p) {
    return isfinite(p->torsion_per_mm) ? p->torsion_per_mm : 0;
}
static double blank_of(const centerline_point *p) {
    return !p->own;
}

static void open_array(FILE *to, const char *type, const char *name, int components) {
    fprintf(to, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n", type, name,
            components);
}

static void write_point_array(FILE *to, const centerline *c, const char *name, point_value *value) {
    open_array(to, "Float64", name, 1);
    for (int k = 0; k < c->n_branch; k++)
        for (int i = 0; i < c->branch[k].n; i++)
            fprintf(to, "%.9g\n", value(&c->branch[k].point[i]));
    fputs("</DataArray>\n", to);
}

static void write_vectors(FILE *to, const centerline *c, const char *name, bool tangent) {
    open_array(to, "Float64", name, 3);
    for (int k = 0; k < c->n_branch; k++)
        for (int i = 0; i < c->branch[k].n; i++) {
            const centerline_point *p = &c->branch[k].point[i];
            const double *x = tangent ? p->tangent : p->at_mm;
            fprintf(to, "%.9g %.9g %.9g\n", x[0], x[1], x[2]);
        }
    fputs("</DataArray>\n", to);
}

enum cell_array { CELL_GROUP, CELL_PIECE, CELL_TRACT, CELL_BLANK };

static void write_cell_array(FILE *to, const centerline *c, const char *name, enum cell_array which) {
    open_array(to, "Int32", name, 1);
    for (int k = 0; k < c->n_branch; k++) {
        const centerline_branch_line *b = &c->branch[k];
        int own = 0;
        for (int i = 0; i < b->n; i++)
            own += b->point[i].own;
        const int value[] = {
            [CELL_GROUP] = k, [CELL_PIECE] = b->piece, [CELL_TRACT] = b->generation, [CELL_BLANK] = own == 0};
        fprintf(to, "%d\n", value[which]);
    }
    fputs("</DataArray>\n", to);
}

static void write_lines(FILE *to, const centerline *c) {
    fputs("<Lines>\n", to);
    open_array(to, "Int32", "connectivity", 1);
    for (int i = 0, n = count_points(c); i < n; i++)
        fprintf(to, "%d\n", i);
    fputs("</DataArray>\n", to);
    open_array(to, "Int32", "offsets", 1);
    for (int k = 0, n = 0; k < c->n_branch; k++)
        fprintf(to, "%d\n", n += c->branch[k].n);
    fputs("</DataArray>\n</Lines>\n", to);
}

int vessel_files_write_vtp(const vessel_table *t, const char *path) {
    const centerline *c = t->c;
    file_text text;
    int rc = file_text_open(&text, "the centerlines");
    if (rc != OK)
        return rc;
    FILE *to = text.to;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
          "<PolyData>\n<FieldData>\n"
          "<Array type=\"String\" Name=\"SPACE\" NumberOfTuples=\"1\" format=\"ascii\">\n76 80 83 0\n</Array>\n"
          "</FieldData>\n",
          to);
    fprintf(to,
            "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"0\">\n<PointData>\n",
            count_points(c), c->n_branch);
    write_point_array(to, c, "MaximumInscribedSphereRadius", radius_of);
    write_point_array(to, c, "Abscissas", abscissa_of);
    write_point_array(to, c, "Curvature", curvature_of);
    write_point_array(to, c, "Torsion", torsion_of);
    write_point_array(to, c, "Blanking", blank_of);
    write_vectors(to, c, "FrenetTangent", true);
    fputs("</PointData>\n<CellData>\n", to);
    write_cell_array(to, c, "GroupIds", CELL_GROUP);
    write_cell_array(to, c, "CenterlineIds", CELL_PIECE);
    write_cell_array(to, c, "TractIds", CELL_TRACT);
    write_cell_array(to, c, "Blanking", CELL_BLANK);
    fputs("</CellData>\n<Points>\n", to);
    write_vectors(to, c, "Points", false);
    fputs("</Points>\n", to);
    write_lines(to, c);
    fputs("</Piece>\n</PolyData>\n</VTKFile>\n", to);
    return file_text_write(&text, OK, path);
}

/* ------------------------------------------------------------------------------------------------------- CSV */

/* Writes a number; an unknown number becomes an empty field. */
static void write_field(FILE *to, double x) {
    if (isfinite(x))
        fprintf(to, ",%.9g", x);
    else
        fputc(',', to);
}

int vessel_files_write_points(const vessel_table *t, const char *path) {
    const centerline *c = t->c;
    file_text text;
    const int rc = file_text_open(&text, "the centerlines");
    if (rc != OK)
        return rc;
    fputs("branch,x_lps_mm,y_lps_mm,z_lps_mm,abscissa_mm,radius_mm,own,area_mm2,smallest_width_mm,largest_width_mm,"
          "curvature_per_mm,torsion_per_mm\n",
          text.to);
    for (int k = 0; k < c->n_branch; k++)
        for (int i = 0; i < c->branch[k].n; i++) {
            const centerline_point *p = &c->branch[k].point[i];
            const bool section = p->own && !p->section.open;
            fprintf(text.to, "%s,%.6f,%.6f,%.6f,%.6f,%.6f,%d", t->branch[k].name, p->at_mm[0], p->at_mm[1], p->at_mm[2],
                    p->abscissa_mm, p->radius_mm, p->own);
            write_field(text.to, section ? p->section.area_mm2 : NAN);
            write_field(text.to, section ? p->section.least_mm : NAN);
            write_field(text.to, section ? p->section.largest_mm : NAN);
            write_field(text.to, p->curvature_per_mm);
            write_field(text.to, p->torsion_per_mm);
            fputc('\n', text.to);
        }
    return file_text_write(&text, OK, path);
}

static void write_value(FILE *to, vessel_value v) {
    write_field(to, v.value);
    write_field(to, v.low);
    write_field(to, v.high);
}

static void write_extreme(FILE *to, const vessel_extreme *e) {
    write_value(to, e->of);
    write_field(to, e->at_mm);
}

int vessel_files_write_table(const vessel_table *t, const char *path) {
    file_text text;
    const int rc = file_text_open(&text, "the table of the vessel");
    if (rc != OK)
        return rc;
    FILE *to = text.to;
    fputs("branch,parent,generation,piece,side,length_mm,length_low_mm,length_high_mm,tortuosity,curvature_mean_per_mm,"
          "curvature_max_per_mm,torsion_mean_per_mm,diameter_mean_mm,diameter_mean_low_mm,diameter_mean_high_mm,"
          "diameter_min_mm,diameter_min_low_mm,diameter_min_high_mm,diameter_min_at_mm,area_mean_mm2,"
          "area_mean_low_mm2,area_mean_high_mm2,area_min_mm2,area_min_low_mm2,area_min_high_mm2,area_min_at_mm,taper,"
          "ellipticity,stenosis_percent,stenosis_low_percent,stenosis_high_percent,stenosis_at_mm,reference_mm,"
          "stenosis_area_percent,stenosis_area_low_percent,stenosis_area_high_percent,stenosis_area_at_mm\n",
          to);
    for (int k = 0; k < t->c->n_branch; k++) {
        const centerline_branch_line *b = &t->c->branch[k];
        const vessel_branch *v = &t->branch[k];
        fprintf(to, "%s,%s,%d,%d,%s", v->name, b->parent >= 0 ? t->branch[b->parent].name : "", b->generation,
                b->piece + 1, v->side);
        write_value(to, v->length_mm);
        write_field(to, v->tortuosity);
        write_field(to, v->curvature_mean_per_mm);
        write_field(to, v->curvature_max_per_mm);
        write_field(to, v->torsion_mean_per_mm);
        write_value(to, v->diameter_mean_mm);
        write_extreme(to, &v->diameter_min_mm);
        write_value(to, v->area_mean_mm2);
        write_extreme(to, &v->area_min_mm2);
        write_field(to, v->taper);
        write_field(to, v->ellipticity);
        write_extreme(to, &v->stenosis_percent);
        write_field(to, v->reference_mm);
        write_extreme(to, &v->stenosis_area_percent);
        fputc('\n', to);
    }
    return file_text_write(&text, OK, path);
}
