/* SPDX-License-Identifier: Apache-2.0 */
/* Body region of an image from BodyPartExamined of its DICOM header. Only words of a fixed list are accepted: other
 * text was typed by a person and may identify the patient. */
#ifndef PORTAFLOW_BODY_PART_H
#define PORTAFLOW_BODY_PART_H
#ifdef __cplusplus
extern "C" {
#endif

enum body_region { BODY_UNKNOWN, BODY_HEAD_NECK, BODY_CHEST, BODY_ABDOMEN, BODY_LIMB };

/* The word of the list that equals `text`, ignoring case, blanks and '_', as a string literal; NULL: none. List: DICOM
 * PS3.16 annex L, parts with vessels. */
const char *body_part_word(const char *text);
/* Region of the body to which a body_part_word belongs; BODY_UNKNOWN for NULL and for words that span several
 * regions. */
enum body_region body_part_region(const char *word);

/* Body part of the image at `path` (DICOM file or folder; `series` as in image_read), as a string literal. NULL when
 * the image is not DICOM, has no listed word, or cannot be read. */
const char *body_part_of_image(const char *path, const char *series);
#ifdef __cplusplus
}
#endif
#endif
