/* SPDX-License-Identifier: Apache-2.0 */
/* case.yaml: the description of a patient or test case, checked in one pass.
 *
 * Read with libyaml against one table of keys. Unknown keys, missing units, numbers out of range and duplicates are
 * reported together, each as "case.yaml:12:9: ..." with the nearest valid key or the allowed range. A missing number is
 * NaN, a missing integer 0, a missing text NULL, unless a default is stated below. */
#ifndef PORTAFLOW_CASE_H
#define PORTAFLOW_CASE_H
#include "common/blood/viscosity_law.h"
#include "common/liver/lobule_law.h"
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "common/lattice/lattice.h"
#include "common/surface/shape.h"
#include "common/base/units.h"
#include "common/image/volume.h"
#include "common/waveform/waveform.h"
#include <stdbool.h>

enum case_space { SPACE_RAS, SPACE_LPS, SPACE_VOXEL };
enum case_method { METHOD_LEVEL_SET, METHOD_LABELS, METHOD_SURFACE, METHOD_TREATED };
enum case_engine { ENGINE_LBM, ENGINE_ITK };
enum case_vessel { VESSEL_AUTO, VESSEL_BRIGHT, VESSEL_DARK };
enum case_role { ROLE_INLET, ROLE_OUTLET, ROLE_MOVING_WALL }; /* same values as enum lattice_role */
enum case_condition {
    CONDITION_FLOW,          /* flow: 0.6 L/min */
    CONDITION_WAVEFORM,      /* flow: {waveform: flow/sv.csv}, a file with columns t_s and flow_ml_s for one period */
    CONDITION_VELOCITY_MEAN, /* velocity: {mean: 0.1 m/s} */
    CONDITION_VELOCITY_PEAK, /* velocity: {peak: 0.1 m/s} */
    CONDITION_PRESSURE,      /* pressure: 0 mmHg */
    CONDITION_DEVELOPED,     /* developed: true */
    CONDITION_VECTOR,        /* velocity: {vector: [1, 0, 0], unit: m/s}, for a moving wall */
    CONDITION_RESISTANCE,    /* resistance: {value: 5 mmHg min/L, distal: 8 mmHg} */
    CONDITION_WINDKESSEL,    /* windkessel: {proximal, capacitance, distal_resistance, distal} */
    CONDITION_SPLIT          /* outlet without a condition in a case with `split` */
};
enum case_split_law { SPLIT_NONE, SPLIT_MURRAY, SPLIT_SHARES, SPLIT_TERRITORY };
/* pressures of a split that may have an uncertainty, named by case_split_pressures */
enum case_split_pressure { SPLIT_MEAN_PRESSURE, SPLIT_DISTAL, SPLIT_PRESSURES };
enum case_profile { PROFILE_DEVELOPED, PROFILE_PARABOLIC, PROFILE_PLUG };
enum case_wall { WALL_INTERPOLATED, WALL_VLBM };
enum case_opening_rule { OPENING_HALF_WAY, OPENING_ZOU_HE };
enum case_collision { COLLISION_AUTO, COLLISION_TRT, COLLISION_BGK, COLLISION_CUMULANT };
enum case_acceleration { ACCELERATION_ANDERSON, ACCELERATION_NONE };
enum case_precision { PRECISION_FLOAT, PRECISION_DOUBLE, PRECISION_HALF };
enum case_mode { MODE_STEADY, MODE_PULSATILE };
/* Ratio of the spacings of two successive lattices of mesh.grid_levels. Roache recommends 1.3 or more; a much larger
 * ratio leaves the coarsest lattice too few cells. */
#define CASE_GRID_RATIO 1.4

typedef struct {
    char *name;
    int role;
    double point[3]; /* as written, in the coordinates of `space` */
    bool normal_auto;
    bool plane_found;        /* true: point and normal are the plane that mesh found before a treatment */
    double normal[3];        /* as written (LPS or RAS axes); unit length, points out of the vessel */
    double extension_mm;     /* length of the straight extension beyond the cut; default 0 */
    double radius_mm;        /* radius of the cut around `point`; NaN: automatic */
    int condition;           /* enum case_condition */
    union {                  /* prescribed value in SI units; `condition` selects the member */
        double flow_m3_s;    /* for CONDITION_FLOW; positive into an inlet and out of an outlet */
        double velocity_m_s; /* for CONDITION_VELOCITY_MEAN and CONDITION_VELOCITY_PEAK */
        double pressure_pa;  /* for CONDITION_PRESSURE */
        /* for CONDITION_RESISTANCE; for CONDITION_WINDKESSEL: proximal plus distal resistance */
        double resistance_pa_s_m3;
        /* for CONDITION_SPLIT: share of the inflow, 0 to 1; with Murray's law or territories: factor of the share, 1,
         * or another value in a run with a changed share (grid_run.factor) */
        double share;
        double value; /* the prescribed number, for code that does not need its unit */
    };
    /* half-width of the 95 % interval ("0.6 L/min +- 10 %"), in the unit of the value; 0: exact */
    double value_error;
    double distal_pa;         /* for a resistance or Windkessel: pressure behind the resistance; NaN: not given */
    double distal_error;      /* half-width of the 95 % interval of distal_pa, Pa; 0: exact */
    double capacitance_m3_pa; /* for CONDITION_WINDKESSEL */
    double capacitance_error; /* half-width of the 95 % interval of capacitance_m3_pa; 0: exact */
    double proximal_part;     /* for CONDITION_WINDKESSEL: proximal resistance over resistance_pa_s_m3 */
    /* share of the inflow that the split gives this outlet, 0 to 1 (case_take_split); NaN: unknown, or no split */
    double split_share;
    bool split_rest;             /* for CONDITION_SPLIT: true: this outlet takes the rest of the flow */
    int n_territory, *territory; /* for SPLIT_TERRITORY: [n_territory] labels of the territory of this outlet */
    double territory_ml;         /* for SPLIT_TERRITORY: volume of the territory (case_take_split); NaN: not known */
    bool collateral;             /* true: the flow of this outlet is reported as a share of the inflow */
    double vector_m_s[3];        /* for CONDITION_VECTOR, converted to LPS axes */
    double temperature_c;        /* temperature of the inflow if solve.heat is given; NaN: heat flows out freely */
    char *waveform;              /* path of the waveform, relative to the case file's folder; with `samples` its name */
    const waveform *samples;     /* waveform of libportaflow, borrowed; NULL: the waveform is in a file */
    double period_s;             /* period that the waveform must have; NaN: any */
    int profile;                 /* profile of the velocity; default PROFILE_DEVELOPED */
    int line;                    /* line of the opening in the case file, for messages */
} case_opening;

typedef struct {
    char *name;
    double point[3]; /* NaN with `branch` */
    bool normal_auto;
    double normal[3];
    char *branch; /* the section is across the centerline of this branch of the vessel; NULL: `point` is given */
    /* Place of the section on the branch. at_mm: arc length from its start, mm; at_part: part of its length, 0 to 1.
     * The form that the case does not use is NaN. */
    double at_mm, at_part;
    int line;
} case_section;

/* A point, or a place on the centerline of a branch. */
typedef struct {
    double point[3]; /* as written, in the coordinates of `space`; NaN with `branch` */
    char *branch;    /* name of the branch, as in along.csv; NULL: `point` is given */
    /* place on the branch: arc length in mm, or fraction of the branch's length, 0 to 1; the form that is not used is
     * NaN */
    double at_mm, at_part;
} case_spot;

enum case_treatment_kind { TREAT_DILATE, TREAT_CLOSE, TREAT_STENT };

/* One change of the lumen (segment.method treated). */
typedef struct {
    int kind; /* enum case_treatment_kind */
    /* TREAT_DILATE: two places on from.branch (to.branch is NULL); TREAT_CLOSE: only `from`; TREAT_STENT: both ends of
     * the stent */
    case_spot from, to;
    int n_via;
    double (*via)[3];   /* [n_via] TREAT_STENT: points between both ends, in the coordinates of `space` */
    double diameter_mm; /* TREAT_DILATE, TREAT_STENT */
    char *opening;      /* TREAT_STENT: opening of the case at the end `to`; NULL: that end is in the lumen */
    /* Only in the file of `pipeline treat`: pressure of this opening, or with a resistance the pressure behind it.
     * resistance_error: half-width of its 95 % interval, 0: exact. NaN: not given */
    double pressure_pa, resistance_pa_s_m3, resistance_error;
    int line;
} case_treatment;

enum case_inflow { INFLOW_CONSTANT, INFLOW_CONSTANT_PRESSURE, INFLOW_SOURCE };

/* A region of the wall: the part `part` of mesh.shape, a surface, or the wall next to voxels with a label. A region
 * without any of the three is the rest of the wall. */
typedef struct {
    char *name, *part;
    int part_number; /* number of the wall's part (shape_part_number) */
    char *surface_path;
    double surface_unit_mm; /* one of surface_units_mm; default 1 */
    int surface_space;      /* SPACE_LPS or SPACE_RAS; -1: not given */
    int label;              /* label of the wall in the label file; 0: none */
    double temperature_c;   /* NaN: not given */
    bool insulated;
    int line;
} case_wall_region;

enum case_porous_shape { POROUS_SPHERE, POROUS_CYLINDER, POROUS_BOX, POROUS_LABEL, POROUS_ELLIPSOID };

/* A region of the lumen that is filled with porous tissue. Where regions overlap, the first one holds. */
typedef struct {
    char *name;
    int shape; /* enum case_porous_shape */
    /* centre of the sphere or the ellipsoid, start of the cylinder, a corner of the box; as written, in `space` */
    double a[3];
    double b[3];       /* end of the cylinder, opposite corner of the box; as written, in `space` */
    double radius_mm;  /* of the sphere or the cylinder */
    double half_mm[3]; /* half-axes of the ellipsoid, along the LPS axes */
    int label;         /* POROUS_LABEL: label in segment.labels */
    double permeability_m2;
    double permeability_error; /* half-width of the 95 % interval, m2; 0: exact */
    int line;
} case_porous;

enum { CASE_NO_LIVER = 128 };
/* Label image of the liver. */
typedef struct {
    char *path;    /* NULL: none */
    int n, *value; /* labels of the liver; n 0: every label */
} case_liver_labels;

/* Portal and hepatic compartments of the liver (liver/compartments.h). */
typedef struct {
    double hepatic_pa; /* pressure at the ends of the hepatic veins */
    int n_end;
    double (*end)[3]; /* [n_end] ends of the hepatic veins, in `space`; 0: the hepatic compartment conducts perfectly */
    lobule_quantity permeability_m2[2]; /* portal, hepatic */
    bool permeability_given[2];         /* false: an assumption */
    char no_value[CASE_NO_LIVER];       /* post: why the compartments have no value; "": they have one */
} case_compartments;

typedef struct {
    enum { READOUT_PRESSURE_DROP, READOUT_PPG } kind;
    char *from, *to;         /* names of the two places of a pressure_drop */
    char *portal, *cava;     /* places of a ppg; cava NULL: not in the model */
    double liver_resistance; /* resistance of the liver, Pa s/m3; NaN: the model has no liver */
    double liver_error;      /* half-width of the 95 % interval of liver_resistance, Pa s/m3; 0: exact */
    /* 2.5 and 97.5 % bounds of liver_resistance by the lobule law (lobule_bounds); NaN: none, with compartments too */
    double liver_bound[2];
    /* share of the liver that gets no portal blood after a treatment; NaN: not given. liver_resistance is the
     * resistance of the rest (case_lose_liver) */
    lobule_quantity lost_share;
    bool liver_outlets; /* true: the resistances of the outlets represent the liver, and the gradient has no
                              * other term */
    bool liver_lobules; /* true: liver_resistance follows from `lobules` (lobule_law.h); false: it was given */
    int liver_stage;    /* for liver_lobules: enum lobule_stage */
    lobule_liver lobules;
    /* for liver_lobules: true if the case gives the quantity of `lobules`; false if its default is assumed */
    bool lobules_given[LOBULE_QUANTITIES];
    /* with liver_lobules: path NULL: the case gives the volume. With a path, post sets liver_resistance, liver_error
     * and the volume from the label image; NaN until then */
    case_liver_labels liver_labels;
    case_compartments *compartments; /* with liver_labels; NULL: no compartments */
    /* gradient measured by catheter, Pa, and half-width of its 95 % interval, 0: not given; shown, never used in the
     * computation; NaN: not measured */
    double measured_pa, measured_error_pa;
    int line;
} case_readout;

typedef struct {
    char *path;   /* path of the case file, as given to case_read */
    char *folder; /* folder of the case file; relative paths in the case start here */
    char *name;
    int space;
    options_list set; /* settings of the command line (--set); owned */

    struct {
        char *path, *series;
        double crop_mm; /* margin of the cropped image around seeds and openings; NaN: not given */
        /* corners of the box, as written, in the coordinates of `space`; NaN: not given */
        double box_low[3], box_high[3];
        int line; /* line of the image's path in the case file, for messages (other lines: case_write_place) */
    } image;      /* path NULL: the case has no image (surface or shape cases) */

    struct {
        int method; /* enum case_method; -1: the case has mesh.shape */
        int n_seed;
        double (*seed)[3];   /* as written, in the coordinates of `space` */
        int *seed_line;      /* [n_seed] line of each seed */
        int engine;          /* enum case_engine: lbm | itk */
        int vessel;          /* vessel: auto | bright | dark */
        double smoothing_mm; /* length scale of the denoising; NaN: from the image */
        /* gradient magnitudes of the image, in its units per mm: the front has speed 1 up to edge_low, and 0 from
         * edge_high on; NaN: segment chooses them from the image */
        double edge_low, edge_high;
        double propagation, curvature, advection; /* weights of the geodesic active contour; NaN: defaults */
        double threshold_low, threshold_high;     /* lowest and highest intensity of the lumen; NaN: from the seeds */
        int iterations;                           /* maximum number of iterations of the front; 0: default */
        int side_branches;                        /* highest order of side branches that are included; 0: none */
        bool bridge_signal_loss;                  /* replace narrow places without signal by a tube */
        double max_volume_ml;                     /* volume above which a lumen counts as a leak; NaN: default */
        char *labels_path;
        char *before_path; /* METHOD_TREATED: folder of the patient before the treatment */
        int labels_line, surface_line, before_line;
        int n_label_value;
        int *label_value; /* values of the labels that form the lumen; NULL: every non-zero value */
        char *surface_path;
        double surface_unit_mm; /* one of surface_units_mm; default 1 */
        /* SPACE_LPS or SPACE_RAS (`frame: LPS|RAS`); -1: not given, though the file may name its frame */
        int surface_space;
    } segment;

    int n_treat;
    case_treatment *treat; /* METHOD_TREATED: changes of the lumen, in this order */

    int n_opening;
    case_opening *opening;
    struct {
        int law;      /* enum case_split_law */
        double power; /* SPLIT_MURRAY: share proportional to radius to this power; default 3 */
        /* SPLIT_MURRAY, SPLIT_TERRITORY: half-width of the 95 % interval of each share, relative; 0: exact */
        double error;
        /* Mean pressure at the outlets. The outlets get resistances for this pressure and their shares
         * (case_take_split). NaN: the outlets get prescribed flows */
        double mean_pressure_pa;
        double distal_pa;                       /* with mean_pressure_pa: pressure behind the resistances */
        double pressure_error[SPLIT_PRESSURES]; /* half-widths of the 95 % intervals of both pressures, Pa; 0: exact */
        double capacitance_m3_pa; /* with mean_pressure_pa: sum of the capacitances of the outlets; NaN: none */
        double capacitance_error; /* half-width of the 95 % interval of capacitance_m3_pa; 0: exact */
        double proximal_fraction; /* with capacitance_m3_pa: proximal resistance over the whole resistance */
        char *labels_path;        /* SPLIT_TERRITORY: label image of the territories; otherwise NULL */
        int line;
    } split; /* flow split among the outlets without a condition */
    int n_section;
    case_section *section;
    int n_wall; /* number of wall regions; 0: the whole wall is one region */
    case_wall_region *wall;
    int n_porous;
    case_porous *porous;

    struct {
        double density_kg_m3;
        /* with a model of shear-thinning blood: viscosity at VISCOSITY_NOMINAL_RATE (blood/viscosity_law.h) */
        double viscosity_pa_s;
        int model, set;    /* model: enum viscosity_model; set: enum viscosity_set, unused with model newtonian */
        double hematocrit; /* of model quemada */
        /* model unknown: newtonian is computed, and the intervals include the difference to carreau-yasuda with the
         * parameter set `set` (case_take_shear_thinning) */
        bool unknown;
    } blood; /* defaults: 1060 kg/m3, 3.5e-3 Pa s, newtonian */

    struct {
        double spacing_mm;         /* cell spacing; NaN: not given */
        double cells_per_diameter; /* wanted cells per diameter in the minimum cross-section; NaN: from the flow */
        /* Upper limits of a fast run (--set mesh.fast), from the case file: no spacing below finest_spacing_mm, no more
         * than most_cells_per_diameter; NaN: no limit */
        double finest_spacing_mm, most_cells_per_diameter;
        /* Lattice of the case before a treatment: its spacing and box (LPS), NaN: none. The cells stay where they were.
         * Its spacing replaces one chosen from the flow or from cells_per_diameter, unless it is too coarse. */
        double before_spacing_mm, before_low_mm[3], before_high_mm[3];
        /* maximum number of cells of a lattice whose spacing follows from the flow; NaN: 4e6, with a GPU 16e6 */
        double max_cells;
        /* number of grid levels; default 3, pulsatile 2; 1 with `fast`, a shape, wall vlbm or heat */
        int grid_levels;
        bool fast; /* only one lattice, the coarsest usable one, unless --set gives a spacing */
        /* half-width of the 95 % interval of the wall position; NaN: from segment */
        double wall_uncertainty_mm;
        /* true if the case has mesh: {shape: {...}}, an analytic lumen that replaces the level set of segment */
        bool has_shape;
        shape shape;                          /* the analytic lumen, LPS mm */
        double box_low_mm[3], box_high_mm[3]; /* corners of the box of a shape, LPS */
        bool periodic[3];
    } mesh;

    struct {
        int mode, wall, opening, collision, precision, acceleration;
        bool collision_is_auto; /* the case has solve.collision auto; case_read replaces auto by trt or cumulant */
        /* a steady flow ends at this residual: relative change of the velocity while blood moves on by one radius;
         * default 1e-6 */
        double tolerance;
        bool
            /* the case has no tolerance, so a run with mesh.grid_levels may use a larger value
             * (solve/start/start_flow.h) */
            tolerance_is_default;
        int max_steps;               /* maximum number of steps; 0: default */
        double max_lattice_velocity; /* largest velocity in cells per step; NaN: automatic */
        double tau;                  /* relaxation time; NaN: automatic */
        double dt_s;                 /* time step; NaN: automatic */
        int cycles;                  /* number of cycles of a pulsatile flow; default 3 */
        /* number of instants that are stored in the last cycle of a pulsatile flow; default 20 */
        int stores;
        double period_s;      /* period of a pulsatile flow; NaN: from the waveforms */
        double force_m_s2[3]; /* force per mass on the fluid, LPS; default 0 */
        int monitor_every;    /* steps between two monitors; 0: default */
        double checkpoint_s;  /* wall-clock seconds between two checkpoints; default 60 */
        /* true: a run that reaches the step limit is no error; false (default): exit code 5 */
        bool accept_unconverged;
        /* Largest accepted discretization error, as a fraction of the value. The finest lattice is omitted if a coarser
         * lattice has this error or less. NaN: auto, from segmentation and input uncertainty */
        double accuracy;
        /* true: the case has the key solve.accuracy. Without it, a lattice whose spacing or cells per diameter the case
         * gives is always solved */
        bool accuracy_is_given;
        struct {
            bool on; /* true if the case has the block solve.heat */
            double diffusivity_m2_s;
            double expansion_1_k; /* thermal expansion; 0: temperature does not drive the flow */
            /* temperature at which the density is blood.density; NaN: a value between the given temperatures */
            double reference_c;
            double gravity_m_s2[3]; /* gravity, LPS */
        } heat;
    } solve;

    int n_readout;
    case_readout *readout;

    struct {
        int n_instant;
        /* [n_instant] instants of the cycle with pages in the report; for pulsatile flow only */
        double *instant_s;
        bool nifti;               /* true: write maps of the flow on the image's grid */
        double nusselt_length_mm; /* length that the Nusselt number refers to; NaN: width of the widest cross-section */
    } post;
} case_file;

/* Flags for case_read: further checks, or checks to omit; flags may be added.
 *   CASE_FILES      the files must exist, and the waveforms must be valid
 *   CASE_WAVEFORMS  the waveforms must be valid (images and surfaces need not be on the machine that solves)
 *   CASE_LUMEN      openings may be missing (the user chooses them after viewing the lumen)
 *   CASE_KEEP       with ERR_INPUT *c keeps all values that were read, so that a caller can find further problems;
 *                   refused points are NaN
 *   CASE_GIVEN      `segment` may be missing (the caller of libportaflow has the lumen) */
enum case_need { CASE_FILES = 1, CASE_LUMEN = 2, CASE_KEEP = 4, CASE_WAVEFORMS = 8, CASE_GIVEN = 16 };

enum { CASE_BYTES_MAX = 1000000 }; /* largest size of a case file */

/* Reads and checks a case. `stage_files`: flags of enum case_need, 0: none. Errors: ERR_RESOURCE; ERR_INPUT, with one
 * line per problem. *c is zeroed then (unless CASE_KEEP). */
MUST_CHECK int case_read(const char *path, int stage_files, case_file *c);

/* case_read with settings of the command line, "KEY=VALUE" each, which replace values of the file. KEY: keys separated
 * by '.', with the name of an entry in a list ("openings.SMV.flow"). VALUE: YAML as in the file; an empty value removes
 * the key. Settings are checked like the file; a problem starts with "--set KEY=VALUE". set NULL: none. Errors: as
 * case_read. */
MUST_CHECK int case_read_set(const char *path, const options_list *set, int stage_files, case_file *c);
/* The option --set in a program's table of options. */
#define CASE_SET_HELP                                                                                                  \
    "replaces a value of the case file, such as solve.wall=vlbm or openings.SMV.flow='0.6 L/min'; "                    \
    "an empty value removes the key; may be given several times"
#define CASE_SET_OPTION(list)                                                                                          \
    { "set", 0, OPTION_LIST, (list), "KEY=VALUE", CASE_SET_HELP, .required = false }

/* Place of a value for the start of a message: "case.yaml:12" or "--set KEY=VALUE"; "case.yaml" for line 0. Returns
 * text[size]. */
const char *case_write_place(const case_file *c, int line, char *text, size_t size);
/* case_write_place without the folder, whose name may identify the patient: for warnings, which are recorded. Returns a
 * pointer into text. */
const char *case_write_place_without_folder(const case_file *c, int line, char *text, size_t size);

/* case_read from a text of `size` bytes (text[size] must be readable). `path` is the name in messages; its folder is
 * the base of relative paths. Errors: as case_read. */
MUST_CHECK int case_read_text(const char *text, size_t size, const char *path, int stage_files, case_file *c);
/* Sets the defaults of all values, for a case built without a file. Missing: name, tolerance, grid_levels,
 * collision. */
void case_set_defaults(case_file *c);
void case_free(case_file *c);

/* Reads a treatment for `pipeline treat`: a file with the keys treat and inflow only. The result has no other values.
 * inflow: out, enum case_inflow. Errors: as case_read. Free with case_free. */
MUST_CHECK int case_read_treatment(const char *path, case_file *c, int *inflow);
/* Path of the signed distance before the treatment. The caller frees it. NULL: no memory, or another method. */
char *case_before_phi(const case_file *c);

/* Joins the case's folder and a path given in the case; an absolute path is returned as it is. The caller frees it.
 * NULL: no memory. */
char *case_resolve_path(const case_file *c, const char *path);

/* Warns if the prescribed outflows exceed the prescribed inflows, because the difference then enters through an outlet
 * with a pressure. Returns true in this case. Returns false if an inlet with a pressure supplies the difference, or if
 * a flow is unknown (NAN). If only the waveform of an inlet flows out on average, it returns true but does not warn,
 * because case_warn_plausible reports this. `place` starts the message: "" or "case.yaml: ". */
bool case_warn_supply(const case_file *c, const char *place, double in_ml_s, double out_ml_s);

/* Warns of implausible values, most with the usual range; returns the number of warnings. Ranges: case_plausible.c.
 * - blood, extensions, pressures, flows, velocities, waveforms, liver, wall_uncertainty, distances of openings
 * - openings whose names contradict anatomy (SMV, SV, PV, RPV, LPV, CCA, ICA, ECA)
 * - a waveform whose mean contradicts the role of its opening
 * - a tolerance so large that a flow that still changes counts as steady
 * With mesh.shape or solve.heat, only the last two and the liver are checked. */
int case_warn_plausible(const case_file *c);
/* Warns if the liver resistance of the gradient `o` is implausible. Post calls it when it has measured the volume of
 * the liver, from which the resistance follows. */
void case_warn_liver(const case_file *c, const case_readout *o);

/* True if the case drives a flow: by heat, or by a flow, velocity, force or pressure difference that is not 0. Counts
 * `developed` as pressure 0, and an unreadable waveform as a flow. */
bool case_is_driven(const case_file *c);

/* Writes "pressure drops come out up to about 35 % too high": the error that programs report at this numerical friction
 * (resolution_friction_bound). It is for straight vessels; at jets the error is a third or less. Without a prescribed
 * flow: "flows come out up to about 26 % too low". */
enum { CASE_FRICTION = 80 };
const char *case_write_friction(const case_file *c, double friction, char text[CASE_FRICTION]);
/* True if `solve` computes the flow with cumulants on D3Q27 and quadratic walls (solve.collision cumulant). */
bool case_uses_cumulants(const case_file *c);
/* Viscosity law of the case, and whether the viscosity depends on the shear rate. */
viscosity_law case_viscosity_law(const case_file *c);
bool case_is_shear_thinning(const case_file *c);
/* Gives a case of unknown blood model the shear-thinning model that the intervals compare with. */
void case_take_shear_thinning(case_file *c);
/* Name of the model and of its parameter set, such as "casson, set shibeshi". */
enum { CASE_BLOOD_NAME = 96 };
const char *case_write_blood(const case_file *c, char text[CASE_BLOOD_NAME]);
/* True if an opening prescribes a flow or a velocity. Then the pressure drops are results; otherwise the flows are. */
bool case_prescribes_flow(const case_file *c);
/* The opening with this name; NULL: none. */
const case_opening *case_find_opening(const case_file *c, const char *name);
/* True if the flow of an opening follows from the pressures: pressure, developed, resistance or windkessel. */
bool case_opening_is_free(const case_opening *o);
/* True if a resistance or a Windkessel relates pressure and flow of an opening. */
bool case_opening_is_model(const case_opening *o);
/* Sets the resistance of the liver without its lost share, whose tissue conducts no portal blood:
 *   R_rest = R / (1 - lost_share)
 * The parts of the liver conduct in parallel, without collaterals between them. */
void case_lose_liver(case_readout *o, double resistance, double error);
/* Sets the resistance of the liver by the lobule law, with its bounds, without its lost share. */
void case_take_lobules(case_readout *o, const lobule_liver *l);
/* True if the readout has a resistance of the liver apart from the resistances of the outlets. */
bool case_has_whole_liver(const case_readout *o);
/* True if a readout of type `ppg` (portal pressure gradient) has `liver: {model: outlets}`: the resistances of the
 * outlets are then the liver. */
bool case_liver_at_outlets(const case_file *c);
/* Frees what they own; compartments NULL: none. */
void case_free_liver(case_liver_labels *labels, case_compartments *compartments);
/* The readout with the label image of the liver; NULL: none. */
case_readout *case_find_liver_labels(const case_file *c);
/* Path of this label image; NULL: none. */
const char *case_liver_path(const case_file *c);
/* True if the outlet is the end of a portal branch that feeds the compartments: no collateral, and not the portal
 * vein of the readout. */
bool case_opening_feeds(const case_readout *o, const case_opening *opening);
/* True if the resistance at an outlet is a part of the liver (case_liver_at_outlets). The resistances of all parts then
 * share one error. A collateral is no part of the liver. */
bool case_opening_is_liver(const case_file *c, const case_opening *o);
/* The first inlet with a given pressure, whose uncertainty is unknown. NULL: none, or no readout treats the resistances
 * of the outlets as the liver (case_liver_at_outlets). */
const case_opening *case_inlet_of_unknown_error(const case_file *c);
/* True if the permeability of the sinusoids follows from an assumed stage (lobule_stage_is_assumed) and is not
 * given. */
bool case_stage_is_assumed(const case_readout *o);
/* Writes how the resistance of the liver was found: the quantities of the lobule law, with assumed ones marked; "" if
 * the resistance was given. Returns text. */
enum { CASE_LIVER = 480 };
const char *case_write_liver(const case_readout *o, const char *plus_minus, char text[CASE_LIVER]);
/* Writes the model of an opening, such as "resistance 5 mmHg min/L +- 20 % against 8 mmHg", with `plus_minus` as the
 * sign of the interval. Returns text; "" if the opening has no resistance, Windkessel or share of a flow split. */
enum { CASE_MODEL = 360 };
const char *case_write_model(const case_file *c, const case_opening *o, const char *plus_minus, char text[CASE_MODEL]);
extern const char *const case_split_pressures[SPLIT_PRESSURES]; /* keys of the pressures: "mean_pressure", "distal" */
/* Shares of the inflow of the outlets of a split, 0 to 1, for the openings [n] of a lattice. share [n]: NaN for all
 * other openings, and for all openings if an area or a territory is unknown. A share with a factor other than 1 keeps
 * this factor, and the other outlets divide the rest. Returns the index of the outlet whose flow follows from the flow
 * balance: `rest`, otherwise the outlet with the largest share; -1: no shares. */
int case_split_shares(const case_file *c, int n, const lattice_opening *opening, double *share);
/* Prepares the split for a lattice with the openings [n]. Sets territory_ml, split_share and, for Murray's law and
 * territories, value_error (case_split_error). With split.mean_pressure_pa each outlet of the split becomes a
 * resistance R_k = (mean_pressure_pa - distal_pa) / (share_k Q), or, with split.capacitance_m3_pa, a Windkessel of
 * this resistance and the capacitance share_k * capacitance_m3_pa. Q: net mean inflow of all other openings. Errors:
 * ERR_INPUT (an unknown share, Q not above 0), errors of waveform_read. */
MUST_CHECK int case_take_split(case_file *c, int n, const lattice_opening *opening);
/* Half-width of the interval of share k for one run of the grid sequence that changes this share alone, relative to the
 * share; the other outlets divide the rest. The runs are independent inputs. The half-widths are such that all runs
 * together give each share its uncertainty `error`. If share i exceeds 1/2 this is impossible, and the half-width is
 * error (1 - share_i) / share_i for outlet i and 0 for all others: then all other shares have this uncertainty. share
 * [n]: NaN for all other openings. Two outlets have one run, of the first one. */
double case_split_error(int n, const double *share, int k, double error);
/* Number of openings without a prescribed flow or velocity. */
int case_count_free_openings(const case_file *c);

/* Index of the inlet whose flow balances the prescribed flows of a steady case. It has a pressure, or a source pressure
 * behind a resistance, and every other opening has a prescribed flow. -1: no such inlet. Always -1 with solve.opening
 * zou-he, which serves to compare opening conditions. */
int case_balancing_inlet(const case_file *c);

/* True if the case sets the time step: solve.time_step, tau or max_lattice_velocity. */
bool case_sets_time_step(const case_file *c);

/* Flow into the vessel through opening k, m3/s. Pulsatile: the flow of largest magnitude; steady: the mean of a
 * waveform. NaN if none is prescribed, 0 for a moving wall. cut: the opening of the lattice, with its area and, for a
 * peak velocity, its profile. Errors: as waveform_read. */
MUST_CHECK int case_flow_m3_s(const case_file *c, int k, const lattice_opening *cut, double *flow);

/* Reads the waveform of an opening with CONDITION_WAVEFORM: a copy of its samples, or its file. The caller frees *w
 * with waveform_free. Errors: as waveform_read, waveform_create. */
MUST_CHECK int case_open_waveform(const case_file *c, const case_opening *o, waveform *w);

/* Estimates of a vessel with openings [n] of a lattice. The vessel between its middle and opening k is taken as a tube
 * with the area of the opening, half as long as the mean distance to the other openings. The resistance, Pa s/m3, is
 * Poiseuille's. */
double case_vessel_length_m(int n, const lattice_opening *opening, int k);
double case_vessel_resistance(const case_file *c, int n, const lattice_opening *opening, int k);
/* Sets the flows of the outlets of a split, but one. If an opening has a resistance or Windkessel and another one a
 * given flow: replaces NaN in flow_m3_s [n] (case_flow_m3_s) by the flow of a network. It connects the middle of the
 * vessel through the resistances of vessel and opening with the pressures behind the openings. The largest of these
 * flows stays NaN: it follows from the flow balance. Test: tests/unit/solve/test_boundary_values.c */
void case_estimate_flows(const case_file *c, int n, const lattice_opening *opening, double *flow_m3_s);

/* True if the region is the rest of the wall: no part, surface or label selects it. */
bool case_wall_is_rest(const case_wall_region *w);

/* Digest of the part of the case that a stage depends on (16 hex digits). stage: "segment" | "mesh" | "solve" | "post".
 * Comments, the order of keys and the spelling of numbers and units do not change the digest. The order of openings,
 * sections, seeds and readouts does. Of a waveform the values are hashed, of other files the names, because their
 * contents are inputs of the stage. */
void case_digest(const case_file *c, const char *stage, char hex[17]);
/* As case_digest, without the names of the case and of files: a record may hide both. */
void case_digest_without_names(const case_file *c, const char *stage, char hex[17]);

/* Voxels low..high (inclusive) of the image that the case uses: around seeds and openings (image.crop), in a box
 * (image.box), or all voxels (*cut is then false). Errors: ERR_INPUT (the box is outside the image, has fewer than 3
 * voxels along an axis, or excludes a seed or an opening). */
MUST_CHECK int case_image_box(const case_file *c, const volume *image, int low[3], int high[3], bool *cut);

/* Path of the image that `space: voxel` refers to: `image`, otherwise the labels; NULL: the case has neither. *series:
 * as image_read. */
const char *case_voxel_image(const case_file *c, const char **series);
/* Converts a point of the case to LPS, mm. space: voxel needs the geometry of the image; otherwise image may be
 * NULL. */
void case_point_lps(const case_file *c, const double point[3], const volume *image, double lps_mm[3]);
void case_vector_lps(const case_file *c, const double vector[3], const volume *image, double lps[3]);
enum { CASE_WHERE = 96 };

/* Writes "RAS 12.1, -4.0, 5.5 mm": the point in the space of the case, or in LPS for space: voxel. Returns text. */
const char *case_write_point(const case_file *c, const double lps_mm[3], char text[CASE_WHERE]);
#endif
