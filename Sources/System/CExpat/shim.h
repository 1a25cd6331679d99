// Expat, and one call without a C `enum` in its signature for Swift.
#pragma once
#include <expat.h>

// The parser goes no further: XML_Parse returns without another callback that tells anything new.
static inline void cexpat_stop(XML_Parser parser) { (void)XML_StopParser(parser, XML_FALSE); }
