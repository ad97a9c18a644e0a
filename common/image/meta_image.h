/* MetaImage: what must be checked before ITK reads one, because its reader fills what is missing with zeros. */
#ifndef PORTAFLOW_META_IMAGE_H
#define PORTAFLOW_META_IMAGE_H
#ifdef __cplusplus
extern "C" {
#endif

/* The voxels are all there: as many bytes as the header's sizes ask for and, packed or not, undamaged as far as the
 * format can tell. Data in the same file or in one other file is checked; lists of slice files are refused.
 * Errors: ERR_INPUT. */
int meta_image_check(const char *path);
#ifdef __cplusplus
}
#endif
#endif
