/* case.yaml: everything a user says about a patient or a test case, checked in one pass.
 *
 * Read with libyaml against one table of keys: unknown keys, missing units, numbers out of range and duplicates are
 * reported together, each as "case.yaml:12:9: ..." with the nearest valid key or the allowed range.
 * A number that was not given is NaN, an integer 0, a text NULL, unless a default is named below. */
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
/* Of the spacings of two lattices of mesh.ladder: Roache asks for 1.3, with more the coarsest has too few cells. */
#define CASE_LADDER_RATIO        1.4
#define CASE_LADDER_LEAST_ACROSS 8 /* cells, of the narrowest place: a level with fewer is left out */

typedef struct {
    char *name;
    int role;
    double point[3]; /* as written, in the case's space */
    bool normal_auto;
    double normal[3];        /* as written (LPS or RAS axes), unit length, out of the vessel */
    double extension_mm;     /* straight extension beyond the cut; default 0 */
    double radius_mm;        /* how far from point the cut reaches; NaN: found */
    int condition;           /* enum case_condition */
    union {                  /* SI; which one holds, the condition says */
        double flow_m3_s;    /* CONDITION_FLOW, positive in the role's direction */
        double velocity_m_s; /* CONDITION_VELOCITY_MEAN, CONDITION_VELOCITY_PEAK */
        double pressure_pa;  /* CONDITION_PRESSURE */
        double value;        /* whichever it is, where its unit does not matter */
    };
    double value_error;   /* half-width of its 95 % interval, in its unit ("0.6 L/min +- 10 %"); 0: taken as exact */
    double vector_m_s[3]; /* CONDITION_VECTOR, axes of the case's space turned to LPS */
    double temperature_c; /* of what comes in, with solve.heat; NaN: it leaves freely */
    char *waveform;       /* path, relative to the case file's folder */
    double period_s;      /* that its waveform must have; NaN: not said */
    int profile;          /* default PROFILE_DEVELOPED */
    int line;             /* in the file, for messages */
} case_opening;

typedef struct {
    char *name;
    double point[3];
    bool normal_auto;
    double normal[3];
    int line;
} case_section;

/* A part of the wall: what lies on `part` of mesh.shape, on a surface, or beside voxels with a label; the rest of the
 * wall where none of these is given. */
typedef struct {
    char *name, *part;
    int part_number; /* shape_part_number, LPS */
    char *surface_path;
    double surface_unit_mm; /* one of surface_units_mm; default 1 */
    int surface_space;      /* -1: not said */
    int label;              /* 0: none */
    double temperature_c;   /* NaN: not given */
    bool insulated;
    int line;
} case_wall_region;

typedef struct {
    enum { READOUT_PRESSURE_DROP, READOUT_PPG } kind;
    char *from, *to;         /* pressure_drop */
    char *portal, *cava;     /* ppg; cava NULL when left out */
    double liver_resistance; /* Pa s/m3; NaN when there is no liver model */
    double liver_error;      /* half-width of its 95 % interval, Pa s/m3; 0: taken as exact */
    int line;
} case_readout;

typedef struct {
    char *path;   /* as given to case_read */
    char *folder; /* of the case file; relative paths in the case start here */
    char *name;
    int space;
    options_list set; /* settings of the command line that were put in; owned */

    struct {
        char *path, *series;
        double crop_mm;                 /* room round seeds and openings; NaN: not given */
        double box_low[3], box_high[3]; /* as written, in the case's space; NaN: not given */
        int line;                       /* of the path in the file, for messages, as all lines here: see case_place */
    } image;                            /* path NULL: none (surface or shape cases) */

    struct {
        int method; /* enum case_method; -1 in a case with mesh.shape */
        int n_seed;
        double (*seed)[3];          /* as written, in the case's space */
        int *seed_line;             /* [n_seed] */
        int engine;                 /* enum case_engine: lbm | itk */
        int vessel;                 /* vessel: auto | bright | dark */
        double smoothing_mm;        /* denoising scale; NaN: from the image */
        double edge_low, edge_high; /* gradient magnitudes where the speed is 1 and 0; NaN: from the image */
        double propagation, curvature, advection; /* weights of the geodesic active contour; NaN: defaults */
        double threshold_low, threshold_high;     /* intensities the front may enter; NaN: from the seeds */
        int iterations;                           /* 0: default */
        int side_branches;                        /* come along to this order; 0: none */
        double max_volume_ml;                     /* leak limit; NaN: default */
        char *labels_path;
        int labels_line, surface_line;
        int n_label_value;
        int *label_value; /* none given: every non-zero value */
        char *surface_path;
        double surface_unit_mm; /* one of surface_units_mm; default 1 */
        int surface_space;      /* SPACE_LPS or SPACE_RAS: `frame: LPS|RAS`; -1: not said, the file may know */
    } segment;

    int n_opening;
    case_opening *opening;
    int n_section;
    case_section *section;
    int n_wall; /* 0: the wall is one */
    case_wall_region *wall;

    struct {
        double density_kg_m3, viscosity_pa_s;
    } blood; /* defaults 1060, 3.5e-3 */

    struct {
        double spacing_mm;                    /* NaN when cells_across is given */
        double cells_across;                  /* of the narrowest place; NaN when not given: from the flow */
        double max_cells;                     /* most cells of a spacing from the flow; NaN: by the device */
        int ladder;                           /* lattices at so many spacings; default 3, 1 of a shape, a pulsatile
                                                 flow, wall vlbm and heat */
        double wall_uncertainty_mm;           /* half-width of the wall's 95 % interval; NaN: as segment measured it */
        bool has_shape;                       /* mesh: {shape: {...}}: an analytic lumen in place of segment's phi */
        shape shape;                          /* LPS mm */
        double box_low_mm[3], box_high_mm[3]; /* with a shape: the box, LPS */
        bool periodic[3];
    } mesh;

    struct {
        int mode, wall, opening, collision, precision, acceleration;
        double tolerance;      /* relative change of velocity per (radius / velocity) time; default 1e-6 */
        bool tolerance_chosen; /* it was not given: with mesh.ladder it may be larger (solve/start/start_flow.h) */
        int max_steps;         /* 0: default */
        double max_lattice_velocity; /* NaN: chosen */
        double tau;                  /* NaN: chosen */
        double dt_s;                 /* NaN: chosen */
        int cycles;                  /* pulsatile: default 3 */
        int stores;                  /* pulsatile: stored instants of the last cycle, default 20 */
        double period_s;             /* NaN: from the waveforms */
        double force_m_s2[3];        /* body force per mass, LPS; default 0 */
        int monitor_every;           /* 0: default */
        double checkpoint_s;         /* wall-clock seconds between checkpoints; default 60 */
        bool accept_unconverged;     /* default false: exit 5 when the step limit came first */
        struct {
            bool on; /* the block is there */
            double diffusivity_m2_s;
            double expansion_1_k;   /* 0: the temperature is carried and drives nothing */
            double reference_c;     /* at which the density is blood.density; NaN: between the temperatures given */
            double gravity_m_s2[3]; /* LPS */
        } heat;
    } solve;

    int n_readout;
    case_readout *readout;

    struct {
        int n_instant;
        double *instant_s;        /* [n_instant] times within the cycle that are shown one by one; pulsatile only */
        bool nifti;               /* maps of the flow on the image's grid */
        double nusselt_length_mm; /* NaN: the widest passage */
    } post;
} case_file;

/* CASE_FILES: also check that the files it names exist and waveforms parse. CASE_WAVEFORMS: that of the waveforms alone
 * (images and surfaces need not be on the machine that solves). CASE_LUMEN: only the lumen is wanted, the
 * openings may still be missing (they are chosen by looking at the lumen). CASE_KEEP: a case with problems is kept as
 * far as it was read (points that were refused are NaN), for somebody who looks for more of them. May be added. */
enum case_need { CASE_FILES = 1, CASE_LUMEN = 2, CASE_KEEP = 4, CASE_WAVEFORMS = 8 };

/* Read and check. `stage_files`: enum case_need, 0: neither.
 * Errors: ERR_INPUT; the message holds one line per problem. *c is zeroed then (unless CASE_KEEP). */
MUST_CHECK int case_read(const char *path, int stage_files, case_file *c);

/* The same with settings of the command line, "KEY=VALUE" each, in place of what the file says: KEY are keys with '.'
 * between them, in a list the name of an entry ("openings.SMV.flow"), VALUE is YAML as in the file; without a value the
 * key is taken out. They are checked like the file, a problem with one begins with "--set KEY=VALUE". NULL: none.
 * Errors: as case_read. */
MUST_CHECK int case_read_set(const char *path, const options_list *set, int stage_files, case_file *c);
/* Their entry in a program's table of options. */
#define CASE_SET_HELP                                                                                                  \
    "this value in place of what the case file says, such as solve.wall=vlbm or openings.SMV.flow='0.6 L/min'; "       \
    "an empty one takes the key out; may be given several times"
#define CASE_SET_OPTION(list)                                                                                          \
    { "set", 0, OPTION_LIST, (list), "KEY=VALUE", CASE_SET_HELP, .required = false }

/* Where something of the case was said, for the start of a sentence: "case.yaml:12" or "--set KEY=VALUE", "case.yaml"
 * for line 0. Returns text[size]. */
const char *case_place(const case_file *c, int line, char *text, size_t size);
/* The same without the folder, whose name may tell who the patient is: for warnings, which are recorded. Returns a part
 * of text. */
const char *case_line(const case_file *c, int line, char *text, size_t size);

/* case_read from a text of `size` bytes (text[size] must be readable); `path` names it in messages and gives the folder
 * of its relative paths. Errors: as case_read. */
MUST_CHECK int case_read_text(const char *text, size_t size, const char *path, int stage_files, case_file *c);
void case_free(case_file *c);

/* Path of a file named in the case, from the case's folder. Caller frees. NULL: no memory. */
char *case_resolve(const case_file *c, const char *path);

/* Warns when openings with a given flow take more out of the vessel than others bring (NAN: not known), so that the
 * rest comes in through an outlet with a pressure. `place` comes first, "" or "case.yaml: ". True when they do; silent
 * where inlets take it, of which case_warn_plausible warns. */
bool case_warn_supply(const case_file *c, const char *place, double in_ml_s, double out_ml_s);

/* Warns of values that no blood and no vessel have (viscosity, density, pressures, flows, velocities, periods of
 * waveforms), each with the usual range, and of openings whose names' vessels end elsewhere in a person (SMV, SV, PV,
 * RPV, LPV, CCA, ICA, ECA), not of a case with mesh.shape or solve.heat; of a waveform whose mean goes the other way
 * than its opening's role; and of a tolerance that a changing flow meets.
 * Returns how many. Ranges: case_plausible.c. */
int case_warn_plausible(const case_file *c);

/* Whether anything of the case drives a flow: a flow, velocity, difference of pressures (`developed` is one of 0) or
 * force that is not 0, or heat. A waveform that cannot be read counts as one. */
bool case_driven(const case_file *c);

/* "pressure drops come out up to about 35 % too high", by the most that was found beside such a friction of the lattice
 * (lattice/resolution.h; in straight vessels: where jets lose the pressure, a third and less of it); where pressures or
 * a force alone drive the blood "flows come out up to about 26 % too low". */
enum { CASE_FRICTION = 80 };
const char *case_friction(const case_file *c, double friction, char text[CASE_FRICTION]);
/* An opening gives a flow or a velocity: it is drops that come out of the computation, else flows. */
bool case_gives_flow(const case_file *c);
/* How many openings give neither: their flows come out of the computation. */
int case_open_ends(const case_file *c);

/* Steady flow whose one opening without a given flow is an inlet with a pressure: that inlet, whose flow is the rest of
 * the others'. -1: none, or with openings zou-he, which are there to be compared as they are. */
int case_rest(const case_file *c);

/* The time step is the case's, by solve.time_step, tau or max_lattice_velocity. */
bool case_gives_step(const case_file *c);

/* Flow into the vessel through opening k, of largest size in time (steady: the mean of a waveform); NaN where a
 * pressure or `developed` leaves it open, 0 of a moving wall. cut: the same opening of a lattice, its area and, for a
 * given peak velocity, its profile. Errors: those of waveform_read. */
MUST_CHECK int case_flow_m3_s(const case_file *c, int k, const lattice_opening *cut, double *flow);

/* Whether this is the rest of the wall. */
bool case_wall_is_rest(const case_wall_region *w);

/* Checksum of the part of the case a stage depends on: "segment" | "mesh" | "solve" | "post" (16 hex digits). Comments,
 * the order of keys and the spelling of numbers and units do not change it; the order of openings, sections, seeds and
 * readouts does. A waveform counts by its curve, other files by their name: their contents are inputs of the stage. */
void case_digest(const case_file *c, const char *stage, char hex[17]);

/* The voxels [low, high] of the image that the case wants looked at: those round seeds and openings (image.crop), of a
 * box (image.box), else all (*cut false). Errors: ERR_INPUT (the box lies outside the image, holds fewer than 3 voxels
 * along an axis, or not a seed or an opening). */
MUST_CHECK int case_image_box(const case_file *c, const volume *image, int low[3], int high[3], bool *cut);

/* The image whose voxels `space: voxel` counts, as the case names it: `image`, without one the labels; NULL: neither.
 * *series: of a DICOM folder, or NULL. */
const char *case_voxel_image(const case_file *c, const char **series);
/* A point of the case in LPS. For space: voxel that image's geometry is needed; otherwise NULL. */
void case_point_lps(const case_file *c, const double point[3], const volume *image, double lps_mm[3]);
void case_vector_lps(const case_file *c, const double vector[3], const volume *image, double lps[3]);
enum { CASE_WHERE = 96 };

/* "RAS 12.1, -4.0, 5.5 mm": lps_mm in the space of the case, as LPS where that is voxel. Returns text. */
const char *case_where(const case_file *c, const double lps_mm[3], char text[CASE_WHERE]);
#endif
