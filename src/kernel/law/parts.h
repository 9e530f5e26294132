/* The files of the words `normal` and `cohesion` of the table: one line each. */
#ifndef SCREE_KERNEL_LAW_PARTS_H
#define SCREE_KERNEL_LAW_PARTS_H

#include "kernel/law/hertz.h"
#include "kernel/law/hooke.h"
#include "kernel/law/jkr.h"
#include "kernel/law/linear.h"
#include "kernel/law/plastic.h"

#endif
