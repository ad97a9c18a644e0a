/* The keys of case.yaml: one table a block. README.md explains each; a test holds the two together.
 * Ranges are generous: they catch a wrong unit or a slipped decimal point, not an unusual patient. */
#include "common/case_reader.h"

#define AT(member) .offset = offsetof(case_file, member)
#define END                                                                                                            \
    { 0 }

/* clang-format off */
static const case_key image_keys[] = {
    {.name = "path", .kind = KEY_PATH, AT(image.path)},
    {.name = "series", .kind = KEY_TEXT, AT(image.series)},
    END};

static const case_key edge_keys[] = {
    {.name = "low", .kind = KEY_QUANTITY, AT(segment.edge_low), .unit = UNIT_NONE, .low = "0"},
    {.name = "high", .kind = KEY_QUANTITY, AT(segment.edge_high), .unit = UNIT_NONE, .low = "0", .above = true},
    END};

static const case_key weight_keys[] = {
    {.name = "propagation", .kind = KEY_QUANTITY, AT(segment.propagation), .unit = UNIT_NONE, .low = "-100", .high = "100"},
    {.name = "curvature", .kind = KEY_QUANTITY, AT(segment.curvature), .unit = UNIT_NONE, .low = "0", .high = "100"},
    {.name = "advection", .kind = KEY_QUANTITY, AT(segment.advection), .unit = UNIT_NONE, .low = "0", .high = "100"},
    END};

static const case_key threshold_keys[] = {
    {.name = "low", .kind = KEY_QUANTITY, AT(segment.threshold_low), .unit = UNIT_NONE},
    {.name = "high", .kind = KEY_QUANTITY, AT(segment.threshold_high), .unit = UNIT_NONE},
    END};

static const case_key labels_keys[] = {
    {.name = "path", .kind = KEY_PATH, AT(segment.labels_path)},
    {.name = "values", .kind = KEY_TAKE, .take = case_take_label_values},
    END};

static const case_key surface_keys[] = {
    {.name = "path", .kind = KEY_PATH, AT(segment.surface_path)},
    {.name = "unit", .kind = KEY_TAKE, .take = case_take_surface_unit},
    {.name = "frame", .kind = KEY_CHOICE, AT(segment.surface_space), .choices = "RAS|LPS"}, /* enum case_space */
    END};

static const case_key segment_keys[] = {
    {.name = "method", .kind = KEY_CHOICE, AT(segment.method), .choices = "level-set|labels|surface"},
    {.name = "seeds", .kind = KEY_TAKE, .take = case_take_seeds},
    {.name = "vessel", .kind = KEY_CHOICE, AT(segment.vessel), .choices = "auto|bright|dark"},
    {.name = "smoothing", .kind = KEY_QUANTITY, AT(segment.smoothing_mm), .unit = UNIT_LENGTH_MM, .low = "0 mm", .high = "20 mm"},
    {.name = "edge", .kind = KEY_BLOCK, .block = edge_keys},
    {.name = "weights", .kind = KEY_BLOCK, .block = weight_keys},
    {.name = "threshold", .kind = KEY_BLOCK, .block = threshold_keys},
    {.name = "iterations", .kind = KEY_INTEGER, AT(segment.iterations), .low = "1", .high = "100000"},
    {.name = "max_volume", .kind = KEY_QUANTITY, AT(segment.max_volume_ml), .unit = UNIT_VOLUME_ML, .low = "0 mL", .high = "10 L", .above = true},
    {.name = "labels", .kind = KEY_BLOCK, .block = labels_keys},
    {.name = "surface", .kind = KEY_BLOCK, .block = surface_keys},
    END};

static const case_key blood_keys[] = {
    {.name = "density", .kind = KEY_QUANTITY, AT(blood.density_kg_m3), .unit = UNIT_DENSITY_KG_M3, .low = "100 kg/m3", .high = "5000 kg/m3"},
    {.name = "viscosity", .kind = KEY_QUANTITY, AT(blood.viscosity_pa_s), .unit = UNIT_VISCOSITY_PA_S, .low = "0.01 mPa s", .high = "1 Pa s"},
    END};

static const case_key box_keys[] = {
    {.name = "low", .kind = KEY_POINT, AT(mesh.box_low_mm)},
    {.name = "high", .kind = KEY_POINT, AT(mesh.box_high_mm)},
    END};

static const case_key mesh_keys[] = {
    {.name = "spacing", .kind = KEY_QUANTITY, AT(mesh.spacing_mm), .unit = UNIT_LENGTH_MM, .low = "1 um", .high = "100 mm"},
    {.name = "cells_across", .kind = KEY_QUANTITY, AT(mesh.cells_across), .unit = UNIT_NONE, .low = "2", .high = "2000"},
    {.name = "shape", .kind = KEY_TAKE, .take = case_take_shape},
    {.name = "box", .kind = KEY_BLOCK, .block = box_keys},
    {.name = "periodic", .kind = KEY_TAKE, .take = case_take_periodic},
    END};

static const case_key solve_keys[] = {
    {.name = "mode", .kind = KEY_CHOICE, AT(solve.mode), .choices = "steady|pulsatile"},
    {.name = "wall", .kind = KEY_CHOICE, AT(solve.wall), .choices = "interpolated|vlbm"},
    {.name = "collision", .kind = KEY_CHOICE, AT(solve.collision), .choices = "trt|bgk"},
    {.name = "precision", .kind = KEY_CHOICE, AT(solve.precision), .choices = "float|double|half"},
    {.name = "tolerance", .kind = KEY_QUANTITY, AT(solve.tolerance), .unit = UNIT_NONE, .low = "0", .high = "0.1", .above = true},
    {.name = "max_steps", .kind = KEY_INTEGER, AT(solve.max_steps), .low = "1", .high = "2000000000"},
    {.name = "max_lattice_velocity", .kind = KEY_QUANTITY, AT(solve.max_lattice_velocity), .unit = UNIT_NONE, .low = "0", .high = "0.3", .above = true},
    {.name = "tau", .kind = KEY_QUANTITY, AT(solve.tau), .unit = UNIT_NONE, .low = "0.5", .high = "2", .above = true},
    {.name = "time_step", .kind = KEY_QUANTITY, AT(solve.dt_s), .unit = UNIT_TIME_S, .low = "0 s", .high = "10 s", .above = true},
    {.name = "cycles", .kind = KEY_INTEGER, AT(solve.cycles), .low = "1", .high = "1000"},
    {.name = "stores", .kind = KEY_INTEGER, AT(solve.stores), .low = "1", .high = "1000"},
    {.name = "period", .kind = KEY_QUANTITY, AT(solve.period_s), .unit = UNIT_TIME_S, .low = "1 ms", .high = "1000 s"},
    {.name = "force", .kind = KEY_TAKE, .take = case_take_force},
    {.name = "monitor_every", .kind = KEY_INTEGER, AT(solve.monitor_every), .low = "1", .high = "1000000"},
    {.name = "checkpoint", .kind = KEY_QUANTITY, AT(solve.checkpoint_s), .unit = UNIT_TIME_S, .low = "10 ms", .high = "1000000 s"},
    {.name = "accept_unconverged", .kind = KEY_BOOL, AT(solve.accept_unconverged)},
    END};

const case_key case_keys[] = {
    {.name = "name", .kind = KEY_TEXT, AT(name)},
    {.name = "space", .kind = KEY_CHOICE, AT(space), .choices = "RAS|LPS|voxel"},
    {.name = "image", .kind = KEY_BLOCK, .block = image_keys},
    {.name = "segment", .kind = KEY_BLOCK, .block = segment_keys},
    {.name = "openings", .kind = KEY_TAKE, .take = case_take_openings},
    {.name = "sections", .kind = KEY_TAKE, .take = case_take_sections},
    {.name = "blood", .kind = KEY_BLOCK, .block = blood_keys},
    {.name = "mesh", .kind = KEY_BLOCK, .block = mesh_keys},
    {.name = "solve", .kind = KEY_BLOCK, .block = solve_keys},
    {.name = "readouts", .kind = KEY_TAKE, .take = case_take_readouts},
    END};
/* clang-format on */
