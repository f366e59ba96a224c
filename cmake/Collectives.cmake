# What c10d's process groups need beside LibTorch: its headers include those of Gloo and NCCL, which it does not carry. The
# libraries it does carry, so Debian's libgloo is never linked. Both targets are always there; a source asks with
# USE_C10D_GLOO and USE_C10D_NCCL, as c10d's own headers do.
add_library(nowhere_gloo INTERFACE)
find_path(GLOO_INCLUDE gloo/algorithm.h REQUIRED)  # libgloo-dev
target_include_directories(nowhere_gloo SYSTEM INTERFACE "${GLOO_INCLUDE}")
target_compile_definitions(nowhere_gloo INTERFACE USE_C10D_GLOO)

# NCCL, where LibTorch has CUDA. The wheel's own packages bring the headers: nvidia/nccl, and nvidia/cu13 with those of
# nvidia-cuda-crt and nvidia-cuda-cccl from scripts/requirements-cuda.txt. Beside an official LibTorch, the system's serve.
add_library(nowhere_nccl INTERFACE)
set(NOWHERE_NCCL OFF)
if(EXISTS "${LIBTORCH}/lib/libtorch_cuda.so")
  get_filename_component(nvidia "${LIBTORCH}/../nvidia" ABSOLUTE)
  file(GLOB cuda_folders "${nvidia}/cu[0-9]*")
  list(TRANSFORM cuda_folders APPEND "/include" OUTPUT_VARIABLE cuda_hints)
  find_path(NCCL_INCLUDE nccl.h HINTS "${nvidia}/nccl/include" ${cuda_hints})
  find_path(CUDA_INCLUDE cuda_runtime_api.h HINTS ${cuda_hints} PATHS /usr/local/cuda/include)
  if(NCCL_INCLUDE AND CUDA_INCLUDE)
    set(NOWHERE_NCCL ON)
    target_include_directories(nowhere_nccl SYSTEM INTERFACE
      "${NCCL_INCLUDE}" "${CUDA_INCLUDE}" "${CUDA_INCLUDE}/cccl")
    target_compile_definitions(nowhere_nccl INTERFACE USE_C10D_NCCL)
    # Functions in c10d's headers call the CUDA runtime themselves.
    file(GLOB runtime "${CUDA_INCLUDE}/../lib/libcudart.so.*" "${CUDA_INCLUDE}/../lib64/libcudart.so.*"
         "${LIBTORCH}/lib/libcudart*.so*")
    file(GLOB nccl "${NCCL_INCLUDE}/../lib/libnccl.so.*" "${LIBTORCH}/lib/libnccl.so.*")
    foreach(found runtime nccl)
      if(${found})
        list(GET ${found} 0 library)
        get_filename_component(library "${library}" ABSOLUTE)
        get_filename_component(folder "${library}" DIRECTORY)
        target_link_libraries(nowhere_nccl INTERFACE "${library}")
        list(APPEND CMAKE_BUILD_RPATH "${folder}")
        list(APPEND CMAKE_INSTALL_RPATH "${folder}")
      endif()
    endforeach()
  else()
    message(WARNING "LibTorch has CUDA, but the headers of NCCL or of the CUDA runtime are not there: the program will "
                    "train on one GPU, not on several. scripts/test --cuda makes an environment with both.")
  endif()
endif()
set(NOWHERE_COLLECTIVES "gloo")  # as doctor shows them
if(NOWHERE_NCCL)
  string(APPEND NOWHERE_COLLECTIVES ", nccl")
endif()
message(STATUS "Collectives: ${NOWHERE_COLLECTIVES}")
