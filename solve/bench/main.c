/* `solve bench` as a program of its own, for machines where the solver's file formats are not installed. */
#include "solve/bench/bench.h"

int main(int argc, char **argv) {
    return bench_main(argc, argv);
}
