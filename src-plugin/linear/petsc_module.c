/* SPDX-License-Identifier: MIT
 * Loads the module of the PETSc backend. It is never unloaded: MPI_Finalize calls functions of it.
 */
#define _GNU_SOURCE /* dladdr, realpath */
#include "linear/petsc_module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  char file[PATH_MAX + sizeof PD_PETSC_FILE];
  char reason[512];              /* why it is not loaded */
  const pd_petsc_module *loaded; /* NULL: not yet */
} module = {.file = PD_PETSC_FILE};

/* Where this library is, with symbolic links followed: as soon as it is loaded, since its name may
 * be relative to a folder that the host leaves. */
__attribute__((constructor)) static void find_file(void)
{
  Dl_info self;
  char path[PATH_MAX];
  if (!dladdr(&module, &self) || !self.dli_fname || !realpath(self.dli_fname, path)) return;
  char *name = strrchr(path, '/');
  if (!name) return;
  name[1] = 0;
  snprintf(module.file, sizeof module.file, "%s%s", path, PD_PETSC_FILE);
}

static int is_of_this_build(const pd_petsc_module *m)
{
  return m->solver_size == sizeof(pd_linsolver) && m->ops_size == sizeof(pd_linops);
}

/* the loader's words, without the name of the file that they may begin with */
static const char *loader_error(void)
{
  const char *text = dlerror();
  const size_t n = strlen(module.file);
  if (!text) return "unknown reason";
  return !strncmp(text, module.file, n) && !strncmp(text + n, ": ", 2) ? text + n + 2 : text;
}

/* what the file exports; NULL: why not is in module.reason */
static const pd_petsc_module *open_file(void)
{
  void *handle = dlopen(module.file, RTLD_NOW | RTLD_LOCAL);
  const pd_petsc_module *m = handle ? dlsym(handle, PD_PETSC_TABLE) : NULL;
  if (m && is_of_this_build(m)) return m;
  const char *reason = m ? "it is of another build" : loader_error();
  snprintf(module.reason, sizeof module.reason, "%s", reason);
  return NULL;
}

pd_status pd_petsc_load(const pd_linops **ops)
{
  if (!module.loaded) module.loaded = open_file();
  *ops = module.loaded ? module.loaded->ops : NULL;
  return module.loaded ? PD_OK : PD_EMODULE;
}

pd_linsolver_fault pd_petsc_fault(void)
{
  return (pd_linsolver_fault){module.file, module.loaded ? "" : module.reason};
}

void pd_petsc_module_finalize(void)
{
  if (module.loaded) module.loaded->finalize();
}
