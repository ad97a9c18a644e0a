/* SPDX-License-Identifier: Apache-2.0 */
/* Plausibility of the lumen: does its size and place fit a vessel and the case? One line of the log shows a wrong unit
 * or a wrong image at once. */
#ifndef PORTAFLOW_SEGMENT_PLAUSIBILITY_H
#define PORTAFLOW_SEGMENT_PLAUSIBILITY_H
#include "segment/output/segmentation.h"

/* Print width and length of the lumen and the body part named in the image header. Warn of
 * - sizes that no vessel has,
 * - openings named after a vessel of another body part (PV in a HEAD, ICA in an ABDOMEN),
 * - openings that would fit the ends of the vessel in another unit,
 * - holes of the surface,
 * - a mask or surface with more than a tenth of its wall outside the image. */
void plausibility_warn(const segmentation *j);
#endif
