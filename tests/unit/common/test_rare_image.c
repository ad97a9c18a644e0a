/* SPDX-License-Identifier: Apache-2.0 */
/* Refusals of the readers of images for what the machine or another program does: no descriptor, no process, a file
 * that others may not read, one that is gone between two looks, sizes beyond the memory. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include "common/image/isolate.h"
#include "common/image_file/itk_image.h"
#include "common/image_file/meta_image.h"
#include "common/image_file/nifti_file.h"
#include "common/image_file/nrrd_image.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
/* after cmocka.h: it asserts */
#include "tests/unit/common/dicom_write.h"
#include "tests/unit/temp.h"

/* `run` in a process of its own, whose limits and user it may change: 0 when it was as expected, 77 not possible. */
static void apart(int (*run)(const char *path), const char *path) {
    int state = -1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int found = run(path);
        struct rlimit limit;
        if (getrlimit(RLIMIT_NOFILE, &limit) == 0) { /* what a build for coverage writes at the end needs these */
            limit.rlim_cur = limit.rlim_max;
            setrlimit(RLIMIT_NOFILE, &limit);
        }
        if (setresuid((uid_t)-1, 0, (uid_t)-1) != 0 && found == 0)
            print_message("what was reached is not counted\n");
        _exit(found);
    }
    assert_int_equal(waitpid(child, &state, 0), child);
    if (WIFEXITED(state) && WEXITSTATUS(state) == 77)
        skip();
    assert_true(WIFEXITED(state) && WEXITSTATUS(state) == 0);
}

static int says(int rc, int expected, const char *word) {
    if (rc != expected || strstr(status_message(), word) == NULL)
        print_message("%d '%s' (expected %d '%s')\n", rc, status_message(), expected, word);
    return !(rc == expected && strstr(status_message(), word) != NULL);
}

static void absent(void **state) {
    (void)state;
    volume v;
    double unit, step;
    int layers;
    char none[512];
    strcpy(none, temp_path("none"));
    assert_int_equal(says(meta_image_check(none, &unit), ERR_INPUT, "No such file"), 0);
    status_clear();
    assert_int_equal(says(nrrd_image_check(none, &unit, &layers), ERR_INPUT, "No such file"), 0);
    status_clear();
    assert_int_equal(says(nifti_file_read(none, true, &v), ERR_INPUT, "No such file"), 0);
    status_clear();
    assert_int_equal(says(nifti_file_read_cine(none, &v, &step), ERR_INPUT, "No such file"), 0);
    status_clear();
}

/* From here on `left` more descriptors can be opened. */
static void few_descriptors(int left) {
    const int next = dup(0);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = (rlim_t)next + (rlim_t)left;
    close(next);
    setrlimit(RLIMIT_NOFILE, &limit);
}

static int one_descriptor(const char *path) {
    volume v;
    few_descriptors(1);
    return says(nifti_file_read(path, true, &v), ERR_INPUT, "Too many open files");
}

static int nothing(void *argument, char note[ISOLATE_NOTE], volume *out) {
    (void)argument;
    (void)note;
    (void)out;
    return OK;
}

static int no_pipe(const char *path) {
    volume v;
    few_descriptors(1);
    return says(isolate_read(path, nothing, NULL, &v), ERR_RESOURCE, "Too many open files");
}

static void no_descriptor(void **state) {
    (void)state;
    static const int dims[3] = {3, 3, 3};
    static const double one[3] = {1, 1, 1}, zero[3] = {0, 0, 0};
    char path[512];
    volume v;
    strcpy(path, temp_path("a.nii"));
    assert_int_equal(volume_create(&v, dims, one, zero, NULL), OK);
    assert_int_equal(image_write(path, &v, IMAGE_UINT8), OK);
    volume_free(&v);
    apart(one_descriptor, path);
    apart(no_pipe, path);
}

/* As somebody else, with no right to anything. */
static bool as_nobody(void) {
    return setresuid(65534, 65534, 0) == 0;
}

static int no_process(const char *path) {
    volume v;
    const struct rlimit none = {0, 0};
    if (!as_nobody())
        return 77;
    setrlimit(RLIMIT_NPROC, &none);
    return says(isolate_read(path, nothing, NULL, &v), ERR_RESOURCE, "temporarily unavailable");
}

static int not_readable(const char *path) {
    volume v;
    if (!as_nobody() || access(path, F_OK) != 0)
        return 77;
    return says(image_read(path, NULL, &v), ERR_INPUT, "Permission denied");
}

static void without_rights(void **state) {
    (void)state;
    char path[512];
    strcpy(path, temp_text("closed.nii", "some bytes"));
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(chmod(temp_root, 0755), 0);
    apart(no_process, path);
    apart(not_readable, path);
}

/* Announces voxels, and has none: the process that reads ends while it sends them. */
static int ends_early(void *argument, char note[ISOLATE_NOTE], volume *out) {
    static const int dims[3] = {100, 100, 100};
    static const double one[3] = {1, 1, 1}, zero[3] = {0, 0, 0};
    (void)argument;
    (void)note;
    const int rc = volume_set_geometry(out, dims, one, zero, NULL);
    out->value = mmap(NULL, volume_size(out) * sizeof(float), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return rc;
}

static void reader_dies(void **state) {
    (void)state;
    volume v;
    assert_int_equal(says(isolate_read("x", ends_early, NULL, &v), ERR_RESOURCE, "reading 'x' failed"), 0);
    status_clear();
}

/* A header whose voxels are a file without blocks, larger than any memory. */
static void beyond_memory(void **state) {
    (void)state;
    const double installed = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const int deep = (int)(installed / 4 / 1e6) + 10;
    char head[500], path[512];
    volume v;
    const int n = snprintf(head, sizeof head,
                           "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
                           "CompressedData = False\nTransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 0 0 0\n"
                           "ElementSpacing = 1 1 1\nDimSize = 1000 1000 %d\nElementType = MET_UCHAR\n"
                           "ElementDataFile = LOCAL\n",
                           deep);
    strcpy(path, temp_text("large.mha", head));
    if (truncate(path, n + (off_t)deep * 1000000) != 0)
        skip();
    assert_int_equal(says(image_read(path, NULL, &v), ERR_RESOURCE, "this machine has"), 0);
    status_clear();
}

static void many_files(void **state) {
    (void)state;
    char folder[400], path[500];
    volume v;
    snprintf(folder, sizeof folder, "%s", temp_path("many"));
    assert_int_equal(mkdir(folder, 0700), 0);
    for (int k = 0; k <= 50000; k++) {
        snprintf(path, sizeof path, "%s/%d", folder, k);
        close(open(path, O_CREAT | O_WRONLY, 0600));
    }
    assert_int_equal(says(image_read(folder, NULL, &v), ERR_INPUT, "more than 50000 files"), 0);
    status_clear();
}

/* The case names a series of which nothing but a damaged file is there. */
static void only_damaged(void **state) {
    (void)state;
    char folder[400], path[500], *text;
    static buffer b;
    volume v;
    snprintf(folder, sizeof folder, "%s", temp_path("named"));
    assert_int_equal(mkdir(folder, 0700), 0);
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/%d.dcm", folder, k);
        make_slice(path, "1.2.3.4.100", k, 7);
    }
    snprintf(path, sizeof path, "%s/9.dcm", folder);
    make_slice(path, "1.2.3.4.900", 0, 7);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    b.n = fread(b.data, 1, sizeof b.data, f);
    fclose(f);
    text = memmem(b.data, b.n, "1\\0\\0\\0\\1\\0", 11);
    assert_non_null(text);
    assert_int_equal(truncate(path, (unsigned char *)text - b.data + 4), 0);
    assert_int_equal(says(image_read(folder, "1.2.3.4.900", &v), ERR_INPUT, "'9.dcm' is damaged"), 0);
    status_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(absent),         cmocka_unit_test(no_descriptor),
                                       cmocka_unit_test(without_rights), cmocka_unit_test(reader_dies),
                                       cmocka_unit_test(beyond_memory),  cmocka_unit_test(many_files),
                                       cmocka_unit_test(only_damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
