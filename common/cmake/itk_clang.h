/* SPDX-License-Identifier: Apache-2.0 */
/* Included before everything else when Clang compiles C++ (portaflow.cmake). The itk_compiler_detection.h of Debian's
 * ITK 5.2, which was configured for gcc, stops at other compilers with "Unsupported compiler". It needs plain C++11
 * only, so this file presents Clang as gcc 12 while that header is read. */
#if defined(__clang__) && defined(__has_include)
#if __has_include(<itk_compiler_detection.h>)
#pragma push_macro("__clang__")
#pragma push_macro("__GNUC__")
#pragma push_macro("__GNUC_MINOR__")
#undef __clang__
#undef __GNUC__
#undef __GNUC_MINOR__
#define __GNUC__       12
#define __GNUC_MINOR__ 2
#include <itk_compiler_detection.h>
#pragma pop_macro("__GNUC_MINOR__")
#pragma pop_macro("__GNUC__")
#pragma pop_macro("__clang__")
#endif
#endif
