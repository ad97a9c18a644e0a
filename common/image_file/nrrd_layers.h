/* Segmentations of 3D Slicer in layers (.seg.nrrd): segments that overlap lie in different ones, along a first axis of
 * kind "list". Here they become one image of labels. Keys: Segment<N>_Layer, Segment<N>_LabelValue, Segment<N>_Name. */
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
    int layer, value; /* of its voxels in that layer */
    label_name label; /* in the one image: the same value, or N + 1 where two segments share one */
} nrrd_segment;

/* Of a header (text), those with a value and a name, as they come; returns how many. */
int nrrd_layers_segments(const char *header, nrrd_segment out[NRRD_SEGMENTS_MAX]);

/* Layers of an image, value [volume_size(out)][n_layer], to labels; out has its geometry, its values are created. What
 * a vessel (by its name) shares with something else is the vessel's.
 * Errors: ERR_INPUT (vessels overlap, or, where no name is a vessel's, any two segments; no segments, voxels of none),
 * ERR_RESOURCE. Test: tests/unit/common/test_nrrd_layers.c */
MUST_CHECK int nrrd_layers_join(const char *path, int n_layer, const float *value, volume *out);
#ifdef __cplusplus
}
#endif
#endif
