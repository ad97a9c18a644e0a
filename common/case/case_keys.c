/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of case.yaml, one table per block. CASE.md and CASE_FLOW.md explain each key; a test compares both pages
 * with the tables. Ranges are wide: they detect a wrong unit or decimal point, not an unusual patient. */
#include "common/case/case_reader.h"

/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses): members and initializers allow none */
#define AT(member) .offset = offsetof(case_file, member)
#define END        {0}
#define NUMBER(key, at, unit_kind, from, to) \
    {.name = key, .kind = KEY_QUANTITY, AT(at), .unit = unit_kind, .low = from, .high = to}
#define ABOVE(key, at, unit_kind, from, to) /* the value `from` itself is refused */ \
    {.name = key, .kind = KEY_QUANTITY, AT(at), .unit = unit_kind, .low = from, .high = to, .above = true}
#define INTEGER(key, at, from, to) {.name = key, .kind = KEY_INTEGER, AT(at), .low = from, .high = to}
#define CHOICE(key, at, words)     {.name = key, .kind = KEY_CHOICE, AT(at), .choices = words}
#define BLOCK(key, table)          {.name = key, .kind = KEY_BLOCK, .block = table}
#define FUNCTION(key, function)    {.name = key, .kind = KEY_FUNCTION, .read = function}
/* NOLINTEND(bugprone-macro-parentheses) */

static const case_key image_box_keys[] = {
    {.name = "low", .kind = KEY_POINT, AT(image.box_low)},
    {.name = "high", .kind = KEY_POINT, AT(image.box_high)},
    END};

static const case_key image_keys[] = {
    {.name = "path", .kind = KEY_PATH, AT(image.path)},
    {.name = "series", .kind = KEY_TEXT, AT(image.series)},
    ABOVE("crop", image.crop_mm, UNIT_LENGTH_MM, "0 mm", "1 m"),
    BLOCK("box", image_box_keys),
    END};

static const case_key edge_keys[] = {
    NUMBER("low", segment.edge_low, UNIT_NONE, "0", NULL),
    ABOVE("high", segment.edge_high, UNIT_NONE, "0", NULL),
    END};

static const case_key weight_keys[] = {
    NUMBER("propagation", segment.propagation, UNIT_NONE, "-100", "100"),
    NUMBER("curvature", segment.curvature, UNIT_NONE, "0", "100"),
    NUMBER("advection", segment.advection, UNIT_NONE, "0", "100"),
    END};

static const case_key threshold_keys[] = {
    NUMBER("low", segment.threshold_low, UNIT_NONE, NULL, NULL),
    NUMBER("high", segment.threshold_high, UNIT_NONE, NULL, NULL),
    END};

static const case_key labels_keys[] = {
    {.name = "path", .kind = KEY_PATH, AT(segment.labels_path)},
    FUNCTION("values", case_read_label_values),
    END};

static const case_key surface_keys[] = {
    {.name = "path", .kind = KEY_PATH, AT(segment.surface_path)},
    FUNCTION("unit", case_read_surface_unit),
    CHOICE("frame", segment.surface_space, "RAS|LPS"), /* indexed by enum case_space */
    END};

static const case_key segment_keys[] = {
    CHOICE("method", segment.method, "level-set|labels|surface|treated"),
    CHOICE("engine", segment.engine, "lbm|itk"), /* indexed by enum case_engine */
    FUNCTION("seeds", case_read_seeds),
    CHOICE("vessel", segment.vessel, "auto|bright|dark"),
    NUMBER("smoothing", segment.smoothing_mm, UNIT_LENGTH_MM, "0 mm", "20 mm"),
    BLOCK("edge", edge_keys),
    BLOCK("weights", weight_keys),
    BLOCK("threshold", threshold_keys),
    INTEGER("iterations", segment.iterations, "1", "100000"),
    INTEGER("side_branches", segment.side_branches, "0", "9"),
    {.name = "bridge_signal_loss", .kind = KEY_BOOL, AT(segment.bridge_signal_loss)},
    ABOVE("max_volume", segment.max_volume_ml, UNIT_VOLUME_ML, "0 mL", "10 L"),
    BLOCK("labels", labels_keys),
    BLOCK("surface", surface_keys),
    {.name = "before", .kind = KEY_PATH, AT(segment.before_path)},
    END};

static const case_key blood_keys[] = {
    NUMBER("density", blood.density_kg_m3, UNIT_DENSITY_KG_M3, "100 kg/m3", "5000 kg/m3"),
    NUMBER("viscosity", blood.viscosity_pa_s, UNIT_VISCOSITY_PA_S, "0.01 mPa s", "1 Pa s"),
    CHOICE("model", blood.model, VISCOSITY_MODELS),
    CHOICE("set", blood.set, VISCOSITY_SETS),
    NUMBER("hematocrit", blood.hematocrit, UNIT_SHARE, "20 %", "65 %"),
    END};

static const case_key box_keys[] = {
    {.name = "low", .kind = KEY_POINT, AT(mesh.box_low_mm)},
    {.name = "high", .kind = KEY_POINT, AT(mesh.box_high_mm)},
    END};

static const case_key before_keys[] = {
    NUMBER("spacing", mesh.before_spacing_mm, UNIT_LENGTH_MM, "1 um", "100 mm"),
    {.name = "low", .kind = KEY_POINT, AT(mesh.before_low_mm)},
    {.name = "high", .kind = KEY_POINT, AT(mesh.before_high_mm)},
    END};

static const case_key mesh_keys[] = {
    NUMBER("spacing", mesh.spacing_mm, UNIT_LENGTH_MM, "1 um", "100 mm"),
    NUMBER("cells_per_diameter", mesh.cells_per_diameter, UNIT_NONE, "2", "2000"),
    NUMBER("max_cells", mesh.max_cells, UNIT_NONE, "1e4", "2e9"),
    INTEGER("grid_levels", mesh.grid_levels, "1", "4"),
    {.name = "fast", .kind = KEY_BOOL, AT(mesh.fast)},
    NUMBER("wall_uncertainty", mesh.wall_uncertainty_mm, UNIT_LENGTH_MM, "0 mm", "20 mm"),
    FUNCTION("shape", case_read_shape),
    BLOCK("box", box_keys),
    FUNCTION("periodic", case_read_periodic),
    BLOCK("before", before_keys),
    END};

static const case_key heat_keys[] = {
    ABOVE("diffusivity", solve.heat.diffusivity_m2_s, UNIT_DIFFUSIVITY_M2_S, "0 m2/s", "0.001 m2/s"),
    NUMBER("expansion", solve.heat.expansion_1_k, UNIT_EXPANSION_1_K, "-0.1 1/K", "0.1 1/K"),
    NUMBER("reference", solve.heat.reference_c, UNIT_TEMPERATURE_C, "-100 degC", "1000 degC"),
    {.name = "gravity", .kind = KEY_POINT, AT(solve.heat.gravity_m_s2)},
    END};

static const case_key solve_keys[] = {
    CHOICE("mode", solve.mode, "steady|pulsatile"),
    CHOICE("wall", solve.wall, "interpolated|vlbm"),
    CHOICE("opening", solve.opening, "half-way|zou-he"),
    CHOICE("collision", solve.collision, "auto|trt|bgk|cumulant"),
    CHOICE("precision", solve.precision, "float|double|half"),
    CHOICE("acceleration", solve.acceleration, "anderson|none"),
    ABOVE("tolerance", solve.tolerance, UNIT_NONE, "0", "0.1"),
    FUNCTION("accuracy", case_read_accuracy),
    INTEGER("max_steps", solve.max_steps, "1", "2000000000"),
    ABOVE("max_lattice_velocity", solve.max_lattice_velocity, UNIT_NONE, "0", "0.3"),
    ABOVE("tau", solve.tau, UNIT_NONE, "0.5", "2"),
    ABOVE("time_step", solve.dt_s, UNIT_TIME_S, "0 s", "10 s"),
    INTEGER("cycles", solve.cycles, "1", "1000"),
    INTEGER("stores", solve.stores, "3", "1000"),
    NUMBER("period", solve.period_s, UNIT_TIME_S, "1 ms", "1000 s"),
    FUNCTION("force", case_read_force),
    INTEGER("monitor_every", solve.monitor_every, "1", "1000000"),
    NUMBER("checkpoint", solve.checkpoint_s, UNIT_TIME_S, "0 s", "1000000 s"),
    {.name = "accept_unconverged", .kind = KEY_BOOL, AT(solve.accept_unconverged)},
    BLOCK("heat", heat_keys),
    END};

static const case_key post_keys[] = {
    FUNCTION("instants", case_read_instants),
    {.name = "nifti", .kind = KEY_BOOL, AT(post.nifti)},
    ABOVE("nusselt_length", post.nusselt_length_mm, UNIT_LENGTH_MM, "0 mm", "1 m"),
    END};

const case_key case_keys[] = {
    {.name = "name", .kind = KEY_TEXT, AT(name)},
    CHOICE("space", space, "RAS|LPS|voxel"),
    BLOCK("image", image_keys),
    BLOCK("segment", segment_keys),
    FUNCTION("treat", case_read_treat),
    FUNCTION("openings", case_read_openings),
    FUNCTION("split", case_read_split),
    FUNCTION("sections", case_read_sections),
    FUNCTION("walls", case_read_walls),
    FUNCTION("porous", case_read_porous),
    BLOCK("blood", blood_keys),
    BLOCK("mesh", mesh_keys),
    BLOCK("solve", solve_keys),
    FUNCTION("readouts", case_read_readouts),
    BLOCK("post", post_keys),
    END};
/* clang-format on */
