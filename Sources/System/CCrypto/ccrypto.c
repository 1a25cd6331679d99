#include "ccrypto.h"

// By default, libcrypto frees its state at exit, while other threads may still read it. Only the
// first call of OPENSSL_init_crypto(3) honours OPENSSL_INIT_NO_ATEXIT.
__attribute__((constructor)) static void keep_until_the_end(void) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
