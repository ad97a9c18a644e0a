/* Text of a file, made fit to print. */
#ifndef PORTAFLOW_PRINTABLE_H
#define PORTAFLOW_PRINTABLE_H

/* What a file brings along must not steer the terminal: control characters but '\n' become '?', in place. */
static inline void printable(char *text) {
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if ((*c < ' ' && *c != '\n') || *c == 0x7f)
            *c = '?';
}
#endif
