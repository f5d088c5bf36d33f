/// @file carom.h
/// All of carom's public headers, in the order one meets them.
#ifndef CAROM_H
#define CAROM_H

#include "base.h"
#include "scene.h"
#include "model.h"
#include "vary.h"
#include "decor.h"
#include "numbers.h"
#include "state.h"
#include "engine.h"
#include "library.h"
#include "planner.h"
#include "select.h"
#include "plan.h"
#include "execute.h"
#include "rank.h"
#include "extension.h"
#include "playback.h"
#include "reach.h"
#include "drive.h"

#endif
