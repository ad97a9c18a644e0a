/* See report.h: the heat of each wall and opening. */
#include "post/report/report.h"
#include <math.h>

static void number(html *h, double value, int digits) {
    html_value(h, "<td class=\"n\">", value, digits, NULL, "</td>");
}

void report_add_heat(html *h, const report_input *in) {
    const wall_heat *r = in->r->heat;
    if (!r)
        return;
    html_value(
        h,
        "<div class=\"wide\"><table><caption>Heat into the fluid, over its density and heat capacity. The Nusselt "
        "number is the mean over the wall, in units of conduction over the length of ",
        r->length_mm, 3, "mm", " by the difference of ");
    html_value(h, "", r->difference_k, 3, "K", ". Prandtl number ");
    html_value(h, "", r->prandtl, 3, NULL, ", Rayleigh number of the widest passage ");
    html_value(h, "", r->rayleigh, 3, NULL, "; all walls and openings together ");
    html_value(h, "", 100 * r->balance, 2, "%", " from zero. The fluid is fastest at LPS ");
    for (int a = 0; a < 3; a++)
        html_add(h, "%s%.3g", a ? ", " : "", r->fastest_mm[a]);
    html_add(h, " mm.</caption><tr><th>name</th><th>kind</th><th class=\"n\">temperature, &deg;C</th><th "
                "class=\"n\">area, mm&sup2;</th><th class=\"n\">heat, K mm&sup3;/s</th><th class=\"n\">Nusselt "
                "number</th></tr>");
    for (int k = 0; k < r->n; k++) {
        const wall_heat_side *s = &r->side[k];
        html_text(h, "<tr><td>", s->name, "");
        html_add(h, "</td><td>%s</td>", s->wall ? "wall" : "opening");
        if (isfinite(s->temperature_c))
            number(h, s->temperature_c, 4);
        else
            html_add(h, "<td class=\"n\">%s</td>", s->wall ? "insulated" : "free");
        number(h, s->area_mm2, 3);
        number(h, s->heat_k_mm3_s, 3);
        number(h, s->nusselt, 3);
        html_add(h, "</tr>");
    }
    html_add(h, "</table></div>\n");
}
