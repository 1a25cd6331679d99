// What Sluice uses of OpenSSL's libcrypto.
//
// The one-shot SHA256_* calls are deprecated in OpenSSL 3 in favour of EVP, whose contexts cannot live on
// the stack: copying a keyed state is then an allocation, and costs more than the hash itself.
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

// Whether no loaded provider has the algorithm; a macro made of others.
static inline int sluice_is_unsupported(unsigned long error) {
  return ERR_GET_REASON(error) == ERR_R_UNSUPPORTED;
}
