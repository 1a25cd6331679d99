// Expat, and a wrapper for a call with a C `enum` that Swift cannot import.
#pragma once
#include <expat.h>

// Stops the parser. XML_Parse then returns without reporting further content.
static inline void cexpat_stop(XML_Parser parser) { (void)XML_StopParser(parser, XML_FALSE); }
