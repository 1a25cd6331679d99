import TestSupport

/// Profiles in messages that `openssl` has created: `smime -sign -nodetach` (`signed`), `cms -sign
/// -nodetach -stream` (`streamed`), `smime -sign` (`detached`), the beginning of `cms -encrypt`
/// (`encrypted`); with the signer's certificate, whose key was discarded: `cms -sign -nodetach
/// -binary` (`certified`), and `-stream` (`certifiedStreamed`).
enum SignedProfiles {
  static let signed = Repository.sample("profile-signed.p7m")
  static let streamed = Repository.sample("profile-streamed.p7m")
  static let detached = Repository.sample("profile-detached.p7m")
  static let certified = Repository.sample("profile-certified.p7m")
  static let certifiedStreamed = Repository.sample("profile-certified-streamed.p7m")
  static let encrypted = Repository.sample("profile-encrypted.p7m")
}
