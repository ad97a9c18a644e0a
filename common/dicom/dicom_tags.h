/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of a DICOM data set as text and numbers. C++ (GDCM), used by the DICOM readers. */
#ifndef PORTAFLOW_DICOM_TAGS_H
#define PORTAFLOW_DICOM_TAGS_H
#include <cmath>
#include <gdcmReader.h>
#include <gdcmSequenceOfItems.h>
#include <string>

/* Text without trailing padding; "" when missing. */
std::string dicom_tags_text(const gdcm::DataSet &ds, const gdcm::Tag &tag);

/* Read n numbers separated by backslashes; false unless the element has exactly n numbers. */
bool dicom_tags_numbers(const gdcm::DataSet &ds, const gdcm::Tag &tag, int n, double *out);
int dicom_tags_u16(const gdcm::DataSet &ds, const gdcm::Tag &tag); /* value of an element; 0: missing */

/* Number k (from 0) of an element of type DS, IS, LO, SH, CS, FD, FL, US, SS or SL; NaN when missing. `type`: assumed
 * type when the file has implicit VR. */
double dicom_tags_value(const gdcm::DataSet &ds, const gdcm::Tag &tag, gdcm::VR::VRType type, int k = 0);

/* Sequence, parsed once; NULL when missing. Data set of its item k (from 1); NULL when missing. */
gdcm::SmartPointer<gdcm::SequenceOfItems> dicom_tags_sequence(const gdcm::DataSet &ds, const gdcm::Tag &tag);
const gdcm::DataSet *dicom_tags_item_of(const gdcm::SmartPointer<gdcm::SequenceOfItems> &items, size_t k);

/* Data set of item k (from 1) of a sequence; NULL when missing. `hold` keeps the sequence in memory. */
const gdcm::DataSet *dicom_tags_item(const gdcm::DataSet &ds, const gdcm::Tag &tag, size_t k,
                                     gdcm::SmartPointer<gdcm::SequenceOfItems> *hold);
#endif
