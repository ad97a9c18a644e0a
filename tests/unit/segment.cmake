# Tests of segment and of the image files in common.
if(TARGET common_image)
  portaflow_test(test_itk_image SOURCES unit/test_itk_image.c LINK common_image)
  portaflow_test(test_dicom_stack SOURCES unit/test_dicom_stack.c LINK common_image)
  portaflow_test(test_itk_dicom SOURCES unit/test_itk_dicom.c LINK common_image)
endif()
