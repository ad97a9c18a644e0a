/* One of several DICOM series in a folder. */
#ifndef PORTAFLOW_PIPELINE_SERIES_H
#define PORTAFLOW_PIPELINE_SERIES_H
#include "pipeline/init/init_text.h"

/* sentence: that of image_read() for the folder `path`, which lists them (copied before anything else is read). Taken
 * is the first that can be read as one volume, in this order: acquired before derived and localizers; those whose
 * description says portal or venous, where they have at least a quarter of the slices of the longest; the number of
 * slices. All are printed, with the one taken and why others were not. series: its UID, unchanged if none is listed. */
void series_choose(const char *path, const char *sentence, char series[INIT_SERIES_MAX]);
#endif
