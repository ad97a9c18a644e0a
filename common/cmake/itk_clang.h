/* Included before everything when Clang compiles C++ (portaflow.cmake). Debian's ITK 5.2 was configured for gcc, and
 * its itk_compiler_detection.h stops at any other compiler ("Unsupported compiler") although what it then asks for is
 * plain C++11. For the length of that one header Clang is taken for gcc 12, the compiler it was made with. */
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
