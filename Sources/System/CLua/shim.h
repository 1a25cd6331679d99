// Lua 5.4, imported only by `CScript`: Lua raises errors by longjmp, which must not cross Swift
// frames.
#pragma once
#include <lua.h>
#include <lualib.h>
#include <lauxlib.h>
