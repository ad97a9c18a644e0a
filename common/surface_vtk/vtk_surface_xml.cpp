/* Reading .vtp with the counts of its arrays compared; see vtk_surface_tools.h. */
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

/* VTK takes as many values as the piece announces and leaves the rest of an array unread: here that is an error. */
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
    /* Data of cells come in parts (vertices, lines, polygons); they are not used here. */
    static bool of_cells(vtkXMLDataElement *element) {
        vtkXMLDataElement *block = element->GetParent();
        return block && block->GetName() && std::strcmp(block->GetName(), "CellData") == 0;
    }

    /* Whether there is a value at `at`. Read from the one before on: a read that begins at the very end of an array
     * that fills its last compressed block would be of a block that is not there. */
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
