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
      let resolved = self.owner(named: accountID, in: guest)
      if let refusal = refusal(toOwn: resolved) {
        return FileAnswer(refusal, nil, resolved?.account)
      }
      var grant = self.grant(resolved)
      guard let owner = resolved?.account, resolved?.policy != nil else {
        return FileAnswer(
          Verdict([Reason(.dataOfUnmanagedAccount, .device)]), nil, resolved?.account, grant)
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
      let (verdict, owner, permit) = owners.permit(
        to: header, in: pending.guest, as: pending.actingIdentity.identity)
      guard let permit else { return FileAnswer(verdict, nil, owner.account) }
      var grant = self.grant(owner)
      grant.key = try key(of: header, permit, nil)
      return FileAnswer(verdict, nil, owner.account, grant)
    }
  }

  func key(
    of header: ProtectionHeader, _ permit: KeyPermit, _ place: FilePlace?
  ) throws(FileFault) -> [UInt8] {
    let name = place.map { "`\($0)`" } ?? "the data"
    guard
      let bytes = try stored({ () throws(HostError) in
        try database.existingAccountKey(of: permit.owner, wrap: wrappingKey)
      })
    else {
      throw FileFault(
        status: FileFault.decryptFailed,
        "the key of `\(permit.owner.upn)` is gone, and \(name) with it")
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
