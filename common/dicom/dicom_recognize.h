/* Recognize DICOM files by the DICM mark. */
#ifndef PORTAFLOW_DICOM_RECOGNIZE_H
#define PORTAFLOW_DICOM_RECOGNIZE_H
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif
bool dicom_recognize(const char *path); /* true when the file has "DICM" at byte 128 */
#ifdef __cplusplus
}
#endif
#endif
