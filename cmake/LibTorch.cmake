# LibTorch as a target of our own. Torch's CMake package asks for a whole CUDA toolkit when its build has CUDA;
# we compile no device code, so headers and libraries are all we need.
#
# LIBTORCH=/path (environment or -D) takes an official LibTorch; otherwise the wheel in NOWHERE_VENV is used: the CPU's in
# build/venv, or with the preset cuda the CUDA one in build/venv-cuda.
set(NOWHERE_VENV "${CMAKE_SOURCE_DIR}/build/venv" CACHE PATH "The Python environment whose torch is built against")
if(NOT LIBTORCH AND DEFINED ENV{LIBTORCH})
  set(LIBTORCH "$ENV{LIBTORCH}")
endif()
if(NOT LIBTORCH)
  file(GLOB wheel "${NOWHERE_VENV}/lib/python3*/site-packages/torch")
  list(GET wheel 0 LIBTORCH)
endif()
if(NOT EXISTS "${LIBTORCH}/include/torch/csrc/api/include/torch/torch.h")
  message(FATAL_ERROR "No LibTorch in '${LIBTORCH}'. Run scripts/demo or scripts/test (for CUDA scripts/test --cuda), "
                      "which install it below build, or set LIBTORCH to an unpacked official LibTorch 2.13.0.")
endif()
message(STATUS "LibTorch: ${LIBTORCH}")

add_library(libtorch INTERFACE)
add_library(nowhere::libtorch ALIAS libtorch)
target_include_directories(libtorch SYSTEM INTERFACE
  "${LIBTORCH}/include" "${LIBTORCH}/include/torch/csrc/api/include")
# The device libraries register themselves when loaded: without --no-as-needed the linker would drop them.
set(torch_names torch torch_cpu c10 torch_cuda c10_cuda)
set(torch_libraries "")
foreach(name IN LISTS torch_names)
  if(EXISTS "${LIBTORCH}/lib/lib${name}.so")
    list(APPEND torch_libraries "${LIBTORCH}/lib/lib${name}.so")
  endif()
endforeach()
target_link_libraries(libtorch INTERFACE -Wl,--no-as-needed ${torch_libraries} -Wl,--as-needed)
# The OpenMP that LibTorch itself runs on: with another one, two sets of threads would fight for the cores.
file(GLOB torch_openmp "${LIBTORCH}/lib/libgomp*.so*")
if(torch_openmp)
  list(GET torch_openmp 0 torch_openmp)
else()
  set(torch_openmp gomp)
endif()
target_link_libraries(libtorch INTERFACE "${torch_openmp}")
list(APPEND CMAKE_BUILD_RPATH "${LIBTORCH}/lib")
list(APPEND CMAKE_INSTALL_RPATH "${LIBTORCH}/lib")
include(cmake/Collectives.cmake)
