/* SPDX-License-Identifier: MIT
 * Reading a file: which format it is in. */
#include <string.h>

#include "base/memory.h"
#include "geometry/mesh.h"
#include "geometry/mesh_internal.h"

static int has_extension_obj(const char *path)
{
  const size_t n = strlen(path);
  const pd_word tail = {path + (n < 4 ? 0 : n - 4), 4};
  return n >= 4 && pd_word_is(tail, ".obj");
}

/* A text holds no zero byte; a binary STL has one in its record count, up to 16 million
 * triangles. */
static int looks_binary(const char *data, size_t size)
{
  return memchr(data, 0, size < 84 ? size : 84) != NULL;
}

static pd_status read_any(const char *path, const char *data, size_t size, pd_mesh *mesh,
                          pd_fault *fault)
{
  if (size == 0) return PD_EEMPTY;
  if (pd_stl_binary_records(data, size) >= 0) return pd_read_stl_binary(data, size, mesh, fault);
  if (has_extension_obj(path)) return pd_read_obj(data, size, mesh, fault);
  if (looks_binary(data, size)) return pd_read_stl_binary(data, size, mesh, fault);
  return pd_read_stl_ascii(data, size, mesh, fault);
}

pd_status pd_mesh_read(const char *path, pd_mesh *mesh, pd_fault *fault)
{
  pd_fault ignored;
  if (!fault) fault = &ignored;
  memset(fault, 0, sizeof *fault);
  memset(mesh, 0, sizeof *mesh);
  char *data;
  size_t size;
  pd_status status = pd_file_load(path, &data, &size);
  if (status) return status;
  status = read_any(path, data, size, mesh, fault);
  pd_free(data);
  return status;
}
