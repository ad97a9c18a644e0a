/* See image_look.h: this build has no ITK. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/init/image_look.h"
#include "pipeline/init/setup_write.h"
#include <math.h>
#include <string.h>

int image_look(const char *path, const char *series, bool pixels, volume *v, bool *seen) {
    (void)series;
    (void)pixels;
    memset(v, 0, sizeof *v);
    *seen = false;
    return file_exists(path) ? OK : fail(ERR_INPUT, "cannot open '%s': no such file", path);
}

int image_look_kind(const char *path, volume *v, bool *seen, bool *labels, double *filled_ml) {
    *labels = false;
    *filled_ml = NAN;
    return image_look(path, NULL, false, v, seen);
}

int image_look_labels(const char *path, int n, const int *value, volume *v, bool *seen) {
    (void)n;
    (void)value;
    return image_look(path, NULL, true, v, seen);
}

int setup_write(const char *path, const char *dir, const init_choice *choice, bool *written) {
    (void)path;
    (void)dir;
    (void)choice;
    *written = false;
    return OK;
}

int setup_write_case(const char *path, const patient *p, const char *text, bool *written) {
    (void)path;
    (void)p;
    (void)text;
    *written = false;
    return OK;
}
