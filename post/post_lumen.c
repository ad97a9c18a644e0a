/* See post.h: what the report shows of the segmentation. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/case/case_chain.h"
#include "common/record/provenance.h"
#include "post/post.h"
#ifdef POST_HAVE_IMAGE
#include "common/image_file/itk_image.h"
#endif
#include <stdlib.h>
#include <string.h>

static int take_if_there(post_work *p, const char *name, cJSON *json, char **path) {
    char *own = file_join(p->segment_folder, name);
    int rc = own ? OK : fail_memory("a path", FILE_PATH_MAX);
    if (rc == OK && file_exists(own) && provenance_recorded(p->stage[REPORT_SEGMENT], "outputs", name, 1))
        rc = case_chain_take(&p->c, p->stage[REPORT_SEGMENT], p->segment_folder, name, json);
    else
        rc = rc == OK ? -1 : rc;
    if (rc == OK)
        *path = own;
    else
        free(own);
    return rc == -1 ? OK : rc;
}

#ifdef POST_HAVE_IMAGE
/* The image that segment read, if it is still that one. */
static int read_image(post_work *p) {
    const char *recorded = provenance_recorded(p->stage[REPORT_SEGMENT], "inputs", "image", 0);
    char *path = p->c.image.path && recorded ? case_resolve(&p->c, p->c.image.path) : NULL;
    char sum[17];
    int rc = OK;
    if (path && file_exists(path) && provenance_checksum(path, sum) == OK && strcmp(sum, recorded) == 0)
        rc = image_read(path, p->c.image.series, &p->image);
    free(path);
    if (rc == ERR_RESOURCE)
        return rc;
    if (rc != OK)
        volume_free(&p->image);
    status_clear(); /* the report does without */
    return OK;
}
#endif

int post_lumen_read(post_work *p, cJSON *json) {
    char *phi = NULL;
    int rc = OK;
    if (!p->stage[REPORT_SEGMENT])
        return OK;
    TRY(take_if_there(p, "qc.png", json, &p->qc_path));
    TRY(take_if_there(p, "phi.nii.gz", json, &phi));
#ifdef POST_HAVE_IMAGE
    if (phi) {
        TRY(image_read(phi, NULL, &p->phi));
        TRY(read_image(p));
    }
#endif
cleanup:
    free(phi);
    return rc;
}
