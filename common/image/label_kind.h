/* SPDX-License-Identifier: Apache-2.0 */
/* Kind of vessel from the name of a label or of a mask file. */
#ifndef PORTAFLOW_LABEL_KIND_H
#define PORTAFLOW_LABEL_KIND_H
#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of vessel, in order of preference if a mask has several kinds. */
enum label_kind { LABEL_PORTAL, LABEL_VESSEL, LABEL_ARTERY, LABEL_VEIN, LABEL_OTHER };
/* Searches the name for known words, ignoring case. Test: tests/unit/segment/test_label_list.c */
enum label_kind label_kind_from_name(const char *name);
#ifdef __cplusplus
}
#endif
#endif
