/* See label_place.h. */
#include "post/label_place.h"
#include <math.h>
#include <stdbool.h>

enum { ROUNDS = 200 };

/* Half of the overlap each, in the direction where it is smaller; the later one goes to the far side of a tie. */
static bool push_apart(double a[2], double b[2], const double half_a[2], const double half_b[2]) {
    double over[2];
    for (int d = 0; d < 2; d++)
        over[d] = half_a[d] + half_b[d] - fabs(a[d] - b[d]);
    if (over[0] <= 0 || over[1] <= 0)
        return false;
    const int d = over[1] <= over[0] ? 1 : 0;
    const double step = 0.5 * over[d] + 0.25;
    const double sign = a[d] < b[d] ? 1 : -1;
    a[d] -= sign * step;
    b[d] += sign * step;
    return true;
}

static bool keep_in(double centre[2], const double half[2], const double page[2]) {
    bool moved = false;
    for (int d = 0; d < 2; d++) {
        const double kept = fmax(half[d], fmin(page[d] - half[d], centre[d]));
        moved = moved || kept != centre[d];
        centre[d] = kept;
    }
    return moved;
}

void label_place(int n, double (*centre)[2], const double (*half)[2], const double page[2]) {
    bool moved = true;
    for (int round = 0; round < ROUNDS && moved; round++) {
        moved = false;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                moved = push_apart(centre[i], centre[j], half[i], half[j]) || moved;
        for (int i = 0; i < n; i++)
            moved = keep_in(centre[i], half[i], page) || moved;
    }
}
