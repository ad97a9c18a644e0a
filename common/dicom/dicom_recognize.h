/* Whether a file is DICOM by its mark. */
#ifndef PORTAFLOW_DICOM_RECOGNIZE_H
#define PORTAFLOW_DICOM_RECOGNIZE_H
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif
bool dicom_recognize(const char *path); /* a file with DICOM's mark at byte 128 */
#ifdef __cplusplus
}
#endif
#endif
