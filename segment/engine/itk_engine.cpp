/* SPDX-License-Identifier: Apache-2.0 */
/* The engine of ITK filters; see front_engine.h. */
#include "common/base/guard.h"
#include "segment/engine/front_engine.h"
#include "segment/wall/gradient_edge.h"
#include <cstring>
#include <itkCurvatureAnisotropicDiffusionImageFilter.h>
#include <itkGeodesicActiveContourLevelSetImageFilter.h>
#include <itkGradientMagnitudeRecursiveGaussianImageFilter.h>
#include <itkImportImageFilter.h>
#include <itkMultiThreaderBase.h>

namespace {

using image = itk::Image<float, 3>;

/* Wrap the volume's values, without a copy, as an ITK image of unit spacing. */
image::Pointer wrap_volume(const volume *v) {
    auto import = itk::ImportImageFilter<float, 3>::New();
    itk::ImportImageFilter<float, 3>::SizeType size;
    for (unsigned a = 0; a < 3; a++)
        size[a] = static_cast<itk::SizeValueType>(v->dims[a]);
    import->SetRegion(itk::ImportImageFilter<float, 3>::RegionType(size));
    import->SetImportPointer(v->value, volume_size(v), false);
    import->Update();
    image::Pointer out = import->GetOutput();
    out->DisconnectPipeline();
    return out;
}

void copy_out(const image *from, volume *to) {
    memcpy(to->value, from->GetBufferPointer(), volume_size(to) * sizeof(float));
}

template <class F> int guarded(const volume *v, F body) {
    const double bytes = 4.0 * static_cast<double>(volume_size(v));
    return guard_call("a step of the level set", bytes, [&]() {
        try {
            itk::Object::SetGlobalWarningDisplay(false);
            body();
            return static_cast<int>(OK);
        } catch (const itk::MemoryAllocationError &) {
            throw std::bad_alloc();
        } catch (const itk::ExceptionObject &e) { /* GetDescription() is printed, because what() also contains paths of
                                                   * ITK sources */
            return fail(ERR_INTERNAL, "a step of the level set failed in ITK: %s (error in the program)",
                        e.GetDescription());
        }
    });
}

int denoise_all(volume *v, int steps, double conductance) {
    if (steps <= 0)
        return OK;
    return guarded(v, [&]() {
        auto filter = itk::CurvatureAnisotropicDiffusionImageFilter<image, image>::New();
        filter->SetInput(wrap_volume(v));
        filter->SetNumberOfIterations(static_cast<itk::IdentifierType>(steps));
        filter->SetTimeStep(0.0625);
        filter->SetConductanceParameter(conductance);
        filter->Update();
        copy_out(filter->GetOutput(), v);
    });
}

int gradient_magnitude(const volume *v, double sigma_voxels, volume *out) {
    const int rc = volume_create_like(out, v);
    if (rc != OK)
        return rc;
    return guarded(v, [&]() {
        auto filter = itk::GradientMagnitudeRecursiveGaussianImageFilter<image, image>::New();
        filter->SetInput(wrap_volume(v));
        filter->SetSigma(sigma_voxels);
        filter->Update();
        copy_out(filter->GetOutput(), out);
    });
}

int evolve_front(volume *level, const volume *feature, const volume *, const front_weights *weights, int *done) {
    return guarded(level, [&]() {
        using filter_type = itk::GeodesicActiveContourLevelSetImageFilter<image, image>;
        auto filter = filter_type::New();
        filter->SetInput(wrap_volume(level));
        filter->SetFeatureImage(wrap_volume(feature));
        filter->SetPropagationScaling(static_cast<float>(weights->propagation));
        filter->SetCurvatureScaling(static_cast<float>(weights->curvature));
        filter->SetAdvectionScaling(static_cast<float>(weights->advection));
        filter->SetMaximumRMSError(0);
        filter->SetNumberOfIterations(static_cast<itk::IdentifierType>(weights->iterations));
        filter->SetIsoSurfaceValue(0);
        filter->SetNumberOfLayers(4);
        filter->SetDerivativeSigma(0.8);
        filter->Update();
        *done = static_cast<int>(filter->GetElapsedIterations());
        copy_out(filter->GetOutput(), level);
    });
}

} // namespace

void itk_engine_threads(int n) {
    if (n > 0)
        itk::MultiThreaderBase::SetGlobalDefaultNumberOfThreads(static_cast<itk::ThreadIdType>(n));
}

extern "C" {
extern const front_engine itk_engine = {"itk", gradient_edge_denoise, denoise_all, gradient_magnitude, evolve_front};
}
