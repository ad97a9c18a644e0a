/* SPDX-License-Identifier: Apache-2.0 */
/* Make text from a file safe to print. */
#ifndef PORTAFLOW_PRINTABLE_H
#define PORTAFLOW_PRINTABLE_H

/* Replace control characters except '\n' by '?', in place, because text from a file must not control the terminal. */
static inline void printable_replace_controls(char *text) {
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if ((*c < ' ' && *c != '\n') || *c == 0x7f)
            *c = '?';
}
#endif
