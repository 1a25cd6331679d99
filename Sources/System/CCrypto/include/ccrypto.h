// The parts of OpenSSL's libcrypto that Sluice uses.
//
// OpenSSL 3 deprecates the one-shot SHA256_* calls in favour of EVP. EVP contexts cannot live on
// the stack, so copying a keyed state allocates memory, which costs more than the hash.
#pragma once
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

// Returns whether no loaded provider has the algorithm. Swift cannot import the macro.
static inline int sluice_is_unsupported(unsigned long error) {
  return ERR_GET_REASON(error) == ERR_R_UNSUPPORTED;
}
