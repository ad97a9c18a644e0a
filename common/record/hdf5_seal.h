/* The seal of our HDF5 files: 16 bytes behind the file's end, "PFSEAL1\n" and a 64-bit checksum of all bytes before it.
 *
 * HDF5 1.10 checks neither its own tables nor their sizes: a single changed byte can make it read beyond its memory. A
 * file whose seal is right is the file that was written; HDF5, h5py, VTK and ParaView do not look beyond their end.
 * A file changed by another program has lost its seal and is refused like a damaged one. */
#ifndef PORTAFLOW_HDF5_SEAL_H
#define PORTAFLOW_HDF5_SEAL_H
#include "common/base/must_check.h"

/* Append the seal; `name`: what the file will be called. Errors: ERR_OUTPUT */
MUST_CHECK int hdf5_seal(const char *path, const char *name);
MUST_CHECK int hdf5_seal_check(const char *path, const char *what); /* what: "lattice file". Errors: ERR_INPUT */
#endif
