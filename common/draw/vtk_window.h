/* SPDX-License-Identifier: Apache-2.0 */
/* A render window without a screen; part of the VTK shim (vtk_draw.h). */
#ifndef PORTAFLOW_VTK_WINDOW_H
#define PORTAFLOW_VTK_WINDOW_H
#include "common/base/must_check.h"
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkSmartPointer.h>

/* Creates a window of this size. Without EGL it returns nullptr and sets the reason. */
vtkSmartPointer<vtkGenericOpenGLRenderWindow> vtk_window_create(int width, int height, const char **reason);
/* Renders and writes a PNG as "<path>.part", then renames it. Errors: ERR_OUTPUT. */
MUST_CHECK int vtk_window_write(vtkGenericOpenGLRenderWindow *window, const char *path);
#endif
