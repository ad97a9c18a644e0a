/* A Gaussian along one axis: what grid_smooth() and near_smooth() do to a line. */
#ifndef PORTAFLOW_SEGMENT_SMOOTH_H
#define PORTAFLOW_SEGMENT_SMOOTH_H
#include <stddef.h>

enum { SMOOTH_BLOCK = 128 }; /* lines that are smoothed side by side, at most */

/* Values to each side: four standard deviations. */
int smooth_radius(double sigma);

/* weight[radius + 1], the caller's to free; NULL: no memory. */
float *smooth_weights(double sigma, int radius);

/* Values first .. end - 1 of `count` lines of n values that lie side by side: value i of line l is
 * from[i * stride + l], those beyond the ends are that of the end. to: the same places, may be `from`.
 * line: [end - first + 2 radius][SMOOTH_BLOCK], room to work. */
void smooth_lines(const float *from, float *to, size_t stride, int n, int first, int end, int count,
                  const float *weight, int radius, float *line);

/* The same of one line of neighbouring values. line: [2][end - first + 2 radius]. */
void smooth_row(const float *from, float *to, int n, int first, int end, const float *weight, int radius, float *line);
#endif
