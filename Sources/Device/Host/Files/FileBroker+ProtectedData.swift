internal import Cryptography
internal import FileProtection
internal import Model
internal import Policy
internal import Wire

/// Data that apps protect by themselves, and the keys of accounts, which wrap the keys of files.
extension FileBroker {
  /// Answers with a key for data that an app protects by itself.
  func protectData(for accountID: String, _ pending: PendingRequest) {
    answer(.protectData, pending, subject: accountID) { () throws(FileFault) in
      let guest = pending.guest
      let owner = self.owner(named: accountID, in: guest)
      if let owner, policies.misses(owner, in: guest) {
        return FileAnswer(Verdict([Reason(.ownerNotSignedIn, .device)]), nil, owner)
      }
      var grant = self.grant(owner, in: guest)
      guard let owner, guest.accounts.policy(of: owner) != nil else {
        return FileAnswer(Verdict([Reason(.dataOfUnmanagedAccount, .device)]), nil, owner, grant)
      }
      guard ProtectionHeader.canState(owner) else {
        throw FileFault(
          status: FileFault.encryptFailed, "the names of `\(owner.upn)` are too long")
      }
      let key = FileKey.random()
      grant.key = key.bytes
      grant.header =
        ProtectionHeader(owner: owner, key: key, accountKey: try accountKey(of: owner)).bytes
      return FileAnswer(Verdict([Reason(.dataOfManagedAccount, .owner)]), nil, owner, grant)
    }
  }

  func unprotectData(_ bytes: [UInt8], _ pending: PendingRequest) {
    answer(.unprotectData, pending, subject: nil) { () throws(FileFault) in
      let header: ProtectionHeader
      do throws(FileProtectionError) {
        header = try ProtectionHeader(bytes)
      } catch {
        throw FileFault(status: FileFault.decryptFailed, "\(error)")
      }
      let verdict = evaluateFile(fileAccess(to: header.owner, true, pending))
      guard verdict.outcome != .blocked else { return FileAnswer(verdict, nil, header.owner) }
      if let lock = pending.guest.acting.lock(of: .account(header.owner)) {
        return FileAnswer(lock.verdict, nil, header.owner)
      }
      var grant = self.grant(header.owner, in: pending.guest)
      grant.key = try key(of: header, nil)
      return FileAnswer(verdict, nil, header.owner, grant)
    }
  }

  func key(
    of header: ProtectionHeader, _ place: FilePlace?
  ) throws(FileFault) -> [UInt8] {
    let name = place.map { "`\($0)`" } ?? "the data"
    guard
      let bytes = try stored({ () throws(HostError) in
        try database.existingAccountKey(of: header.owner, wrap: wrappingKey)
      })
    else {
      throw FileFault(
        status: FileFault.decryptFailed,
        "the key of `\(header.owner.upn)` is gone, and \(name) with it")
    }
    do throws(FileProtectionError) {
      return try header.key(unwrappedBy: AES256GCM(key: bytes)).bytes
    } catch {
      throw FileFault(status: FileFault.decryptFailed, "\(error.description): \(name)")
    }
  }

  func accountKey(of account: Account) throws(FileFault) -> AES256GCM {
    AES256GCM(
      key: try stored { () throws(HostError) in
        try database.accountKey(of: account, wrap: wrappingKey) {
          randomBytes(AES256GCM.keyByteCount)
        }
      })
  }
}
