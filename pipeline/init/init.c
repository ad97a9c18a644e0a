/* See init.h. The text of the case is in init_text.c, the search in init_find.c. */
#include "pipeline/init/init.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/init/image_look.h"
#include "pipeline/init/init_find.h"
#include "pipeline/init/init_text.h"
#include "pipeline/init/setup_write.h"
#include "pipeline/run/patient.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `path` as the case should name it: from the patient's folder where it lies inside, else from the root. */
static int name_from_case(const char *dir, const char *path, char name[FIND_PATH_MAX]) {
    char *folder = realpath(dir, NULL), *file = realpath(path, NULL);
    int rc = OK;
    if (!folder || !file) {
        rc = fail(ERR_INPUT, "cannot open '%s': no such file or folder", path);
        goto cleanup;
    }
    size_t n = strlen(folder);
    const char *inside = strncmp(file, folder, n) == 0 && file[n] == '/' ? file + n + 1 : file;
    rc = file_path(name, FIND_PATH_MAX, "%s", inside);
cleanup:
    free(folder);
    free(file);
    return rc;
}

static void print_found(const find_list *found) {
    static const char *const word[FIND_KINDS] = {"image", "mask", "surface", "waveform"};
    for (int kind = 0; kind < FIND_KINDS; kind++)
        for (int k = 0; k < found->n[kind]; k++)
            printf("found %s: %s\n", word[kind], found->name[kind][k]);
}

/* Where the image lies, for the comments; an image that cannot be read is no reason to refuse: check will say it. */
static void look(const char *dir, const char *name, volume *v) {
    bool seen;
    char *path = file_join(dir, name);
    if (!path || image_look(path, NULL, false, v, &seen) != OK) {
        memset(v, 0, sizeof *v);
        printf("note: %s\n", status_message());
        status_clear();
    }
    free(path);
}

int init_patient(const char *dir, const char *image) {
    char word[PATIENT_WORD_MAX];
    patient p;
    volume v = {0};
    find_list *found = calloc(1, sizeof *found);
    char name[FIND_PATH_MAX] = "";
    char *text = NULL, page[PATIENT_PATH_MAX];
    bool written = false;
    int rc = OK;
    if (!found)
        return fail_memory("the list of files", sizeof *found);
    if (image && !file_exists(image)) /* before anything is made */
        GIVE_UP(fail(ERR_INPUT, "cannot open '%s': no such file or folder", image));
    TRY(file_make_folder(dir));
    TRY(patient_locate(dir, &p));
    if (file_exists(p.case_path)) {
        rc = fail(ERR_OUTPUT, "'%s' exists already and is left as it is; edit it, or move it away first", p.case_path);
        goto cleanup;
    }
    TRY(find_files(p.dir, found));
    if (image)
        TRY(name_from_case(p.dir, image, name));
    else if (found->n[FIND_IMAGE] > 0)
        snprintf(name, sizeof name, "%s", found->name[FIND_IMAGE][0]);
    print_found(found);
    if (*name)
        look(p.dir, name, &v);
    TRY(init_text(name, &v, found, &text));
    TRY(file_write(p.case_path, text, strlen(text)));
    if (*name) {
        TRY(patient_path(page, p.dir, "setup.html"));
        TRY(setup_write(page, p.dir, name, found, &written));
    }
    if (written)
        printf("wrote %s; open it in a browser, click seeds and openings, save its case.yaml over the one here; or\n",
               page);
    printf("wrote %s; fill in what says FILL-IN, then: pipeline check %s\n", p.case_path, patient_word(p.dir, word));
cleanup:
    free(text);
    free(found);
    volume_free(&v);
    return rc;
}
