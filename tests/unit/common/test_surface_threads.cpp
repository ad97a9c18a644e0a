/* SPDX-License-Identifier: Apache-2.0 */
/* A surface is read in a process of its own, which has none of the threads that VTK made before: a loop shared with
 * them may wait for ever (seen once in some 100,000 reads). None is shared there, which shows in that none is made. */
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include <atomic>
#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <dlfcn.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vtkNew.h>
#include <vtkPolyDataWriter.h>
#include <vtkSphereSource.h>
extern "C" {
#include "tests/unit/temp.h"
#include <cmocka.h>
}

namespace {

using create = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
pid_t parent;
std::atomic<int> *made; /* by others than the parent, which share it */

void none_in_the_reader(void **) {
    vtkNew<vtkSphereSource> ball;
    vtkNew<vtkPolyDataWriter> w;
    surface s;
    ball->SetThetaResolution(60);
    ball->SetPhiResolution(60);
    w->SetInputConnection(ball->GetOutputPort());
    w->SetFileName(temp_path("ball.vtk"));
    w->Write();
    assert_int_equal(surface_read(temp_path("ball.vtk"), 1, 0, &s), OK);
    surface_free(&s);
    assert_int_equal(surface_read_frame(temp_path("ball.vtk"), 0, 0), -1); /* not said */
    assert_int_equal(*made, 0);
}

} // namespace

/* In place of the C library's. */
extern "C" int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    static const auto real = reinterpret_cast<create>(dlsym(RTLD_NEXT, "pthread_create"));
    if (made && getpid() != parent)
        ++*made;
    return real(id, attributes, run, argument);
}

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(none_in_the_reader)};
    void *page = mmap(nullptr, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 1;
    made = new (page) std::atomic<int>{0};
    parent = getpid();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
