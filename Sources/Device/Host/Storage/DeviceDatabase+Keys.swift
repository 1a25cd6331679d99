internal import Cryptography
internal import Foundation
internal import GRDB
internal import Model

/// The key of each account, under which the account's files are encrypted.
extension DeviceDatabase {
  /// The account's key, made on first use.
  ///
  /// - Parameters:
  ///   - wrap: the key that wraps the accounts' keys.
  ///   - make: returns 32 random bytes.
  /// - Throws: ``HostError``, also where the key was altered, or wrapped with another key or for another account.
  func accountKey(
    of account: Account, wrap: AES256GCM, make: () -> [UInt8]
  ) throws(HostError) -> [UInt8] {
    try access { database in
      if let found = try Self.keyHolder(for: account, in: database) {
        let key = try Self.unwrap(found.wrapped, of: found.holder.account, with: wrap)
        if found.holder.account.objectID == nil, account.objectID != nil {
          // Another account that gets this UPN one day must not get the key.
          try Self.setKey(nil, of: found.holder.id, database)
          try Self.setKey(key, of: account, wrap, database)
        }
        return key
      }
      let key = make()
      try Self.setKey(key, of: account, wrap, database)
      return key
    }
  }

  /// The account's key; nil where it has none.
  ///
  /// - Throws: ``HostError`` as ``accountKey(of:wrap:make:)`` does.
  func existingAccountKey(
    of account: Account, wrap: AES256GCM
  ) throws(HostError) -> [UInt8]? {
    try look { database in
      try Self.keyHolder(for: account, in: database).map {
        try Self.unwrap($0.wrapped, of: $0.holder.account, with: wrap)
      }
    }
  }

  /// Destroys the account's key: nobody can read any more what is encrypted under it, once ``vacuum()`` has run.
  func destroyAccountKey(of account: Account) throws(HostError) {
    try access { database in
      for id in try Self.ids(of: account, in: database) {
        try Self.setKey(nil, of: id, database)
      }
      try Self.forget(account, ifUnnamed: database)
    }
  }

  private static func keyHolder(
    for account: Account, in database: Database
  ) throws -> (holder: KnownAccount, wrapped: [UInt8])? {
    for known in try known(as: account, in: database) {
      if let wrapped = known.wrappedKey { return (known, wrapped) }
    }
    return nil
  }

  private static func setKey(
    _ key: [UInt8], of account: Account, _ wrap: AES256GCM, _ database: Database
  ) throws {
    let row = try row(of: account, in: database)
    try setKey(Self.wrap(key, of: row.account, with: wrap), of: row.id, database)
  }

  static func setKey(_ wrapped: [UInt8]?, of id: Int64, _ database: Database) throws {
    try database.run(
      "UPDATE account SET wrappedKey = ? WHERE id = ?", [wrapped.map { Data($0) }, id])
  }

  // MARK: wrapping

  /// Seals `bytes` so that they open only for the same name: a row that is put in another's place does not open.
  static func wrap(_ bytes: [UInt8], for name: String, with wrap: AES256GCM) -> [UInt8] {
    wrap.seal(prefix(name) + bytes, nonce: randomBytes(AES256GCM.nonceByteCount))
  }

  /// Opens what ``wrap(_:for:with:)`` has sealed; nil where it is not as it was, or is for another name.
  static func unwrap(_ sealed: [UInt8], for name: String, with wrap: AES256GCM) -> [UInt8]? {
    let prefix = prefix(name)
    guard let plain = wrap.open(sealed), plain.starts(with: prefix) else { return nil }
    return Array(plain.dropFirst(prefix.count))
  }

  private static func prefix(_ name: String) -> [UInt8] {
    withUnsafeBytes(of: UInt32(name.utf8.count).littleEndian, Array.init) + name.utf8
  }

  static func wrap(_ key: [UInt8], of account: Account, with wrap: AES256GCM) -> [UInt8] {
    Self.wrap(key, for: canonicalID(of: account), with: wrap)
  }

  static func unwrap(
    _ wrapped: [UInt8], of account: Account, with wrap: AES256GCM
  ) throws(HostError) -> [UInt8] {
    guard let key = unwrap(wrapped, for: canonicalID(of: account), with: wrap) else {
      throw HostError(.database, "the key of `\(account.upn)` in the device's database was altered")
    }
    return key
  }

  private static func canonicalID(of account: Account) -> String {
    account.objectID.map { "objectID \($0.lowercased())" } ?? "upn \(account.upn.lowercased())"
  }
}
