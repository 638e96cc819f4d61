/* SPDX-License-Identifier: MIT */
#include "base/status.h"

const char *pd_strerror(pd_status status)
{
  switch (status) {
#define PD_STATUS_CASE(code, text)                                                                 \
  case code:                                                                                       \
    return text;
    PD_STATUS_TABLE(PD_STATUS_CASE)
#undef PD_STATUS_CASE
  }
  return "unknown status";
}
