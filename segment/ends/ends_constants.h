/* SPDX-License-Identifier: Apache-2.0 */
/* Constants that find the ends of a vessel and propose vessels. Only those of signal_loss.c and gap_bridge.c may move a
 * wall. "Set on phantoms", "From theory", "Measured" and "Usual value" name the source of a value; a value without one
 * is a choice. */
#ifndef PORTAFLOW_SEGMENT_ENDS_CONSTANTS_H
#define PORTAFLOW_SEGMENT_ENDS_CONSTANTS_H
#include <math.h>
/* clang-format off */

/* Constants of flat_ends.c */
/* A point belongs to a flat patch up to this distance from its plane: EVEN_PART times the square root of the area of
 * the patch's first triangle, plus EVEN_BOX times the diagonal of the surface's box */
static const double EVEN_PART = 1e-3;
static const double EVEN_BOX = 2e-5;
/* A rim is sharp if the cosine between the normals on both sides is below this: an angle of 30 degrees */
static const double SHARP_COSINE = 0.87;
static const double SHARP_PART = 0.9;         /* An end's rim is sharp over this fraction or more. Set on surfaces. */
/* Lower limit of the roundness 4 pi area / perimeter^2 of an end; a circle has 1, an ellipse of 4:1 has 0.53. Set on
 * surfaces. */
static const double LEAST_ROUND = 0.35;
/* An end that is not certain (cap.certain, see flat_ends.h) is reported only if its area exceeds this fraction of the
 * largest end's area */
static const double LEAST_CAP = 0.01;
/* An end is certain only if the surface bends at its rim by more than this angle on average, in radians. At a flat end
 * across a tube it bends by pi / 2. */
static const double LEAST_BEND = M_PI / 3;
/* A rim that is beveled or rounded over less than CHAMFER times the radius of the patch counts as sharp, if the wall
 * beyond it is behind the plane by more than CHAMFER_SLOPE times this width (60 degrees). Surfaces of label images
 * have such rims. */
static const double CHAMFER = 0.35;
static const double CHAMFER_SLOPE = 1.73;
/* A beveled rim falls by 60 degrees over this fraction of its length or more. Facets of smooth tubes have 0.03 at
 * most. */
static const double BEVELED_PART = 0.4;
enum { CHAMFER_TRIANGLES = 8 };               /* A patch with a beveled rim has at least this many triangles */
/* An end is certain only if the vessel behind it is longer than this multiple of the end's width, 2 cap.reach_mm. For a
 * face of a cube the ratio is 0.7, edge over diagonal. */
static const double LEAST_DEPTH = 0.75;
/* Distance of the first cross-section behind an end, as a multiple of cap.reach_mm, the largest radius of the end */
static const double BEHIND_NEAR = 0.02;
/* Distance of the second cross-section behind an end, as a multiple of cap.reach_mm */
static const double BEHIND_FAR = 0.2;
/* Distance of the second cross-section behind an end with a beveled rim, likewise; the first is at CHAMFER */
static const double BEHIND_CHAMFER = 0.42;
/* An end is certain only if the larger width of these two cross-sections is below this multiple of the smaller width */
static const double SAME_WIDTH = 1.25;
/* The rim of a bulged end bends by this or more, so a cap up to 60 degrees steep there. Own choice */
static const double LEAST_CREASE = M_PI / 6;
/* Lower limit of the area of a bulged end, in areas of its rim; below it the end is flat. A spherical cap 5 degrees
 * steep: 1.002. Own choice */
static const double LEAST_BULGE = 1.001;
/* Upper limit of the area of a bulged end, in areas of its rim; a spherical cap 60 degrees steep: 1.33, a hemisphere:
 * 2. Own choice */
static const double MOST_BULGE = 1.6;
/* The wall behind a bulged end is parallel to the vessel up to this sine. Own choice */
static const double UPRIGHT = 0.35;
/* Largest deviation of the rim of a bulged end from its plane, in roots of the rim's area. Own choice */
static const double EVEN_RIM = 0.1;
enum { BULGE_TRIANGLES = 12 };                /* A bulged end has at least this many triangles. Own choice */
/* A surface consists of faces of voxels if it has more patches than this, all in three perpendicular directions */
enum { BLOCKY_PATCHES = 50 };
/* Tolerance of the cosine by which the patches count as parallel or perpendicular to one of these directions */
static const double PARALLEL = 0.01;

/* Constants of centerline_ends.c */
/* Distances from the tip, in radii, between which the path is averaged to a point near the tip. Set on phantoms. */
static const double NEAR_RADII[2] = {0.7, 1.7};
/* Distance between the tip and a point of the path deep inside the vessel, in radii. Set on phantoms. */
static const double DEEP_RADII = 2.5;
/* Lower limit of the distance between the tip and the point deep inside, in slices. Set on phantoms. */
static const double DEEP_SLICES = 3;
/* Distance from the end to the start of the fitted line, in radii. Set on phantoms. */
static const double LINE_FROM = 0.2;
static const double LINE_RADII = 2.6;         /* Length of the fitted line, in radii. Set on phantoms. */
/* Lower limit of the length of the fitted line, in slices. Set on phantoms. */
static const double LINE_SLICES = 5;
/* The variance of the voxels' positions along the fitted line, over the square of the line's length, must exceed this.
 * A complete vessel has ten times this value. From theory. */
static const double SLICE_SPREAD = 0.003;
/* The direction of an end is unreliable if the slice thickness exceeds the radius and this fraction of the length of
 * the branch. Its error is then about 25 degrees. Set on phantoms. */
static const double VAGUE_PART = 0.4;
/* Distance from the end of the vessel to the plane of the opening, in radii. Set on phantoms. */
static const double INSET_RADII = 0.5;
/* Lower limit of the distance from the end of the vessel to the plane of the opening, in slices. Set on phantoms. */
static const double INSET_SLICES = 1.5;
static const double STEEPEST = 2;             /* Largest slope of an oblique image face that the plane follows */
/* The voxels within this distance from the axis define the end of the vessel, in radii */
static const double CORE_RADII = 0.7;
static const double SEARCH_RADII = 5;         /* Size of the search range around an end, in radii */
/* Upper limit of the distance between two corners of one flat end, in radii. Set on phantoms. */
static const double CORNER_RADII = 2;
/* A cross-section is complete if its radius exceeds this fraction of the radius of the cross-section farther inside.
 * Set on phantoms. */
static const double WHOLE_SECTION = 0.93;
/* Distance from the axis up to which a cross-section is measured, in radii */
static const double SECTION_RADII = 1.7;
static const double SLAB_SLICES = 2;          /* Thickness of the slab that gives a cross-section, in slices */
static const double LENGTH_STEP_MM = 3;       /* Smallest step of the length measurement, in mm */
/* Largest distance from the middle of an end to its cross-section's border, in radii; a ridge is longer. Set on
 * phantoms. */
static const double RIDGE_RADII = 2.6;
/* A branch longer than this, in radii, is a vessel, so that its end counts although the end looks like the edge of a
 * flat vessel. Own choice. */
static const double EDGE_RADII = 15;
/* Distance from a tip, along the path, where CORNER_DEPTH is tested, in radii. Set on phantoms. */
static const double INSIDE_RADII = 4;
/* Upper limit of the vessel's radius at INSIDE_RADII, in radii of the branch; below it the tip may be a corner of a
 * flat end. Set on phantoms. */
static const double CORNER_DEPTH = 1.3;
/* CORNER_DEPTH is not tested nearer to the lumen of the parent branch than this, in radii of the branch. Set on a T of
 * tubes. */
static const double PARENT_MARGIN = 0.5;

/* Constants of centerline_tree.c */
/* Smallest reach of a branch beyond the radius of the vessel that it joins, in own radii. Set on phantoms. */
static const double LEAST_BRANCH = 2;
/* Upper limit of the number of branches; ENDS_WITHOUT_OPENING_MAX is larger by 2 */
enum { BRANCHES_MAX = 64 };

/* Constants of cross_section_normal.c */
/* Upper limit of the distance from the given point to the vessel, in mm */
static const double MOST_APART_MM = 15;
static const double RAY_RADII = 4;            /* Length of the rays, in radii */

/* Constants of disconnection.c */
static const double GAP_MM = 1e4;             /* A distance longer than any gap, in mm */

/* Constants of ends_command.c */
/* Upper limit of the number of ends of a vessel; larger than ENDS_WITHOUT_OPENING_MAX */
enum { ENDS_MAX = 80 };
static const double SURFACE_VOXELS = 3e6;     /* Number of voxels of the grid in a surface's box. Chosen for speed. */
static const double CAP_INSET = 0.5;          /* Distance from a cap to the plane of its opening, in radii */
static const double LINE_STEP_MM = 3;         /* Distance between two points of a branch, in mm */
/* An end of the centerline tree and a cap are the same end up to this distance, in radii. Set on surfaces. */
static const double ONE_END_RADII = 2.5;
/* Smallest radius of a cap, in radii of the vessel there. Set on surfaces. */
static const double LEAST_END_RADIUS = 0.5;
/* Upper limit of the ratio of the areas of a named solid and of the flat end that it names */
static const double SOLID_AREA = 1.3;
/* Upper limit of the volume of a cavity, as a fraction of its piece's volume; above it the piece is a hollow wall */
static const double HOLLOW_PART = 0.15;
/* Upper limit of the length of a cavity, as a fraction of its piece's length; above it the piece is a hollow wall */
static const double HOLLOW_LENGTH = 0.7;
/* A flat end and a hole are the same end if the distance of their centres is below this multiple of the hole's largest
 * radius (cap.reach_mm) */
static const double ONE_PLACE = 0.5;
/* Smallest piece that is listed, as a fraction of the volume of the largest piece */
static const double LEAST_PIECE = 0.05;

/* Constants of ends_without_opening.c */
static const double SAMPLED_PLACES = 3e5;     /* Upper limit of the number of samples of phi. Chosen for speed. */
/* Distance from an opening within which an end belongs to it, in radii. Set on phantoms. */
static const double OPENING_RADII = 5;
/* Distance from an opening within which an end of a flat vessel belongs to it, in radii. Set on phantoms. */
static const double FLAT_RADII = 25;
/* Upper limit of the radius of a sac's neck, in radii of the sac. Set on phantoms. */
static const double SAC_NECK = 0.6;
/* Upper limit of the path from the tip of a sac to its neck, in radii of the sac. Set on phantoms. */
static const double SAC_RADII = 3;

/* Constants of label_list.c */
/* Upper limit of the number of unnamed labels that are compared by their trees. Chosen for speed. */
enum { TREES_MAX = 8 };
static const double GLAND_ML = 15;            /* An adrenal gland is smaller than this, in mL. From anatomy. */

/* Constants of vessel_candidates.c */
static const double CUBE_MM = 1.2;            /* Edge of the resampled cubes, in mm. Chosen for speed. */
/* Upper limit of the number of resampled cubes of an image. Chosen for speed. */
static const double MOST_CUBES = 6e6;
/* Tubeness is the response of the tube filter (tube_paths.h). Quantile of the tubeness in the body above which tubeness
 * is strong. Set on images. */
static const double STRONG_QUANTILE = 0.99;
/* Quantile of the tubeness in the body that is taken as the strongest tubeness. Set on images. */
static const double TOP_QUANTILE = 0.9999;
/* The field of view is small if strong tubeness exceeds this fraction of the strongest tubeness. Set on images. */
static const double TOP_PART = 0.5;
/* Lowest limit of tubeness above which connected voxels are a piece, as a multiple of the strong tubeness. Set on
 * images. */
static const double FIRST_LIMIT = 1;
/* Ratio of two successive limits of tubeness; touching vessels separate at one of the limits. Set on images. */
static const double NEXT_LIMIT = 1.25;
static const double END_MM = 12;              /* Smallest length of a candidate per end, in mm. Set on images. */
static const double LEAST_MM = 40;            /* Smallest length of a candidate, in mm. Set on images. */
/* The score of a candidate is halved at this distance from the middle of the body, in mm. Set on images. */
static const double NEAR_MM = 90;
static const double AIR_OR_FAT_HU = -50;      /* An image whose darkest voxels are below this value, in HU, is a CT */
/* Brighter values are clipped to this, in HU, because vessels are darker. Set on images. */
static const double BRIGHT_HU = 300;
static const double SOLID_HU = 700;           /* Lower limit of the intensity of bone without marrow, in HU: a
                                               * brighter candidate is such bone. Set on images. */
/* A candidate is bone if its shell is brighter than its interior by more than this fraction of the contrast. Set on
 * images. */
static const double BONE_SHELL = 0.35;
/* A candidate lies along the edge of an organ if more than this fraction of its rays is one-sided (see FAR_EDGE). Set
 * on images. */
static const double EDGE_ONE_SIDED = 0.3;
static const double BONE_SCORE = 0.1;         /* Factor on the score of a candidate that is bone */
/* Smallest length of a branch, in mm; a shorter branch is noise. Set on images. */
static const double SPUR_MM = 20;
/* A higher limit of tubeness is preferred, because it has fewer spurs, if its score times this factor reaches the score
 * of the lower limit. Set on images. */
static const double SCORE_TOLERANCE = 1.05;
enum { SCALES = 3 };                          /* Number of radii at which tubeness is computed */
/* Upper limit of the number of pieces that are scored per limit of tubeness. Chosen for speed. */
enum { PIECES = 16 };
enum { LIMITS = 8 };                          /* Number of limits of tubeness. Set on images. */
/* Width of the rim around cortical bone that is excluded from the statistics, in cubes. Set on images. */
enum { BONE_CUBES = 4 };
enum { MOST_ENDS = 10 };                      /* Upper limit of the number of ends of a vessel. Set on images. */
enum { LEAST_CUBES = 100 };                   /* Size of the smallest piece, in cubes. Chosen for speed. */
/* Lower limit of the distance to the far edge of a one-sided ray, in mm. Set on images. */
static const double FAR_EDGE_MM = 12;
/* Lower limit of the ratio of both edge distances of a one-sided ray: distance to the far edge over distance to the
 * near edge. A ray is one-sided if its far edge is also farther than FAR_EDGE_MM. Set on images. */
static const double FAR_EDGE = 3;

/* Constants of vessel_contact.c */
/* An arm extends from CONTACT_FROM_MM to CONTACT_TO_MM along the tree, in mm from the junction */
static const double CONTACT_FROM_MM = 8;
static const double CONTACT_TO_MM = 24;
static const double CONTACT_STEP_MM = 0.8;    /* Width of the voxels of the test, in mm. Chosen for speed. */

/* Constants of bridge/signal_loss.c, which move a wall only with bridge_signal_loss */
static const double LOSS_PLACES = 3e6;        /* Upper limit of the samples of phi, for speed */
static const double LOSS_SIDE_RADII = 8;      /* Length of vessel before and behind a point that gives the vessel's
                                               * usual radius and signal there, in median radii */
static const double LOSS_NARROW = 0.7;        /* A lumen is narrow below this radius, in radii of the vessel. Set on
                                               * images. */
static const double LOSS_VOXELS = 1.5;        /* Vessels with a smaller radius than this are not checked for signal
                                               * loss, in voxels */
/* Upper limit of the signal in the middle of a narrow place, as a fraction of the contrast of the vessel. Set on
 * images. */
static const double LOSS_SIGNAL = 0.85;
/* Lower limit of the radius of the bright region in the image, in radii of the lumen. Set on images. */
static const double LOSS_WIDER = 1.3;
/* Loss on one side, see signal_loss.h. Set on phantoms. */
static const double LOSS_SIDE_SIGNAL = 0.15;  /* Lower limit of the contrast of the lost part */
static const double LOSS_SIDE_VOXELS = 1.25;  /* Smallest distance of the lost part from the lumen, in voxels */
static const double LOSS_SIDE_WITHIN = 0.8;   /* Radius of the disc that has the lost part, in radii of the vessel */
static const double LOSS_SIDE_AROUND = 1.5;   /* Radius of the circle in the tissue around, in radii of the vessel */
static const double LOSS_SIDE_WHOLE = 0.85;   /* The lumen is whole from this radius on, in radii of the vessel */
static const double LOSS_REACH = 1.5;         /* Length of the rays, in radii of the vessel */
static const double LOSS_OPENING = 2;         /* Largest distance of an opening from the centerline, in radii */
static const double LOSS_WHOLE = 1;           /* The bridging tube ends where the lumen has this radius, in radii of the
                                               * vessel */
static const double LOSS_ENDS = 3;            /* Largest distance from the narrow stretch to the end of the bridging
                                               * tube, in radii */

/* Constants of bridge/gap_bridge.c, which move a wall only with bridge_signal_loss. Own choices, unless stated. */
static const double GAP_LONGEST = 2.5;        /* Longest gap that is bridged, in mean diameters of both ends */
static const double GAP_TURN = 90;            /* Largest turn of the path in the gap, in degrees */
/* Smallest radius of curvature of the path, in mean diameters: of a plain bend (a carotid siphon: 0.8), and of a path
 * whose angles add up to more than the angle between its ends by GAP_SWAY, in degrees */
static const double GAP_BEND[2] = {0.75, 1}, GAP_SWAY = 30;
/* Upper limit of the contrast in the gap, in contrasts of the vessel; brighter material is plaque, bone or metal */
static const double GAP_BRIGHT = 1.5;
static const double GAP_SIDE_RADII = 8;       /* Length of vessel that gives its full radius, in radii */
static const double GAP_INSIDE = 0.5;         /* Distance from the first point of full radius to the tube, in radii */
static const double GAP_AXIS = 1;             /* Distance of the points that give the axis at the tube, in radii */
/* Half-width of the 95 % interval of a vessel's radius in the gap, in mean radii of both ends, beside half of the
 * difference of both radii. Measured on a carotid artery, an aorta and a fistula, over 0.5 to 2.5 diameters: 0.09 */
static const double GAP_VARIATION = 0.1;

/* clang-format on */
#endif
