/// An asset whose data was found, checked and read.
package struct Asset: Sendable, Hashable {
  package var identifier: String
  /// The declaration's `ServerToken`.
  package var revision: String
  /// The data's path in the folder.
  package var path: String
  /// `ContentType` in lower case, without parameters; nil where the declaration states none.
  package var contentType: String?
  package var content: AssetContent
}

/// The content of an asset.
package enum AssetContent: Sendable, Hashable {
  case data(Secret<[UInt8]>)
  case password(PasswordCredential)
  case identity(IdentityCredential)
  /// A certificate in DER.
  case certificate([UInt8])
}

/// A user's name and password.
package struct PasswordCredential: Sendable, Hashable {
  package var userName: Secret<String>
  /// The password; nil where the asset states none.
  package var password: Secret<String>?

  /// Creates a credential.
  package init(userName: Secret<String>, password: Secret<String>? = nil) {
    self.userName = userName
    self.password = password
  }
}

/// A certificate with its key, or the way to get one.
package enum IdentityCredential: Sendable, Hashable {
  /// A file that is not opened here, and the password that opens it.
  case pkcs12(Secret<[UInt8]>, password: Secret<String>)
  case scep(SCEPEnrollment)
  case acme(ACMEEnrollment)
}
