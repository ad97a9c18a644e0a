/* SPDX-License-Identifier: Apache-2.0 */
#include "common/image_file/length_unit.h"
#include "common/base/status.h"
#include <stddef.h>
#include <strings.h>

int length_unit_to_mm(const char *path, const char *key, const char *unit, double *unit_mm) {
    static const struct {
        const char *name;
        double mm;
    } units[] = {{"mm", 1},          {"millimeter", 1}, {"millimeters", 1},   {"millimetre", 1},
                 {"millimetres", 1}, {"cm", 10},        {"centimeter", 10},   {"centimeters", 10},
                 {"m", 1000},        {"meter", 1000},   {"meters", 1000},     {"metre", 1000},
                 {"metres", 1000},   {"um", 1e-3},      {"micrometer", 1e-3}, {"microns", 1e-3}};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcasecmp(unit, units[k].name) == 0) {
            *unit_mm = units[k].mm;
            return OK;
        }
    return fail(ERR_INPUT, "'%s': the unit '%s' is '%s', which is not one of mm, cm, m, um; export it again", path, key,
                unit);
}
