/* What kind of vessel the name of a label or of a mask's file says it is. */
#ifndef PORTAFLOW_LABEL_KIND_H
#define PORTAFLOW_LABEL_KIND_H

/* The first of these is the one to take where there are several kinds. */
enum label_kind { LABEL_PORTAL, LABEL_VESSEL, LABEL_ARTERY, LABEL_VEIN, LABEL_OTHER };
/* Words in it count, large or small letters. Test: tests/unit/segment/test_label_list.c */
enum label_kind label_kind_of(const char *name);
#endif
