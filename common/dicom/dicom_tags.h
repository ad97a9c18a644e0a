/* Elements of a DICOM data set as texts and numbers. C++ (GDCM), used by the DICOM readers alone. */
#ifndef PORTAFLOW_DICOM_TAGS_H
#define PORTAFLOW_DICOM_TAGS_H
#include <cmath>
#include <gdcmReader.h>
#include <gdcmSequenceOfItems.h>
#include <string>

/* "" when it is not there; without the blanks that fill it up. */
std::string dicom_tags_text(const gdcm::DataSet &ds, const gdcm::Tag &tag);

/* n numbers of a text separated by backslashes; false unless there are exactly n. */
bool dicom_tags_numbers(const gdcm::DataSet &ds, const gdcm::Tag &tag, int n, double *out);
int dicom_tags_u16(const gdcm::DataSet &ds, const gdcm::Tag &tag); /* 0: not there */

/* Number k (from 0) of an element of type DS, IS, LO, SH, CS, FD, FL, US, SS or SL; NaN when it is not there. `type`:
 * what it is taken for where the file does not say it (implicit VR). */
double dicom_tags_value(const gdcm::DataSet &ds, const gdcm::Tag &tag, gdcm::VR::VRType type, int k = 0);

/* The data set of item k (from 1) of a sequence, NULL when it is not there; `hold` keeps it alive. */
const gdcm::DataSet *dicom_tags_item(const gdcm::DataSet &ds, const gdcm::Tag &tag, size_t k,
                                     gdcm::SmartPointer<gdcm::SequenceOfItems> *hold);
#endif
