/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of report_parts.h: perfusion of the liver by the model of two compartments. */
#include "common/base/units.h"
#include "common/base/vec.h"
#include "post/report/report_parts.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 150, COLUMNS = 200, PAGE = COLUMNS + 60, COLOURS = 64 };

/* Blue, green, yellow: a scale that stays ordered in grey. */
static void scale_colour(double t, char text[8]) {
    static const double stop[5][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    const int k = t < 1 ? (int)(4 * t) : 3;
    int rgb[3];
    for (int a = 0; a < 3; a++)
        rgb[a] = (int)(stop[k][a] + (4 * t - k) * (stop[k + 1][a] - stop[k][a]));
    snprintf(text, 8, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}

/* The coronal plane through the centre of the liver: its centre and the size of a pixel. */
typedef struct {
    double centre_mm[3], pixel_mm, low, high;
} plane;

static plane choose_plane(const perfusion *f) {
    plane s = {.low = INFINITY, .high = -INFINITY};
    double half_mm[3] = {0}, lps[3];
    for (int64_t i = 0; i < f->g.n; i++) {
        const double value = perfusion_of_cell(f, i);
        liver_grid_centre(&f->g, i, lps);
        vec_add(s.centre_mm, f->g.volume_mm3[i] / f->g.all_mm3, lps, s.centre_mm);
        s.low = fmin(s.low, value);
        s.high = fmax(s.high, value);
    }
    for (int64_t i = 0; i < f->g.n; i++) {
        liver_grid_centre(&f->g, i, lps);
        for (int a = 0; a < 3; a++)
            half_mm[a] = fmax(half_mm[a], fabs(lps[a] - s.centre_mm[a]) + f->g.spacing_mm[a]);
    }
    s.pixel_mm = 2 * fmax(half_mm[0] / COLUMNS, half_mm[2] / ROWS);
    if (!(s.high - s.low > 0.01 * s.high)) { /* a nearly uniform perfusion */
        s.low *= 0.99;
        s.high *= 1.01;
    }
    return s;
}

/* Cell at a pixel; -1: outside. The patient's right is on the left of the page. */
static int64_t cell_at(const perfusion *f, const plane *s, int column, int row) {
    const double lps[3] = {s->centre_mm[0] + (column + 0.5 - 0.5 * COLUMNS) * s->pixel_mm, s->centre_mm[1],
                           s->centre_mm[2] + (0.5 * ROWS - row - 0.5) * s->pixel_mm};
    double index[3];
    int at[3];
    if (!volume_contains(&f->g.image, lps))
        return -1;
    volume_to_index(&f->g.image, lps, index);
    for (int a = 0; a < 3; a++)
        at[a] = (int)fmin(fmax(lround(index[a]), 0), f->g.image.dims[a] - 1);
    return liver_grid_of_voxel(&f->g, at[0], at[1], at[2]);
}

static int colour_of(const perfusion *f, const plane *s, int64_t cell) {
    return cell < 0 ? -1 : (int)fmin((perfusion_of_cell(f, cell) - s->low) / (s->high - s->low) * COLOURS, COLOURS - 1);
}

/* One path for each colour, of runs of equal pixels; then the borders of the territories. */
static void draw_slice(html *h, const perfusion *f, const plane *s) {
    static int8_t colour[ROWS][COLUMNS];
    static int16_t branch[ROWS][COLUMNS];
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            const int64_t cell = cell_at(f, s, column, row);
            colour[row][column] = (int8_t)colour_of(f, s, cell);
            branch[row][column] = (int16_t)(cell < 0 ? -1 : perfusion_branch_of_cell(f, cell));
        }
    for (int c = 0; c < COLOURS; c++) {
        char text[8];
        scale_colour((c + 0.5) / COLOURS, text);
        html_add(h, "<path fill=\"%s\" d=\"", text);
        for (int row = 0; row < ROWS; row++)
            for (int column = 0, end; column < COLUMNS; column = end + 1) {
                for (end = column; end < COLUMNS && colour[row][end] == c; end++)
                    ;
                if (end > column)
                    html_add(h, "M%d %dh%dv1.1h-%d", column, row, end - column, end - column);
            }
        html_add(h, "\"/>");
    }
    html_add(h, "<path fill=\"none\" stroke=\"#fff\" stroke-width=\"0.8\" d=\"");
    for (int row = 0; row + 1 < ROWS; row++)
        for (int column = 0; column + 1 < COLUMNS; column++) {
            const int own = branch[row][column], right = branch[row][column + 1], below = branch[row + 1][column];
            if (own >= 0 && right >= 0 && own != right)
                html_add(h, "M%d %dv1", column + 1, row);
            if (own >= 0 && below >= 0 && own != below)
                html_add(h, "M%d %dh1", column, row + 1);
        }
    html_add(h, "\"/>");
}

static void draw_marks(html *h, const perfusion *f, const plane *s) {
    char text[8];
    for (int k = 0; k < f->n_branch; k++) {
        const double x = (f->branch[k].end_mm[0] - s->centre_mm[0]) / s->pixel_mm + 0.5 * COLUMNS,
                     y = 0.5 * ROWS - (f->branch[k].end_mm[2] - s->centre_mm[2]) / s->pixel_mm;
        html_add(h,
                 "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"#fff\" stroke=\"#111\"/><text x=\"%.1f\" y=\"%.1f\" "
                 "font-size=\"7\" text-anchor=\"middle\">%d</text>",
                 x, y, x, y + 2.5, f->branch[k].value);
    }
    for (int c = 0; c < COLOURS; c++) {
        scale_colour((c + 0.5) / COLOURS, text);
        html_add(h, "<rect x=\"%d\" y=\"%.2f\" width=\"8\" height=\"%.2f\" fill=\"%s\"/>", COLUMNS + 12,
                 20 + (COLOURS - 1 - c) * 110.0 / COLOURS, 110.0 / COLOURS + 0.3, text);
    }
    for (int k = 0; k <= 4; k++)
        html_add(h, "<text x=\"%d\" y=\"%.1f\" font-size=\"7\">%.3g</text>", COLUMNS + 23, 132.5 - 27.5 * k,
                 s->low + (s->high - s->low) * k / 4);
    html_add(h,
             "<text x=\"%d\" y=\"9\" font-size=\"7\">mL/min/mL</text><text x=\"%d\" y=\"15.5\" font-size=\"6\">modelled"
             "</text><path d=\"M4 %d h%.1f\" stroke=\"#111\" stroke-width=\"1.5\"/><text x=\"4\" y=\"%d\" "
             "font-size=\"6\">50 mm</text><text x=\"2\" y=\"10\" font-size=\"7\">R</text><text x=\"%d\" y=\"10\" "
             "font-size=\"7\">L</text>",
             COLUMNS + 4, COLUMNS + 4, ROWS - 3, 50 / s->pixel_mm, ROWS - 6, COLUMNS - 8);
}

static void add_slice(html *h, const perfusion *f) {
    const plane s = choose_plane(f);
    html_add(h, "<figure><svg viewBox=\"0 0 %d %d\" width=\"100%%\" role=\"img\"><g shape-rendering=\"crispEdges\">",
             PAGE, ROWS);
    draw_slice(h, f, &s);
    html_add(h, "</g>");
    draw_marks(h, f, &s);
    html_add(
        h,
        "</svg><figcaption>Portal perfusion in the coronal plane through the centre of the liver, <b>modelled</b>; "
        "white lines: borders between the branches with the largest shares; numbers: ends of the portal branches, "
        "projected on the plane. "
        "The scale starts at %.3g mL/min/mL.</figcaption></figure>\n",
        s.low);
}

static void add_parts(html *h, int n, const perfusion_part *part, bool branches) {
    html_add(h,
             "<table><caption>%s</caption><tr><th>%s</th><th>name</th><th class=\"n\">flow, mL/s</th><th "
             "class=\"n\">volume, mL</th><th class=\"n\">perfusion, mL/min/mL</th><th class=\"n\">modelled drop from "
             "%s to the hepatic veins, mmHg</th></tr>",
             branches ? "Territories of the portal branches. The flow is computed; volume, perfusion and drop are "
                        "modelled. Liver that several branches supply is divided among them by their shares of its "
                        "blood."
                      : "Labels of the liver: flow, perfusion and drop (mean over the label) are modelled",
             branches ? "number" : "label", branches ? "the end" : "the portal veins");
    for (int k = 0; k < n; k++) {
        html_add(h, "<tr class=\"modelled\"><td>%d</td>", part[k].value);
        html_text(h, "<td>", part[k].name, "</td>");
        html_value(h, "<td class=\"n\">", part[k].flow_ml_s, 3, NULL, "</td>");
        html_value(h, "<td class=\"n\">", part[k].volume_ml, 3, NULL, "</td>");
        html_value(h, "<td class=\"n\">", perfusion_ml_min_ml(part[k].flow_ml_s, part[k].volume_ml), 3, NULL, "</td>");
        html_value(h, "<td class=\"n\">", units_pa_to_mmhg(part[k].pressure_pa), 3, NULL, "</td>");
        html_add(h, "</tr>");
    }
    html_add(h, "</table>\n");
}

void report_add_liver(html *h, const report_input *in) {
    static const char *const name[] = {"portal", "hepatic"};
    const perfusion *f = in->r->perfusion;
    if (!f)
        return;
    const case_compartments *c = f->liver->compartments;
    html_add(h, "<h2>Perfusion of the liver by portal blood</h2>\n<p>");
    html_value(h, "Mean of the model: <span class=\"value\">", perfusion_ml_min_ml(f->flow_ml_s, 1e-3 * f->g.all_mm3),
               3, "mL/min/mL", "</span>");
    html_value(h, " of portal blood in ", 1e-3 * f->g.all_mm3, 4, "mL", " of liver. ");
    html_add(h, "<b>No perfusion was measured.</b>%s</p>\n<ul>",
             solution_unusable(in->r->solution) ? " <b>Not usable.</b>" : "");
    html_add(h, "<li><b>computed</b>: the flows of the portal branches</li><li><b>from the image</b>: the label of the "
                "liver</li><li><b>modelled</b>: Darcy flow in two compartments, the portal and the hepatic veins, with "
                "exchange by the lobule law; the values have no interval</li>");
    html_value(h, "<li><b>given in the case, measured or not</b>: pressure of the hepatic veins ",
               units_pa_to_mmhg(c->hepatic_pa), 3, "mmHg", "</li>");
    for (int k = 0; k < 2; k++)
        if (k == COMPARTMENT_PORTAL || c->n_end > 0)
            html_add(h, "<li><b>%s</b>: permeability of the %s compartment %.2g &plusmn; %.2g m&sup2;%s</li>",
                     c->permeability_given[k] ? "given in the case" : "assumed", name[k], c->permeability_m2[k].value,
                     c->permeability_m2[k].error, c->permeability_given[k] ? "" : "; no source measures it");
    html_add(h,
             "<li><b>assumed</b>: %sthe same lobules everywhere; each end feeds the liver within %g mm, %g to %g mm in "
             "the interval of the gradient; the hepatic "
             "artery adds its blood in proportion to the portal blood; the volume of the label is right within "
             "%.0f&nbsp;%%</li></ul>\n",
             c->n_end > 0 ? "" : "hepatic veins without resistance; ", COMPARTMENTS_END_MM, COMPARTMENTS_END_LOW_MM,
             COMPARTMENTS_END_HIGH_MM, 100 * f->liver->lobules.volume_ml.error / f->liver->lobules.volume_ml.value);
    html_value(h, "<p>Pressure drop from the portal ends to the hepatic veins: lobules ",
               units_pa_to_mmhg(1e-6 * f->lobules_pa_s_m3 * f->flow_ml_s), 3, "mmHg", "");
    html_value(h, ", portal compartment ", units_pa_to_mmhg(f->portal_loss_pa), 3, "mmHg", "");
    html_value(h, ", hepatic compartment ", units_pa_to_mmhg(f->hepatic_loss_pa), 3, "mmHg", ".</p>\n");
    html_add(h, "<p>The flows of the vessel do not react to this model.</p>\n");
    add_slice(h, f);
    add_parts(h, f->n_branch, f->branch, true);
    if (f->n_label > 0)
        add_parts(h, f->n_label, f->label, false);
}
