/* SPDX-License-Identifier: Apache-2.0 */
/* One change of a file's bytes, drawn from a seed; shared by mutate.c and readers.c. */
#ifndef PORTAFLOW_TESTS_DAMAGE_H
#define PORTAFLOW_TESTS_DAMAGE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DAMAGE_ROOM = 128 }; /* bytes that a damaged file may have more */

/* data[n + DAMAGE_ROOM]: one change that begins in part `region` of `regions` equal parts: a bit, a byte, a run of
 * bytes, a digit of a number, a piece cut out or put in, the end cut off, or bytes behind it. sealed_json, sealed_hdf5:
 * the seal at the end stays out of it; that of JSON is right again afterwards (HDF5: hdf5_seal on the file). what[80]:
 * says what was done. Returns the new size; 0: the file is too small. */
size_t damage(char *data, size_t n, uint64_t seed, size_t region, size_t regions, bool sealed_json, bool sealed_hdf5,
              char what[80]);
#endif
