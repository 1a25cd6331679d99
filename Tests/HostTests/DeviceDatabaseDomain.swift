import Cryptography
import Model
import Wire

@testable import Host

/// The few names that random operations draw from, so that they meet.
struct DeviceDatabaseDomain: Sendable {
  var accounts: [Account]
  var apps = ["mail", "notes"]
  var scopes = ["Containers/mail", "Groups/group.example"]
  var groups = ["T.mail", "group.example"]
  /// The same in every process.
  let wrap = AES256GCM(key: [UInt8](repeating: 7, count: AES256GCM.keyByteCount))

  /// Paths that are no text among them, and one that begins like another.
  var places: [FilePlace] {
    scopes.flatMap { scope in
      [Array("a".utf8), Array("a/b".utf8), [0xFF, 0x2F, 0xC3], Array("a.txt".utf8)]
        .compactMap { FilePlace(scope: scope, path: $0) }
    }
  }

  var keys: [KeychainKey] {
    ["login", "login\0", "token"].flatMap { service in
      ["anna", "\u{1}"].map { KeychainKey(service: service, account: $0) }
    }
  }

  /// Every way for two accounts to be the same, nearly the same, or the same as a third without being the same.
  static let ambiguous = DeviceDatabaseDomain(
    accounts: [
      "anna@contoso.com", "ANNA@Contoso.com", "jürgen@contoso.com", "JÜRGEN@contoso.com",
      "anna@contoso.com\0", "bert@contoso.com",
    ].flatMap { upn in
      [nil, "0a", "0A", "0b"].map {
        Account(upn: upn, objectID: $0, tenantID: upn == "bert@contoso.com" ? "contoso" : nil)
      }
    })

  /// Accounts that nothing confuses, whatever they are renamed to: each has an object id.
  static let plain = DeviceDatabaseDomain(accounts: [
    Account(upn: "anna@contoso.com", objectID: "0a", tenantID: "contoso"),
    Account(upn: "bert@contoso.com", objectID: "0b"),
    Account(upn: "carla@contoso.com", objectID: "0c"),
  ])
}
