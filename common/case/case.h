/* case.yaml: the description of a patient or test case, checked in one pass. Read with libyaml against one table of
 * keys. Unknown keys, missing units, values out of range and duplicates are reported together, each as "case.yaml:12:9:
 * ..." with the nearest valid key or the allowed range. Values that are not given are NaN (numbers), 0 (integers) or
 * NULL (texts), unless a default is named below. */
#ifndef PORTAFLOW_CASE_H
#define PORTAFLOW_CASE_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "common/lattice/lattice.h"
#include "common/surface/shape.h"
#include "common/base/units.h"
#include "common/image/volume.h"
#include <stdbool.h>

enum case_space { SPACE_RAS, SPACE_LPS, SPACE_VOXEL };
enum case_method { METHOD_LEVEL_SET, METHOD_LABELS, METHOD_SURFACE };
enum case_engine { ENGINE_LBM, ENGINE_ITK };
enum case_vessel { VESSEL_AUTO, VESSEL_BRIGHT, VESSEL_DARK };
enum case_role { ROLE_INLET, ROLE_OUTLET, ROLE_MOVING_WALL }; /* = enum lattice_role */
enum case_condition {
    CONDITION_FLOW,          /* flow: 0.6 L/min */
    CONDITION_WAVEFORM,      /* flow: {waveform: flow/sv.csv}  file with columns t_s, flow_ml_s, one period */
    CONDITION_VELOCITY_MEAN, /* velocity: {mean: 0.1 m/s} */
    CONDITION_VELOCITY_PEAK, /* velocity: {peak: 0.1 m/s} */
    CONDITION_PRESSURE,      /* pressure: 0 mmHg */
    CONDITION_DEVELOPED,     /* developed: true */
    CONDITION_VECTOR         /* moving_wall: velocity: {vector: [1, 0, 0] m/s written as {vector: [..], unit: m/s}} */
};
enum case_profile { PROFILE_DEVELOPED, PROFILE_PARABOLIC, PROFILE_PLUG };
enum case_wall { WALL_INTERPOLATED, WALL_VLBM };
enum case_opening_rule { OPENING_HALF_WAY, OPENING_ZOU_HE };
enum case_collision { COLLISION_TRT, COLLISION_BGK };
enum case_acceleration { ACCELERATION_ANDERSON, ACCELERATION_NONE };
enum case_precision { PRECISION_FLOAT, PRECISION_DOUBLE, PRECISION_HALF };
enum case_mode { MODE_STEADY, MODE_PULSATILE };
/* Ratio of spacings of successive levels of mesh.ladder. Roache asks for 1.3; with more than 1.4 the coarsest level has
 * too few cells. */
#define CASE_LADDER_RATIO 1.4
/* fewest cells per diameter at the minimum cross-section; a level with fewer is left out */
#define CASE_LADDER_LEAST_ACROSS 8

typedef struct {
    char *name;
    int role;
    double point[3]; /* as written, in the case's space */
    bool normal_auto;
    double normal[3];        /* as written (LPS or RAS axes), unit length, out of the vessel */
    double extension_mm;     /* straight extension beyond the opening plane; default 0 */
    double radius_mm;        /* radius of the opening plane around point; NaN: automatic */
    int condition;           /* enum case_condition */
    union {                  /* SI units; `condition` selects the member */
        double flow_m3_s;    /* CONDITION_FLOW, positive in the role's direction */
        double velocity_m_s; /* CONDITION_VELOCITY_MEAN, CONDITION_VELOCITY_PEAK */
        double pressure_pa;  /* CONDITION_PRESSURE */
        double value;        /* any of them, if the unit does not matter */
    };
    double value_error;   /* half-width of the 95 % interval in the same unit ("0.6 L/min +- 10 %"); 0: exact */
    double vector_m_s[3]; /* CONDITION_VECTOR, converted to LPS axes */
    double temperature_c; /* temperature of the inflow, with solve.heat; NaN: free outflow */
    char *waveform;       /* path, relative to the case file's folder */
    double period_s;      /* required period of the waveform; NaN: not given */
    int profile;          /* default PROFILE_DEVELOPED */
    int line;             /* line in the file, for messages */
} case_opening;

typedef struct {
    char *name;
    double point[3];
    bool normal_auto;
    double normal[3];
    int line;
} case_section;

/* A part of the wall: `part` of mesh.shape, near a surface, or next to voxels with a label. Without any of these: the
 * remaining wall. */
typedef struct {
    char *name, *part;
    int part_number; /* index by shape_part_number; LPS */
    char *surface_path;
    double surface_unit_mm; /* one of surface_units_mm; default 1 */
    int surface_space;      /* -1: not given */
    int label;              /* 0: none */
    double temperature_c;   /* NaN: not given */
    bool insulated;
    int line;
} case_wall_region;

typedef struct {
    enum { READOUT_PRESSURE_DROP, READOUT_PPG } kind;
    char *from, *to;         /* pressure_drop */
    char *portal, *cava;     /* ppg; cava may be NULL */
    double liver_resistance; /* Pa s/m3; NaN without a liver model */
    double liver_error;      /* half-width of the 95 % interval, Pa s/m3; 0: exact */
    int line;
} case_readout;

typedef struct {
    char *path;   /* as given to case_read */
    char *folder; /* folder of the case file, start of relative paths */
    char *name;
    int space;
    options_list set; /* applied --set options; owned */

    struct {
        char *path, *series;
        double crop_mm;                 /* margin around seeds and openings; NaN: not given */
        double box_low[3], box_high[3]; /* as written, in the case's space; NaN: not given */
        int line;                       /* line of the path in the file, for messages (see case_place) */
    } image;                            /* path NULL: no image (surface or shape cases) */

    struct {
        int method; /* enum case_method; -1 with mesh.shape */
        int n_seed;
        double (*seed)[3];                        /* as written, in the case's space */
        int *seed_line;                           /* [n_seed] */
        int engine;                               /* enum case_engine: lbm | itk */
        int vessel;                               /* vessel: auto | bright | dark */
        double smoothing_mm;                      /* denoising scale; NaN: from the image */
        double edge_low, edge_high;               /* gradient magnitudes with speed 1 and 0; NaN: from the image */
        double propagation, curvature, advection; /* weights of the geodesic active contour; NaN: defaults */
        double threshold_low, threshold_high;     /* intensity range of the level set; NaN: from the seeds */
        int iterations;                           /* 0: default */
        int side_branches;                        /* highest order of side branches to include; 0: none */
        double max_volume_ml;                     /* leak limit; NaN: default */
        char *labels_path;
        int labels_line, surface_line;
        int n_label_value;
        int *label_value; /* NULL: every non-zero value */
        char *surface_path;
        double surface_unit_mm; /* one of surface_units_mm; default 1 */
        int surface_space;      /* SPACE_LPS or SPACE_RAS: `frame: LPS|RAS`; -1: not given, the file may state it */
    } segment;

    int n_opening;
    case_opening *opening;
    int n_section;
    case_section *section;
    int n_wall; /* 0: a single wall */
    case_wall_region *wall;

    struct {
        double density_kg_m3, viscosity_pa_s;
    } blood; /* defaults 1060, 3.5e-3 */

    struct {
        double spacing_mm; /* NaN if cells_across is given */
        /* cells per diameter at the minimum cross-section; NaN: chosen from the flow */
        double cells_across;
        double max_cells; /* limit of cells for a spacing chosen from the flow; NaN: by device */
        /* number of grid levels; default 3; 1 for a shape, pulsatile flow, wall vlbm and heat */
        int ladder;
        /* half-width of the 95 % interval of the wall position; NaN: measured by segment */
        double wall_uncertainty_mm;
        /* mesh: {shape: {...}}: an analytic lumen instead of segment's signed distance */
        bool has_shape;
        shape shape;                          /* LPS mm */
        double box_low_mm[3], box_high_mm[3]; /* with a shape: bounding box, LPS */
        bool periodic[3];
    } mesh;

    struct {
        int mode, wall, opening, collision, precision, acceleration;
        double tolerance;      /* residual (solve/run/run.h) at which a steady run ends; default 1e-6 */
        bool tolerance_chosen; /* not given in the case: with mesh.ladder it may be larger (solve/start/start_flow.h) */
        int max_steps;         /* 0: default */
        double max_lattice_velocity; /* NaN: default */
        double tau;                  /* NaN: default */
        double dt_s;                 /* NaN: default */
        int cycles;                  /* pulsatile: default 3 */
        int stores;                  /* pulsatile: number of stored instants of the last cycle, default 20 */
        double period_s;             /* NaN: from the waveforms */
        double force_m_s2[3];        /* body force per mass, LPS; default 0 */
        int monitor_every;           /* 0: default */
        double checkpoint_s;         /* wall-clock seconds between checkpoints; default 60 */
        bool accept_unconverged;     /* default false: exit code 5 at the step limit */
        struct {
            bool on; /* the block solve.heat is given */
            double diffusivity_m2_s;
            double expansion_1_k;   /* 0: no buoyancy */
            double reference_c;     /* temperature of blood.density; NaN: middle of the prescribed temperatures */
            double gravity_m_s2[3]; /* LPS */
        } heat;
    } solve;

    int n_readout;
    case_readout *readout;

    struct {
        int n_instant;
        double *instant_s;        /* [n_instant] times in the cycle with a picture each; pulsatile only */
        bool nifti;               /* write maps of the flow on the grid of the image */
        double nusselt_length_mm; /* NaN: widest passage */
    } post;
} case_file;

/* Bit flags. CASE_FILES: also check that named files exist and waveforms parse. CASE_WAVEFORMS: waveforms only (images
 * and surfaces need not be on the machine that solves). CASE_LUMEN: openings may be missing, because they are chosen on
 * the lumen. CASE_KEEP: a case with problems is returned as far as it was read (refused points are NaN), for callers
 * that look for more problems. */
enum case_need { CASE_FILES = 1, CASE_LUMEN = 2, CASE_KEEP = 4, CASE_WAVEFORMS = 8 };

/* Reads and checks a case. `stage_files`: flags of case_need. Errors: ERR_INPUT, with one line per problem; *c is
 * zeroed then (unless CASE_KEEP). */
MUST_CHECK int case_read(const char *path, int stage_files, case_file *c);

/* As case_read, with --set options "KEY=VALUE" that replace values of the file. KEY: keys joined by '.', in a list the
 * name of an entry ("openings.SMV.flow"); VALUE: YAML as in the file; an empty value removes the key. They are checked
 * like the file; messages start with "--set KEY=VALUE". set may be NULL. Errors: as case_read. */
MUST_CHECK int case_read_set(const char *path, const options_list *set, int stage_files, case_file *c);
/* Entry of --set in a program's table of options. */
#define CASE_SET_HELP                                                                                                  \
    "replace a value of the case file, such as solve.wall=vlbm or openings.SMV.flow='0.6 L/min'; "                     \
    "an empty value removes the key; may be given several times"
#define CASE_SET_OPTION(list)                                                                                          \
    { "set", 0, OPTION_LIST, (list), "KEY=VALUE", CASE_SET_HELP, .required = false }

/* Place of a value, for the start of a message: "case.yaml:12" or "--set KEY=VALUE"; "case.yaml" for line 0. Returns
 * text[size]. */
const char *case_place(const case_file *c, int line, char *text, size_t size);
/* As case_place, without the folder, whose name may identify the patient: for warnings, which are recorded. Returns a
 * part of text. */
const char *case_line(const case_file *c, int line, char *text, size_t size);

/* As case_read, from a text of `size` bytes (text[size] must be readable). `path`: name in messages and folder of
 * relative paths. Errors: as case_read. */
MUST_CHECK int case_read_text(const char *text, size_t size, const char *path, int stage_files, case_file *c);
void case_free(case_file *c);

/* Path of a file named in the case, relative to the case's folder. Caller frees. NULL: out of memory. */
char *case_resolve(const case_file *c, const char *path);

/* Warns if the prescribed outflows exceed the inflows (NAN: unknown), so that blood enters through a pressure outlet.
 * `place`: start of the message, "" or "case.yaml: ". Returns true if it warned; silent for inlets with outflow, of
 * which case_warn_plausible warns. */
bool case_warn_supply(const case_file *c, const char *place, double in_ml_s, double out_ml_s);

/* Warns of values that are implausible for blood in a vessel (viscosity, density, pressures, flows, velocities,
 * periods), each with the usual range; of openings whose vessels end elsewhere in the body (SMV, SV, PV, RPV, LPV, CCA,
 * ICA, ECA), except with mesh.shape or solve.heat; of waveforms whose mean contradicts the role of the opening; and of
 * a tolerance that a developing flow meets. Returns the number of warnings. Ranges: case_plausible.c. */
int case_warn_plausible(const case_file *c);

/* True if the case drives a flow: a flow, velocity, pressure difference (`developed` counts as pressure 0) or force
 * that is not 0, or heat. An unreadable waveform counts as a flow. */
bool case_driven(const case_file *c);

/* Text such as "pressure drops come out up to about 35 % too high": upper bound of the error by numerical viscosity
 * (lattice/resolution.h; valid in straight vessels, a third or less in jets). If only pressures or a force drive the
 * flow: "flows come out up to about 26 % too low". */
enum { CASE_FRICTION = 80 };
const char *case_friction(const case_file *c, double friction, char text[CASE_FRICTION]);
/* True if an opening prescribes a flow or velocity: the result is pressure drops. False: the result is flows. */
bool case_gives_flow(const case_file *c);
/* Number of openings without a prescribed flow or velocity. */
int case_open_ends(const case_file *c);

/* Index of the inlet whose flow is the remainder of the others: steady flow, and the only opening without a prescribed
 * flow is an inlet with a pressure. -1: none, or with zou-he openings. */
int case_rest(const case_file *c);

/* True if the case sets the time step by solve.time_step, tau or max_lattice_velocity. */
bool case_gives_step(const case_file *c);

/* Flow into the vessel through opening k, of largest magnitude over the cycle (steady: mean of a waveform); NaN for a
 * pressure or `developed`; 0 for a moving wall. cut: the same opening of a lattice, for its area and, with a given peak
 * velocity, its profile. Errors: those of waveform_read. */
MUST_CHECK int case_flow_m3_s(const case_file *c, int k, const lattice_opening *cut, double *flow);

/* True for the wall entry that stands for the remaining wall. */
bool case_wall_is_rest(const case_wall_region *w);

/* Checksum of the part of the case that a stage depends on: "segment", "mesh", "solve" or "post" (16 hex digits).
 * Independent of comments, order of keys, and spelling of numbers and units; the order of openings, sections, seeds
 * and readouts counts. A waveform counts by its curve, other files by their name; their contents are inputs of the
 * stage. */
void case_digest(const case_file *c, const char *stage, char hex[17]);

/* Range [low, high] of voxels that the case selects: around seeds and openings (image.crop), a box (image.box), or all
 * (*cut false). Errors: ERR_INPUT (box outside the image, fewer than 3 voxels along an axis, or without a seed or
 * opening). */
MUST_CHECK int case_image_box(const case_file *c, const volume *image, int low[3], int high[3], bool *cut);

/* Image that defines voxel coordinates of `space: voxel`, as named in the case: `image`, else the labels; NULL:
 * neither. *series: of a DICOM folder, or NULL. */
const char *case_voxel_image(const case_file *c, const char **series);
/* Converts a point of the case to LPS. image: geometry for space: voxel, otherwise NULL. */
void case_point_lps(const case_file *c, const double point[3], const volume *image, double lps_mm[3]);
void case_vector_lps(const case_file *c, const double vector[3], const volume *image, double lps[3]);
enum { CASE_WHERE = 96 };

/* Text such as "RAS 12.1, -4.0, 5.5 mm": lps_mm in the space of the case, LPS for voxel. Returns text. */
const char *case_where(const case_file *c, const double lps_mm[3], char text[CASE_WHERE]);
#endif
