/* Which part of the body an image shows, by the BodyPartExamined of its DICOM header: words of a fixed list alone. What
 * else that element holds was written by hand, may name anybody, and is not repeated. */
#ifndef PORTAFLOW_BODY_PART_H
#define PORTAFLOW_BODY_PART_H
#ifdef __cplusplus
extern "C" {
#endif

enum body_region { BODY_UNKNOWN, BODY_HEAD_NECK, BODY_CHEST, BODY_ABDOMEN, BODY_LIMB };

/* The word of the list (DICOM PS3.16 annex L, those of vessels) that `text` is, whatever its case and blanks, as a
 * literal; NULL: none. */
const char *body_part_word(const char *text);
/* Of such a word; BODY_UNKNOWN of NULL and of what spans several regions. */
enum body_region body_part_region(const char *word);

/* Of the image at `path` (a DICOM file or folder; `series` as for image_read), a literal; NULL where it is not DICOM,
 * does not say it in a word of the list, or cannot be read. */
const char *body_part_of_image(const char *path, const char *series);
#ifdef __cplusplus
}
#endif
#endif
