// Lua 5.4, for `CScript` alone: an error in Lua is a longjmp, which must not jump over a frame of Swift.
#pragma once
#include <lua.h>
#include <lualib.h>
#include <lauxlib.h>
