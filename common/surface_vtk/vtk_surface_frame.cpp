/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of vtk_surface.h: the frame stated in the field data of a VTP or VTK file, as 3D Slicer writes
 * it. */
#include "common/base/guard.h"
#include "common/base/status.h"
#include "common/image/isolate.h"
#include "common/surface_vtk/vtk_surface.h"
#include "common/surface_vtk/vtk_surface_tools.h"

#include <cctype>
#include <cstring>
#include <string>
#include <sys/stat.h>

#include <vtkFieldData.h>
#include <vtkGenericDataObjectReader.h>
#include <vtkNew.h>
#include <vtkStringArray.h>

using namespace vtk_surface_tools;

namespace {

enum stated_frame { SAID_NOTHING, SAID_RAS, SAID_LPS };

vtkSmartPointer<vtkPolyData> read_any(const char *path) {
    if (ending_of(path) == ".vtp")
        return read_xml(path);
    vtkNew<vtkGenericDataObjectReader> reader;
    reader->SetFileName(path);
    reader->Update();
    return vtkPolyData::SafeDownCast(reader->GetOutputDataObject(0));
}

int frame_of_field(vtkPolyData *poly) {
    auto *array = poly ? vtkStringArray::SafeDownCast(poly->GetFieldData()->GetAbstractArray("SPACE")) : nullptr;
    std::string text = array && array->GetNumberOfValues() > 0 ? array->GetValue(0) : "";
    for (auto &c : text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (text.find("RAS") != std::string::npos)
        return SAID_RAS;
    return text.find("LPS") != std::string::npos ? SAID_LPS : SAID_NOTHING;
}

/* Reads the frame from a file; a reader for isolate_read, which returns the answer as one voxel. */
int read_frame(void *argument, char *, volume *out) {
    const char *path = static_cast<const char *>(argument);
    const int dims[3] = {1, 1, 1};
    const double one[3] = {1, 1, 1}, zero[3] = {0, 0, 0};
    struct stat file;
    int answer = SAID_NOTHING;
    use_one_thread();
    if (stat(path, &file) == 0)
        isolate_limit_memory(5e8 + 100.0 * static_cast<double>(file.st_size));
    int rc = guard_call("reading a surface", 0, [&]() {
        answer = frame_of_field(read_any(path));
        return static_cast<int>(OK);
    });
    if (rc == OK)
        rc = volume_create(out, dims, one, zero, nullptr);
    if (rc == OK)
        out->value[0] = static_cast<float>(answer);
    return rc;
}

} // namespace

int surface_read_frame(const char *path, int ras, int lps) {
    const int text = surface_stated_frame(path, ras, lps);
    volume answer = {};
    std::string ending;
    const int named = guard_call("reading a surface", 0, [&]() {
        ending = ending_of(path);
        return static_cast<int>(OK);
    });
    if (text >= 0 || named != OK || (ending != ".vtp" && ending != ".vtk"))
        return text;
    int stated_frame = SAID_NOTHING;
    if (isolate_read(path, read_frame, const_cast<char *>(path), &answer) == OK && answer.value)
        stated_frame = static_cast<int>(answer.value[0]);
    else
        status_clear(); /* the error is reported when the surface itself is read */
    volume_free(&answer);
    return stated_frame == SAID_RAS ? ras : stated_frame == SAID_LPS ? lps : -1;
}
