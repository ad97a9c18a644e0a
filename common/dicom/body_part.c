/* SPDX-License-Identifier: Apache-2.0 */
/* The accepted words and their regions. dicom_body_part.cpp reads the header. */
#include "common/dicom/body_part.h"
#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *word;
    enum body_region region;
} part[] = {{"ABDOMEN", BODY_ABDOMEN},
            {"ABDOMENPELVIS", BODY_ABDOMEN},
            {"ADRENAL", BODY_ABDOMEN},
            {"ANKLE", BODY_LIMB},
            {"AORTA", BODY_UNKNOWN},
            {"ARM", BODY_LIMB},
            {"BRAIN", BODY_HEAD_NECK},
            {"CALF", BODY_LIMB},
            {"CAROTID", BODY_HEAD_NECK},
            {"CHEST", BODY_CHEST},
            {"CHESTABDOMEN", BODY_UNKNOWN},
            {"CHESTABDPELVIS", BODY_UNKNOWN},
            {"CIRCLEOFWILLIS", BODY_HEAD_NECK},
            {"CORONARYARTERY", BODY_CHEST},
            {"CSPINE", BODY_HEAD_NECK},
            {"ELBOW", BODY_LIMB},
            {"EXTREMITY", BODY_LIMB},
            {"EYE", BODY_HEAD_NECK},
            {"FACE", BODY_HEAD_NECK},
            {"FOOT", BODY_LIMB},
            {"FOREARM", BODY_LIMB},
            {"GALLBLADDER", BODY_ABDOMEN},
            {"HAND", BODY_LIMB},
            {"HEAD", BODY_HEAD_NECK},
            {"HEADNECK", BODY_HEAD_NECK},
            {"HEART", BODY_CHEST},
            {"HIP", BODY_LIMB},
            {"KIDNEY", BODY_ABDOMEN},
            {"KNEE", BODY_LIMB},
            {"LEG", BODY_LIMB},
            {"LIVER", BODY_ABDOMEN},
            {"LSPINE", BODY_ABDOMEN},
            {"LUNG", BODY_CHEST},
            {"MEDIASTINUM", BODY_CHEST},
            {"NECK", BODY_HEAD_NECK},
            {"NECKCHEST", BODY_UNKNOWN},
            {"NECKCHESTABDOMEN", BODY_UNKNOWN},
            {"NECKCHESTABDPELV", BODY_UNKNOWN},
            {"ORBIT", BODY_HEAD_NECK},
            {"PANCREAS", BODY_ABDOMEN},
            {"PELVIS", BODY_ABDOMEN},
            {"SHOULDER", BODY_LIMB},
            {"SKULL", BODY_HEAD_NECK},
            {"SPINE", BODY_UNKNOWN},
            {"SPLEEN", BODY_ABDOMEN},
            {"STOMACH", BODY_ABDOMEN},
            {"THIGH", BODY_LIMB},
            {"THYROID", BODY_HEAD_NECK},
            {"TSPINE", BODY_CHEST},
            {"WHOLEBODY", BODY_UNKNOWN},
            {"WRIST", BODY_LIMB}};

enum { PARTS = sizeof part / sizeof *part };

/* True if `text` equals `word`, ignoring case, ' ' and '_'. */
static int same_letters(const char *text, const char *word) {
    for (; *text; text++) {
        if (*text == ' ' || *text == '_')
            continue;
        if (*word == '\0' || toupper((unsigned char)*text) != *word)
            return 0;
        word++;
    }
    return *word == '\0';
}

const char *body_part_word(const char *text) {
    for (int k = 0; k < PARTS && text != NULL; k++)
        if (same_letters(text, part[k].word))
            return part[k].word;
    return NULL;
}

enum body_region body_part_region(const char *word) {
    for (int k = 0; k < PARTS && word != NULL; k++)
        if (strcmp(word, part[k].word) == 0)
            return part[k].region;
    return BODY_UNKNOWN;
}
