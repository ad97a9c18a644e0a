/* SPDX-License-Identifier: Apache-2.0 */
/* Segmentations of 3D Slicer in layers (.seg.nrrd). Overlapping segments are in different layers along a first axis
 * of kind "list". They are converted to one label image. Keys: Segment<N>_Layer, Segment<N>_LabelValue,
 * Segment<N>_Name. */
#ifndef PORTAFLOW_NRRD_LAYERS_H
#define PORTAFLOW_NRRD_LAYERS_H
#include "common/base/must_check.h"
#include "common/image_file/label_names.h"
#include "common/image/volume.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { NRRD_SEGMENTS_MAX = 200 };
typedef struct {
    int layer, value; /* layer that contains the segment, value of the segment's voxels in this layer */
    /* name of the segment, and its value in the label image: `value`, or N + 1 if two segments have the same value */
    label_name label;
} nrrd_segment;

/* Segments of a header (text) that have a value and a name, in order; returns their number. */
int nrrd_layers_read_segments(const char *header, nrrd_segment out[NRRD_SEGMENTS_MAX]);

/* Convert layers, value [volume_size(out)][n_layer], to a label image. `out` is given with its geometry; its values are
 * set here. A voxel that belongs to a vessel (by name) and to another segment gets the label of the vessel. Errors:
 * ERR_INPUT (two vessels overlap; without names of vessels: any two segments overlap; no segments; voxels of no
 * segment), ERR_RESOURCE. Test: tests/unit/common/test_nrrd_layers.c */
MUST_CHECK int nrrd_layers_join(const char *path, int n_layer, const float *value, volume *out);
#ifdef __cplusplus
}
#endif
#endif
