#include "ccrypto.h"

// libcrypto would free what it keeps when the process exits (OPENSSL_INIT_NO_ATEXIT of OPENSSL_init_crypto(3)), also
// what threads that end at that moment still read. It looks at this option in the first call alone.
__attribute__((constructor)) static void keep_until_the_end(void) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
