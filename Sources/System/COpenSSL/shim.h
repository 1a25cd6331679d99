#pragma once
#include <openssl/opensslconf.h>
