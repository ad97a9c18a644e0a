// A render window without a screen, part of the shim around VTK (vtk_draw.h).
#ifndef PORTAFLOW_VTK_WINDOW_H
#define PORTAFLOW_VTK_WINDOW_H
#include "common/base/must_check.h"
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkSmartPointer.h>

// nullptr when there is no EGL; `reason` says why then.
vtkSmartPointer<vtkGenericOpenGLRenderWindow> vtk_window_create(int width, int height, const char **reason);
// Render and write a PNG through "<path>.part". Errors: ERR_OUTPUT.
MUST_CHECK int vtk_window_write(vtkGenericOpenGLRenderWindow *window, const char *path);
#endif
