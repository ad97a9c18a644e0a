/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/schemes/scheme.h"
#include <string.h>

#define SCHEME_ROW(id, name, addressing, layout, propagation, partial, who)                                            \
    [SCHEME_##id] = {name, who, SCHEME_##addressing, SCHEME_##layout, SCHEME_##propagation, (partial) != 0},
const scheme scheme_table[SCHEME_COUNT] = {
    SCHEME_LIST_OF_ALL(SCHEME_ROW)[SCHEME_OURS] = {"ours", "solve, as it runs", -1, -1, -1, true},
    [SCHEME_OURS_HALF] = {"ours-half", "solve, precision: half", -1, -1, -1, true},
};

bool scheme_with_heat(int id) {
    return id == SCHEME_OURS || scheme_table[id].addressing > SCHEME_DENSE;
}

const char *scheme_addressing_name(int id) {
    static const char *const names[] = {"dense", "semidirect", "sparse", "list", "cyclic"};
    return scheme_table[id].addressing < 0 ? "ours" : names[scheme_table[id].addressing];
}

const char *scheme_layout_name(int id) {
    static const char *const names[] = {"soa", "aos", "csoa", "morton"};
    return scheme_table[id].layout < 0 ? "ours" : names[scheme_table[id].layout];
}

const char *scheme_propagation_name(int id) {
    static const char *const names[] = {"pull", "push", "aa", "two-kernels", "shared"};
    return scheme_table[id].propagation < 0 ? "ours" : names[scheme_table[id].propagation];
}

int scheme_find(const char *name) {
    for (int id = 0; id < SCHEME_COUNT; id++)
        if (strcmp(scheme_table[id].name, name) == 0)
            return id;
    return -1;
}

int scheme_next(scheme_state *s, scheme_pass pass[2]) {
    const int propagation = scheme_table[s->id].propagation;
    pass[0] = (scheme_pass){s->lattice[s->current], s->lattice[s->current], 0};
    if (propagation == SCHEME_AA) {
        pass[0].part = s->odd;
        s->odd = !s->odd;
        return 1;
    }
    pass[0].to = s->lattice[!s->current];
    if (propagation == SCHEME_TWO) {
        pass[1] = (scheme_pass){pass[0].to, s->lattice[s->current], 1};
        return 2;
    }
    s->current = !s->current;
    return 1;
}

int64_t scheme_threads(const scheme_state *s) {
    const scheme *t = &scheme_table[s->id];
    if (t->layout == SCHEME_MORTON)
        return s->grid.n_slot;
    return t->addressing == SCHEME_DENSE || t->addressing == SCHEME_SEMI ? s->grid.n_box : s->grid.n_cell;
}

int scheme_lattices(int id) {
    return scheme_table[id].propagation == SCHEME_AA ? 1 : 2;
}

bool scheme_holds_collided(int id) {
    return scheme_table[id].propagation == SCHEME_PULL || scheme_table[id].propagation == SCHEME_SHARED;
}
