/* SPDX-License-Identifier: MIT
 * Evaluation of a pair: from a request to the result. */
#ifndef PD_EVALUATE_H
#define PD_EVALUATE_H

#include "contact/pair_work.h"
#include "contact/request.h"
#include "contact/result.h"

PD_BEGIN_DECLS

/* Evaluates the contact of A with B, a body, a surface or a plane, into result.
 * Errors: PD_ENOMEM, PD_ETOUCH (a gap of zero, or A is not wholly before the plane), PD_ENAN (a
 * coordinate is not finite). Bodies that have passed through each other go unnoticed: keep them
 * apart by pd_pair_distance. */
pd_status pd_pair_evaluate(const pd_pair_request *request, pd_pair_work *work,
                           pd_pair_result *result);

PD_END_DECLS

#endif
