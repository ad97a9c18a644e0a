/* Pulsatile flow: cycle after cycle until one is like the one before; its instants are stored. */
#ifndef PORTAFLOW_RUN_CYCLES_H
#define PORTAFLOW_RUN_CYCLES_H
#include "solve/run/run_loop.h"

MUST_CHECK int run_cycles(run_loop *l);
#endif
