/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of vtk_surface_tools.h: reading .vtp with a check of the lengths of its arrays. */
#include "common/surface_vtk/vtk_surface_tools.h"

#include <cstdlib>
#include <cstring>

#include <vtkDataArray.h>
#include <vtkErrorCode.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLDataParser.h>
#include <vtkXMLPolyDataReader.h>

namespace {

/* VTK reads the number of values that the piece states and ignores further values; this reader reports them. */
class counting_reader : public vtkXMLPolyDataReader {
  public:
    static counting_reader *New();
    vtkTypeMacro(counting_reader, vtkXMLPolyDataReader);
    bool surplus = false;

  protected:
    int ReadArrayValues(vtkXMLDataElement *element, vtkIdType index, vtkAbstractArray *array, vtkIdType start,
                        vtkIdType n, FieldType type) override {
        const int read = Superclass::ReadArrayValues(element, index, array, start, n, type);
        if (read && !of_cells(element) && vtkDataArray::SafeDownCast(array) &&
            value_at(element, array->GetDataType(), start + n))
            surplus = true;
        return read;
    }

  private:
    /* True for cell data. They are stored in parts (vertices, lines, polygons) and are not used here. */
    static bool of_cells(vtkXMLDataElement *element) {
        vtkXMLDataElement *block = element->GetParent();
        return block && block->GetName() && std::strcmp(block->GetName(), "CellData") == 0;
    }

    /* True if the array has a value at index `at`. The read starts one value earlier: if the array fills its last
     * compressed block, a read that starts at the end would access a missing block. */
    bool value_at(vtkXMLDataElement *element, int type, vtkIdType at) {
        char value[2 * 64];
        const char *offset = element->GetAttribute("offset"), *format = element->GetAttribute("format");
        const vtkTypeUInt64 before = at > 0 ? 1 : 0, word = static_cast<vtkTypeUInt64>(at) - before;
        if (offset)
            return XMLParser->ReadAppendedData(std::strtoll(offset, nullptr, 10), value, word, before + 1, type) >
                   before;
        const int text = format && std::strcmp(format, "ascii") == 0;
        return XMLParser->ReadInlineData(element, text, value, word, before + 1, type) > before;
    }
};
vtkStandardNewMacro(counting_reader);

} // namespace

namespace vtk_surface_tools {

vtkSmartPointer<vtkPolyData> read_xml(const char *path) {
    vtkNew<counting_reader> reader;
    reader->SetFileName(path);
    reader->Update();
    if (reader->GetErrorCode() != vtkErrorCode::NoError || reader->surplus)
        return nullptr;
    return reader->GetOutput();
}

} // namespace vtk_surface_tools
