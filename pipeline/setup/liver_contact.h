/* SPDX-License-Identifier: Apache-2.0 */
/* Tests whether a point of a vessel is in the liver, from a mask of the liver. */
#ifndef PORTAFLOW_LIVER_CONTACT_H
#define PORTAFLOW_LIVER_CONTACT_H
#include "common/image/volume.h"

/* True if the liver surrounds the point: at least the fraction LIVER_CONTACT_PART of 26 directions meet a voxel of the
 * liver within LIVER_CONTACT_MM. The vessel has another label, so the liver begins beyond its wall. At the flat surface
 * of the liver, half of the directions meet the liver. liver: nonzero in the liver. */
#define LIVER_CONTACT_PART 0.4
#define LIVER_CONTACT_MM   15.0
bool liver_contact_at(const volume *liver, const double lps_mm[3]);
#endif
