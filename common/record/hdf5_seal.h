/* SPDX-License-Identifier: Apache-2.0 */
/* Seal of our HDF5 files: 16 bytes after the end of the HDF5 data, "PFSEAL1\n" and a 64-bit checksum of all bytes
 * before the seal.
 *
 * HDF5 1.10 does not check its own tables: one changed byte can make it read outside its memory. A valid seal shows
 * that the file is unchanged. HDF5, h5py, VTK and ParaView ignore the bytes after the HDF5 data. A file changed by
 * another program loses its seal and is refused. */
#ifndef PORTAFLOW_HDF5_SEAL_H
#define PORTAFLOW_HDF5_SEAL_H
#include "common/base/must_check.h"

/* Append the seal. `name`: final name of the file, for messages. Errors: ERR_OUTPUT. */
MUST_CHECK int hdf5_seal(const char *path, const char *name);
/* Check the seal. what: kind of file for the message, "lattice file". Errors: ERR_INPUT when the seal does not
 * match, ERR_RESOURCE. */
MUST_CHECK int hdf5_seal_check(const char *path, const char *what);
#endif
