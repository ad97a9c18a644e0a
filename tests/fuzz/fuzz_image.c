/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an image, the format by their first ones: NIfTI, NRRD, MetaImage or DICOM. Finite values on a grid with
 * right angles, or refused with a sentence. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/image_file/itk_image.h"
#include "tests/fuzz/fuzz_file.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int is_sound(const volume *v) {
    int sound = 1;
    for (int a = 0; a < 3; a++)
        sound =
            sound && v->dims[a] > 0 && v->spacing_mm[a] > 0 && isfinite(v->spacing_mm[a]) && isfinite(v->origin_mm[a]);
    for (size_t i = 0; sound && i < volume_size(v); i++)
        sound = isfinite(v->value[i]);
    return sound;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file(data, size, size > 0 && data[0] == 'O' ? ".mha" : ".image");
    volume v;
    status_clear();
    const int rc = image_read(path, NULL, &v);
    if (rc != OK)
        fuzz_refused(rc, status_message());
    else if (!is_sound(&v))
        abort();
    volume_free(&v);
    message_clear();
    return 0;
}
