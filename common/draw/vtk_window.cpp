/* SPDX-License-Identifier: Apache-2.0 */
/* Debian's VTK has an X11 window, which aborts without a display; this window uses its own surfaceless EGL context.
 * Debian's GLEW is the GLX build: it loads all functions and then reports a missing GLX display. */
#include "common/draw/vtk_window.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkUnsignedCharArray.h>
#include <vtkWindowToImageFilter.h>

/* Replaces GLEW's function in VTK. Code 4 is GLEW_ERROR_NO_GLX_DISPLAY, returned after all functions are loaded. */
extern "C" unsigned int glewInit(void);
extern "C" unsigned int glewInit(void) {
    typedef unsigned int (*function)(void);
    function next = reinterpret_cast<function>(dlsym(RTLD_NEXT, "glewInit"));
    unsigned int code = next ? next() : 1;
    return code == 4 ? 0 : code;
}

/* Suppresses leaks of the OpenGL driver, which is never unloaded. */
extern "C" const char *__lsan_default_suppressions(void);
extern "C" const char *__lsan_default_suppressions(void) {
    return "leak:_dri.so\nleak:libLLVM\nleak:libEGL\n";
}

namespace {
struct egl_context {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    const char *reason = nullptr;

    egl_context() {
        choose_bundled_driver();
        reason = open_display();
    }
    ~egl_context() {
        if (context != EGL_NO_CONTEXT) {
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
            eglDestroyContext(display, context);
        }
    }
    egl_context(const egl_context &) = delete;
    egl_context &operator=(const egl_context &) = delete;

  private:
    /* Selects the OpenGL of a folder that holds all libraries (packaging/bundle.sh), because a driver of the machine
     * may need newer libraries. Environment variables of the user have priority. */
    static void choose_bundled_driver() {
        char folder[FILE_PATH_MAX], vendor[FILE_PATH_MAX], drivers[FILE_PATH_MAX];
        const ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
        folder[n > 0 ? n : 0] = '\0';
        char *slash = strrchr(folder, '/');
        if (!slash)
            return;
        *slash = '\0';
        if (file_path(vendor, sizeof vendor, "%s/../lib/portaflow/egl/mesa.json", folder) != OK ||
            file_path(drivers, sizeof drivers, "%s/../lib/portaflow/dri", folder) != OK || !file_exists(vendor))
            return;
        setenv("__EGL_VENDOR_LIBRARY_FILENAMES", vendor, 0);
        setenv("LIBGL_DRIVERS_PATH", drivers, 0);
    }

    const char *open_display() {
        PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
        EGLint major, minor, n = 0;
        EGLConfig config;
        const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2, EGL_NONE};
        if (!get_display)
            return "this EGL cannot draw without a screen";
        display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
        if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor))
            return "EGL has no surfaceless display (install libegl-mesa0 and libgl1-mesa-dri)";
        if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &n) || n < 1)
            return "EGL has no OpenGL configuration";
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
        if (context == EGL_NO_CONTEXT)
            return "EGL gave no OpenGL 3.2 context";
        return nullptr;
    }
};

egl_context &shared_context() {
    static egl_context context; /* the context of this process */
    return context;
}
} // namespace

vtkSmartPointer<vtkGenericOpenGLRenderWindow> vtk_window_create(int width, int height, const char **reason) {
    egl_context &egl = shared_context();
    *reason = egl.reason;
    vtkObject::GlobalWarningDisplayOff(); /* errors are reported by the caller only */
    if (!*reason && !eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl.context))
        *reason = "the EGL context cannot be used without a surface";
    if (*reason)
        return nullptr;
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> window = vtkSmartPointer<vtkGenericOpenGLRenderWindow>::New();
    window->SetOwnContext(0);
    window->SetReadyForRendering(true);
    window->SetIsCurrent(true);
    window->SetSupportsOpenGL(1);
    window->SetMultiSamples(0);
    window->SetOffScreenRendering(true);
    window->SetSize(width, height);
    return window;
}

int vtk_window_write(vtkGenericOpenGLRenderWindow *window, const char *path) {
    window->Render();
    vtkNew<vtkWindowToImageFilter> image;
    image->SetInput(window);
    image->ReadFrontBufferOff();
    image->SetInputBufferTypeToRGB();
    image->Update();
    vtkNew<vtkPNGWriter> writer; /* written to memory, because file_write writes the file */
    writer->WriteToMemoryOn();
    writer->SetInputConnection(image->GetOutputPort());
    writer->Write();
    vtkUnsignedCharArray *png = writer->GetResult();
    if (!png || png->GetNumberOfValues() == 0)
        return fail(ERR_INTERNAL,
                    "the picture '%s' is empty: VTK could not draw it (error in the program or in the graphics driver)",
                    path);
    return file_write(path, png->GetPointer(0), static_cast<size_t>(png->GetNumberOfValues()));
}
