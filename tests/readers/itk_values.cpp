/* SPDX-License-Identifier: Apache-2.0 */
// What ITK, which 3D Slicer reads and writes images with, finds in a file.
//
//   itk_values FILE I J K ..        size, then of each voxel its place (LPS, mm) and its value, a line each
//   itk_values FILE --copy TO       the same image, written by ITK
#include <cstdlib>
#include <iostream>
#include <itkImage.h>
#include <itkImageFileReader.h>
#include <itkImageFileWriter.h>
#include <itkMetaImageIOFactory.h>
#include <itkNiftiImageIOFactory.h>
#include <itkNrrdImageIOFactory.h>
#include <string>

using image = itk::Image<float, 3>;

static int run(int argc, char **argv) {
    itk::NiftiImageIOFactory::RegisterOneFactory();
    itk::NrrdImageIOFactory::RegisterOneFactory();
    itk::MetaImageIOFactory::RegisterOneFactory();
    auto reader = itk::ImageFileReader<image>::New();
    reader->SetFileName(argv[1]);
    reader->Update();
    const image *found = reader->GetOutput();
    if (argc == 4 && std::string(argv[2]) == "--copy") {
        auto writer = itk::ImageFileWriter<itk::Image<unsigned char, 3>>::New();
        auto bytes = itk::ImageFileReader<itk::Image<unsigned char, 3>>::New();
        bytes->SetFileName(argv[1]);
        writer->SetInput(bytes->GetOutput());
        writer->SetFileName(argv[3]);
        writer->SetUseCompression(true);
        writer->Update();
        return 0;
    }
    const auto size = found->GetLargestPossibleRegion().GetSize();
    std::cout << size[0] << ' ' << size[1] << ' ' << size[2] << '\n';
    for (int k = 2; k + 2 < argc; k += 3) {
        image::IndexType at = {{std::atol(argv[k]), std::atol(argv[k + 1]), std::atol(argv[k + 2])}};
        image::PointType place;
        found->TransformIndexToPhysicalPoint(at, place);
        std::cout << place[0] << ' ' << place[1] << ' ' << place[2] << ' ' << found->GetPixel(at) << '\n';
    }
    return 0;
}

int main(int argc, char **argv) {
    try {
        return argc > 2 ? run(argc, argv) : 2;
    } catch (const itk::ExceptionObject &e) {
        std::cerr << "itk_values: " << e.GetDescription() << '\n';
        return 1;
    }
}
