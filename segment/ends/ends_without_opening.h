/* Ends of the vessel where no opening is: no blood flows there, which looks like a thrombosis later. */
#ifndef PORTAFLOW_SEGMENT_ENDS_WITHOUT_OPENING_H
#define PORTAFLOW_SEGMENT_ENDS_WITHOUT_OPENING_H
#include "common/base/must_check.h"
#include "segment/ends/centerline_ends.h"

enum { ENDS_WITHOUT_OPENING_MAX = 66 };

/* phi: negative inside (looked at in at most 300,000 places). opening [n] LPS mm: an end within five of its radii of
 * one is that opening's; the lumen goes on for three radii behind it. A sac on a neck (an aneurysm) is none.
 * end [ENDS_WITHOUT_OPENING_MAX] out, *n_end of them.
 * Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_centerline_tree.c */
MUST_CHECK int ends_without_opening(const volume *phi, int n, const double (*opening)[3], int *n_end,
                                    centerline_end *end);
#endif
