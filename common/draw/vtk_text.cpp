/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of vtk_draw.h. */
#include "common/draw/vtk_draw.h"
#include "common/base/guard.h"
#include <cstdlib>
#include <cstring>
#include <vtkFreeTypeTools.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkStdString.h>
#include <vtkTextProperty.h>

int vtk_text_draw(const char *text, int size, int bold, vtk_text_bitmap *out) {
    memset(out, 0, sizeof *out);
    return guard_call("drawing a text", 0, [&]() {
        vtkNew<vtkImageData> image;
        vtkNew<vtkTextProperty> style;
        style->SetFontFamilyToArial();
        style->SetFontSize(size);
        style->SetBold(bold);
        style->SetColor(1, 1, 1);
        int dims[2] = {0, 0};
        if (!vtkFreeTypeTools::GetInstance()->RenderString(style, vtkStdString(text), 72, image, dims))
            return fail(ERR_INTERNAL, "the text of a picture could not be drawn (error in the program or its fonts)");
        int extent[6];
        image->GetExtent(extent);
        out->width = extent[1] - extent[0] + 1;
        out->height = extent[3] - extent[2] + 1;
        out->cover =
            static_cast<unsigned char *>(calloc(static_cast<size_t>(out->width), static_cast<size_t>(out->height)));
        if (out->cover == nullptr)
            return fail_memory("a text", out->width * out->height);
        int parts = image->GetNumberOfScalarComponents();
        for (int y = 0; y < out->height; y++)
            for (int x = 0; x < out->width; x++) {
                const auto *p =
                    static_cast<unsigned char *>(image->GetScalarPointer(extent[0] + x, extent[3] - y, extent[4]));
                out->cover[y * out->width + x] = p[parts - 1];
            }
        return static_cast<int>(OK);
    });
}

void vtk_text_free(vtk_text_bitmap *t) {
    free(t->cover);
    memset(t, 0, sizeof *t);
}
