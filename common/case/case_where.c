/* See case_where.h. */
#include "common/case/case_where.h"
#include <math.h>
#include <stdio.h>

static double rounded(double mm) {
    return round(10 * mm) / 10 + 0.0; /* no -0.0 */
}

const char *case_where(const case_file *c, const double lps_mm[3], char text[CASE_WHERE]) {
    const bool ras = c->space == SPACE_RAS;
    const double turn = ras ? -1 : 1;
    snprintf(text, CASE_WHERE, "%s %.1f, %.1f, %.1f mm", ras ? "RAS" : "LPS", rounded(turn * lps_mm[0]),
             rounded(turn * lps_mm[1]), rounded(lps_mm[2]));
    return text;
}
