/* SPDX-License-Identifier: Apache-2.0 */
/* Smoothing by a Gaussian along one axis, for grid_smooth() and near_tiles_smooth(). */
#ifndef PORTAFLOW_SEGMENT_SMOOTH_H
#define PORTAFLOW_SEGMENT_SMOOTH_H
#include <stddef.h>

enum { SMOOTH_BLOCK = 128 }; /* largest number of adjacent lines in one call */

/* Half-width of the kernel: four standard deviations. */
int smooth_radius(double sigma);

/* Weights [radius + 1] of the kernel from its middle outwards; the caller frees them; NULL: no memory. */
float *smooth_weights(double sigma, int radius);

/* Smooths values `first .. end - 1` of `count` adjacent lines of n values. Value i of line l is from[i * stride + l];
 * the end values continue beyond the ends. `to`: same layout, may be `from`. line: [end - first + 2
 * radius][SMOOTH_BLOCK], scratch. */
void smooth_lines(const float *from, float *to, size_t stride, int n, int first, int end, int count,
                  const float *weight, int radius, float *line);

/* As smooth_lines, for one line of contiguous values. line: [2][end - first + 2 radius], scratch. */
void smooth_row(const float *from, float *to, int n, int first, int end, const float *weight, int radius, float *line);
#endif
