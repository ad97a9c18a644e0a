/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case_reader.h: reads mesh.shape, an analytic lumen (shape.h), and the porous regions. Every key
 * of a shape is required. */
#include "common/case/case_reader.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENT_MAX = 2000, ELLIPSOID_MAX = 100 };

#define LENGTH .kind = KEY_QUANTITY, .unit = UNIT_LENGTH_MM, .low = "0 mm", .high = "1 m", .above = true
#define TYPE                                                                                                           \
    { .name = "type", .kind = KEY_FUNCTION, .read = read_type }
#define END                                                                                                            \
    { 0 }
#define AT(m)  .offset = offsetof(shape, m)
#define SEG(m) .offset = offsetof(shape_segment, m)
#define POINT  .kind = KEY_POINT

/* Reads n lengths with units into value[]. */
static void read_lengths(case_reader *r, const case_node *node, int n, double *value) {
    static const case_key length = {.name = "half_axes", LENGTH};
    if (!case_list(r, node, n, n, "lengths"))
        return;
    for (int k = 0; k < n; k++)
        case_value(r, &node->child[k], &length, &value[k]);
}

static void read_ellipse_axes(case_reader *r, const case_node *node, void *target) {
    read_lengths(r, node, 2, ((shape *)target)->radius);
}

static void read_ellipsoid_axes(case_reader *r, const case_node *node, void *target) {
    read_lengths(r, node, 3, ((shape_ellipsoid *)target)->half);
}

/* Accepts the key `type`, which case_read_shape has read already. */
static void read_type(case_reader *r, const case_node *node, void *target) {
    (void)r;
    (void)node;
    (void)target;
}

static void read_segments(case_reader *r, const case_node *node, void *target);
static void read_ellipsoids(case_reader *r, const case_node *node, void *target);

/* clang-format off */
static const case_key segment_keys[] = {
    {.name = "from", POINT, SEG(a)}, {.name = "to", POINT, SEG(b)},
    {.name = "radius_from", LENGTH, SEG(radius_a)}, {.name = "radius_to", LENGTH, SEG(radius_b)}, END};
static const case_key ellipsoid_keys[] = {
    {.name = "centre", POINT, .offset = offsetof(shape_ellipsoid, centre)},
    {.name = "half_axes", .kind = KEY_FUNCTION, .read = read_ellipsoid_axes}, END};

static const case_key cylinder_keys[] = {
    TYPE, {.name = "from", POINT, AT(a)}, {.name = "to", POINT, AT(b)}, {.name = "radius", LENGTH, AT(radius[0])}, END};
static const case_key channel_keys[] = {TYPE, {.name = "point", POINT, AT(a)}, {.name = "wall", POINT, AT(b)}, END};
static const case_key box_keys[] = {TYPE, {.name = "low", POINT, AT(a)}, {.name = "high", POINT, AT(b)}, END};
static const case_key sphere_keys[] = {
    TYPE, {.name = "centre", POINT, AT(a)}, {.name = "radius", LENGTH, AT(radius[0])}, END};
static const case_key torus_keys[] = {
    TYPE, {.name = "centre", POINT, AT(a)}, {.name = "axis", POINT, AT(b)}, {.name = "radius", LENGTH, AT(radius[0])},
    {.name = "bend", LENGTH, AT(radius[1])}, END};
static const case_key ellipse_keys[] = {
    TYPE, {.name = "centre", POINT, AT(a)},
    {.name = "half_axes", .kind = KEY_FUNCTION, .read = read_ellipse_axes}, END};
static const case_key stenosis_keys[] = {
    TYPE, {.name = "from", POINT, AT(a)}, {.name = "to", POINT, AT(b)}, {.name = "radius", LENGTH, AT(radius[0])},
    {.name = "throat", LENGTH, AT(radius[1])}, {.name = "length", LENGTH, AT(length[0])}, END};
static const case_key tree_keys[] = {TYPE, {.name = "segments", .kind = KEY_FUNCTION, .read = read_segments}, END};
static const case_key chamber_keys[] = {
    TYPE, {.name = "segments", .kind = KEY_FUNCTION, .read = read_segments},
    {.name = "ellipsoids", .kind = KEY_FUNCTION, .read = read_ellipsoids}, END};
static const case_key annulus_keys[] = {
    TYPE, {.name = "from", POINT, AT(a)}, {.name = "to", POINT, AT(b)}, {.name = "radius", LENGTH, AT(radius[0])},
    {.name = "inner", LENGTH, AT(radius[1])}, END};
static const case_key eye_keys[] = {
    TYPE, {.name = "centre", POINT, AT(a)}, {.name = "axis", POINT, AT(b)}, {.name = "radius", LENGTH, AT(radius[0])},
    {.name = "pupil", LENGTH, AT(radius[1])}, {.name = "depth", LENGTH, AT(length[EYE_DEPTH])},
    {.name = "iris", LENGTH, AT(length[EYE_IRIS])}, {.name = "posterior", LENGTH, AT(length[EYE_POSTERIOR])},
    {.name = "lens", LENGTH, AT(length[EYE_LENS])}, {.name = "gap", LENGTH, AT(length[EYE_GAP])}, END};
/* clang-format on */

/* Tables of keys, in the order of enum shape_kind. */
static const case_key *const keys_of[] = {cylinder_keys, channel_keys, box_keys,      sphere_keys,
                                          torus_keys,    ellipse_keys, stenosis_keys, tree_keys,
                                          chamber_keys,  annulus_keys, eye_keys};
static const char *const types = "cylinder|channel|box|sphere_obstacle|torus|ellipse|stenosis|tree|chamber|annulus|eye";

const case_key *case_shape_keys(int kind) {
    return kind >= 0 && kind <= SHAPE_EYE ? keys_of[kind] : NULL;
}

/* Reads a block whose keys are all required; false: a problem was added. */
static bool whole_block(case_reader *r, const case_node *node, const case_key *table, void *target) {
    int before = r->problems.n + r->problems.n_more;
    case_block(r, node, table, target);
    for (const case_key *key = table; node->kind == NODE_BLOCK && key->name; key++)
        if (!case_node_find(node, key->name))
            case_problem_value(&r->problems, node, "has no '%s'", key->name);
    return r->problems.n + r->problems.n_more == before;
}

static void read_segments(case_reader *r, const case_node *node, void *target) {
    shape *s = target;
    if (!case_list(r, node, 1, SEGMENT_MAX, "segments"))
        return;
    shape_segment *segment = case_allocate(r, node->n, sizeof *segment);
    s->segment = segment;
    for (int k = 0; segment && k < node->n; k++)
        whole_block(r, &node->child[k], segment_keys, &segment[s->n_segment++]);
}

static void read_ellipsoids(case_reader *r, const case_node *node, void *target) {
    shape *s = target;
    if (!case_list(r, node, 1, ELLIPSOID_MAX, "ellipsoids"))
        return;
    shape_ellipsoid *ellipsoid = case_allocate(r, node->n, sizeof *ellipsoid);
    s->ellipsoid = ellipsoid;
    for (int k = 0; ellipsoid && k < node->n; k++)
        whole_block(r, &node->child[k], ellipsoid_keys, &ellipsoid[s->n_ellipsoid++]);
}

static double point_distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Replaces s->b, the axis vector as given, by the point s->a + unit axis. */
static void check_axis(case_reader *r, const case_node *node, shape *s) {
    const double zero[3] = {0, 0, 0};
    double length = point_distance(s->b, zero);
    if (!(length > 1e-9))
        case_problem_value(&r->problems, case_node_find(node, "axis"),
                           "has no length; give a direction other than [0, 0, 0]");
    for (int a = 0; length > 1e-9 && a < 3; a++)
        s->b[a] = s->a[a] + s->b[a] / length;
}

static void check_eye(case_reader *r, const case_node *node, shape *s) {
    check_axis(r, node, s);
    if (!(s->radius[1] < s->radius[0]))
        case_problem_value(&r->problems, case_node_find(node, "pupil"),
                           "must be smaller than the radius of the chamber");
    if (!(s->length[EYE_DEPTH] <= s->radius[0]))
        case_problem_value(&r->problems, case_node_find(node, "depth"),
                           "must be smaller than or equal to the radius of the chamber");
    if (!(s->length[EYE_GAP] < s->length[EYE_POSTERIOR]))
        case_problem_value(&r->problems, case_node_find(node, "gap"), "must be smaller than the key posterior");
}

static void check_torus(case_reader *r, const case_node *node, shape *s) {
    check_axis(r, node, s);
    if (!(s->radius[1] > s->radius[0]))
        case_problem_value(&r->problems, case_node_find(node, "bend"), "must be larger than the radius of the tube");
}

/* Checks that the numbers of a shape are consistent. */
static void check_shape(case_reader *r, const case_node *node, shape *s) {
    switch ((enum shape_kind)s->kind) {
    case SHAPE_CYLINDER:
    case SHAPE_CHANNEL:
    case SHAPE_STENOSIS:
        if (!(point_distance(s->a, s->b) > 1e-9))
            case_problem_value(&r->problems, node, "its two points are the same; give two different points");
        if (s->kind == SHAPE_STENOSIS && s->radius[1] > s->radius[0])
            case_problem_value(&r->problems, case_node_find(node, "throat"),
                               "must be smaller than or equal to the radius");
        return;
    case SHAPE_ANNULUS:
        if (!(point_distance(s->a, s->b) > 1e-9))
            case_problem_value(&r->problems, node, "its two points are the same; give two different points");
        if (!(s->radius[1] < s->radius[0]))
            case_problem_value(&r->problems, case_node_find(node, "inner"), "must be smaller than the radius");
        return;
    case SHAPE_EYE:
        check_eye(r, node, s);
        return;
    case SHAPE_BOX:
        for (int a = 0; a < 3; a++)
            if (!(s->a[a] < s->b[a])) {
                case_problem_value(&r->problems, node, "low must be below high in x, y and z");
                return;
            }
        return;
    case SHAPE_TORUS:
        check_torus(r, node, s);
        return;
    case SHAPE_SPHERE_OBSTACLE:
    case SHAPE_ELLIPSE:
    case SHAPE_TREE:
    case SHAPE_CHAMBER:
        return;
    }
}

void case_read_shape(case_reader *r, const case_node *node, void *target) {
    const case_key type_key = {.name = "type", .kind = KEY_CHOICE, .choices = types};
    case_file *c = target;
    shape *s = &c->mesh.shape;
    const case_node *type = case_node_find(node, "type");
    c->mesh.has_shape = true;
    s->kind = -1;
    if (!type)
        case_problem_value(&r->problems, node, "has no type: write {type: cylinder, ..}");
    else if (case_value(r, type, &type_key, &s->kind) && whole_block(r, node, keys_of[s->kind], s))
        check_shape(r, node, s);
}

/* -------------------------------------------------------------------------------- porous regions */

enum { POROUS_MAX = 16 };

#define POROUS(m) .offset = offsetof(case_porous, m)

static void read_porous_axes(case_reader *r, const case_node *node, void *target) {
    read_lengths(r, node, 3, ((case_porous *)target)->half_mm);
}

/* clang-format off */
static const case_key porous_sphere_keys[] = {
    {.name = "centre", POINT, POROUS(a)}, {.name = "radius", LENGTH, POROUS(radius_mm)}, END};
static const case_key porous_cylinder_keys[] = {
    {.name = "from", POINT, POROUS(a)}, {.name = "to", POINT, POROUS(b)},
    {.name = "radius", LENGTH, POROUS(radius_mm)}, END};
static const case_key porous_box_keys[] = {
    {.name = "low", POINT, POROUS(a)}, {.name = "high", POINT, POROUS(b)}, END};
static const case_key porous_ellipsoid_keys[] = {
    {.name = "centre", POINT, POROUS(a)},
    {.name = "half_axes", .kind = KEY_FUNCTION, .read = read_porous_axes}, END};
/* clang-format on */

static void read_sphere(case_reader *r, const case_node *node, void *target) {
    ((case_porous *)target)->shape = POROUS_SPHERE;
    whole_block(r, node, porous_sphere_keys, target);
}

static void read_cylinder(case_reader *r, const case_node *node, void *target) {
    case_porous *p = target;
    p->shape = POROUS_CYLINDER;
    if (whole_block(r, node, porous_cylinder_keys, p) && !(point_distance(p->a, p->b) > 1e-9))
        case_problem_value(&r->problems, node, "its two points are the same; give two different points");
}

static void read_box(case_reader *r, const case_node *node, void *target) {
    ((case_porous *)target)->shape = POROUS_BOX;
    whole_block(r, node, porous_box_keys, target);
}

static void read_porous_ellipsoid(case_reader *r, const case_node *node, void *target) {
    ((case_porous *)target)->shape = POROUS_ELLIPSOID;
    whole_block(r, node, porous_ellipsoid_keys, target);
}

const case_key case_porous_keys[] = {
    {.name = "name", .kind = KEY_NAME, POROUS(name)},
    {.name = "permeability",
     .kind = KEY_QUANTITY,
     POROUS(permeability_m2),
     .error = offsetof(case_porous, permeability_error),
     .unit = UNIT_PERMEABILITY_M2,
     .low = "1e-16 m2",
     .high = "1e-4 m2"},
    {.name = "sphere", .kind = KEY_FUNCTION, .read = read_sphere},
    {.name = "cylinder", .kind = KEY_FUNCTION, .read = read_cylinder},
    {.name = "box", .kind = KEY_FUNCTION, .read = read_box},
    {.name = "ellipsoid", .kind = KEY_FUNCTION, .read = read_porous_ellipsoid},
    {.name = "label", .kind = KEY_INTEGER, POROUS(label), .low = "1", .high = "1000000"},
    END};

void case_read_porous(case_reader *r, const case_node *node, void *target) {
    case_file *c = target;
    if (!case_list(r, node, 1, POROUS_MAX, "porous regions"))
        return;
    c->porous = case_allocate(r, node->n, sizeof *c->porous);
    for (int k = 0; c->porous && k < node->n; k++) {
        case_porous *p = &c->porous[c->n_porous++];
        *p = (case_porous){.shape = POROUS_LABEL,
                           .a = {NAN, NAN, NAN},
                           .b = {NAN, NAN, NAN},
                           .radius_mm = NAN,
                           .permeability_m2 = NAN,
                           .line = node->child[k].line};
        case_block(r, &node->child[k], case_porous_keys, p);
    }
}

static void check_porous_region(case_reader *r, const case_node *node, int index) {
    static const char *const way[] = {"sphere", "cylinder", "box", "ellipsoid", "label"};
    const case_file *c = r->c;
    const case_porous *p = &c->porous[index];
    int ways = 0;
    for (size_t k = 0; k < sizeof way / sizeof *way; k++)
        ways += case_node_find(node, way[k]) != NULL;
    if (node->kind != NODE_BLOCK)
        return;
    if (!case_node_find(node, "name"))
        case_problem_value(&r->problems, node, "a porous region needs a name, such as {name: liver, ..}");
    for (int k = 0; k < index; k++)
        if (p->name && c->porous[k].name && strcmp(p->name, c->porous[k].name) == 0)
            case_problem_value(&r->problems, node, "'%s' is also the name of another porous region; give each its own",
                               p->name);
    if (ways != 1)
        case_problem_value(&r->problems, node,
                           "needs exactly one of sphere, cylinder, box, ellipsoid and label, which gives its place");
    if (!case_node_find(node, "permeability"))
        case_problem_value(&r->problems, node, "has no permeability, such as permeability: 1e-9 m2 +- 30 %%");
    else if (p->permeability_error == p->permeability_m2) /* more than 100 % was refused when the value was read */
        case_problem_value(&r->problems, case_node_find(node, "permeability"),
                           "must be above 0 over its whole interval; give a smaller uncertainty");
    const case_node *label = case_node_find(node, "label");
    if (label && !c->segment.labels_path)
        case_problem_key(&r->problems, label,
                         "a region by label is possible only with segment.method labels; otherwise write sphere, "
                         "cylinder or box");
}

void case_check_porous(case_reader *r, const case_node *root) {
    const case_file *c = r->c;
    const case_node *list = case_node_find(root, "porous"), *solve = case_node_find(root, "solve");
    const struct {
        bool wrong;
        const char *key, *remedy;
    } rule[] = {{c->solve.mode == MODE_PULSATILE, "mode", "write mode: steady"},
                {c->solve.opening == OPENING_ZOU_HE, "opening", "write opening: half-way"},
                {c->solve.collision == COLLISION_BGK, "collision", "write collision: trt"},
                {c->solve.precision == PRECISION_HALF, "precision", "write precision: double"},
                {c->solve.heat.on, "heat", "remove one of the two"}};
    if (c->n_porous == 0)
        return;
    if (!case_node_find(solve, "precision")) /* the drop in a region is large in lattice units: rounding as float would
                                              * disturb the velocity */
        r->c->solve.precision = PRECISION_DOUBLE;
    for (int k = 0; k < c->n_porous; k++)
        check_porous_region(r, &list->child[k], k);
    for (size_t k = 0; k < sizeof rule / sizeof *rule; k++) {
        const case_node *node = case_node_find(solve, rule[k].key);
        if (rule[k].wrong && node)
            case_problem_key(&r->problems, node, "is not possible with porous regions; %s", rule[k].remedy);
    }
    if (case_is_shear_thinning(c) || c->blood.unknown)
        case_problem_key(&r->problems, case_node_find(case_node_find(root, "blood"), "model"),
                         "is not possible with porous regions; write model: newtonian");
    for (int k = 0; k < c->n_opening; k++)
        if (c->opening[k].role == ROLE_MOVING_WALL)
            case_problem_value(&r->problems, &case_node_find(root, "openings")->child[k],
                               "a moving wall is not possible with porous regions; remove one of the two");
}
