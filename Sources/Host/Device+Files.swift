internal import Cryptography
internal import FileProtection
internal import Glibc
internal import Policy
internal import Transfer
internal import Wire

/// Files of containers: whose they are, who may open them, and with which key.
///
/// A guest opens its files itself, and the kernel keeps it in its containers. The device decides, fixes the owner of
/// a file that begins, and writes the header of one that is encrypted; only with the key that it hands out then is
/// there anything to read.
extension Device {
  func openFile(_ open: OpenFile, _ origin: Origin) {
    serve(open.file, .openFile, origin) { place throws(FileFault) in
      let found = try find(place)
      if open.isQuestion { return try tellOwner(of: found, place, origin) }
      let begins = open.mode == .truncate || open.mode == .create && !found.exists
      guard begins || found.exists else { throw .missing(place) }
      if begins { return try begin(open, place, origin) }
      return try self.open(found, place, origin)
    }
  }

  private func open(
    _ found: FoundFile, _ place: FilePlace, _ origin: Origin
  ) throws(FileFault) -> FileAnswer {
    let verdict = evaluateFile(access(to: found.owner, found.isEncrypted, origin))
    guard verdict.outcome != .blocked else { return FileAnswer(verdict, place, found.owner) }
    if let account = found.owner, let lock = origin.guest.lock(of: .account(account)) {
      return FileAnswer(lock.verdict, place, found.owner)
    }
    var grant = self.grant(found.owner, in: origin.guest)
    if let header = found.header { grant.key = try key(of: header, place) }
    return FileAnswer(verdict, place, found.owner, grant)
  }

  /// Whose a file is, an app may always ask.
  private func tellOwner(
    of found: FoundFile, _ place: FilePlace, _ origin: Origin
  ) throws(FileFault) -> FileAnswer {
    guard found.exists else { throw .missing(place) }
    let rule: Rule = found.owner == nil ? .fileHasNoOwner : .fileOwnerTold
    return FileAnswer(
      Verdict([Reason(rule, .device)]), place, found.owner, grant(found.owner, in: origin.guest))
  }

  /// Makes or empties a file, and fixes its owner.
  ///
  /// The content goes first, and the owner is written then: whenever the device dies, nothing of one owner counts as
  /// another's.
  private func begin(
    _ open: OpenFile, _ place: FilePlace, _ origin: Origin
  ) throws(FileFault) -> FileAnswer {
    let guest = origin.guest
    let owner =
      open.owner.map { self.owner(named: $0, in: guest) } ?? origin.persona.identity.account
    if let owner, isMissing(owner, in: guest) {
      return FileAnswer(Verdict([Reason(.ownerNotSignedIn, .device)]), place, owner)
    }
    if let owner, let lock = guest.lock(of: .account(owner)) {
      return FileAnswer(lock.verdict, place, owner)
    }
    if let owner { try admit(owner, to: guest) }
    let access = FileAccess(
      owner: Owner(account: owner, policy: policy(of: owner, in: guest)), isOwnerSignedIn: true,
      wasOwnerManaged: false, identity: origin.persona.identity, begins: true)
    let verdict = evaluateFile(access)
    var grant = self.grant(owner, in: guest)
    var page: [UInt8] = []
    if let owner, access.owner.policy?.isFileEncryptionRequired == true {
      guard ProtectionHeader.canState(owner) else {
        throw FileFault(status: FileFault.encryptFailed, "the names of `\(owner.upn)` are too long")
      }
      let key = FileKey.random()
      page = ProtectionHeader.firstPage(
        owner: owner, key: key, accountKey: try accountKey(of: owner))
      grant.key = key.bytes
    }
    let folder = try container(of: place)
    do throws(ContainerError) {
      try folder.begin(place.path, with: page)
    } catch {
      throw FileFault(error, place)
    }
    try stored { () throws(HostError) in try database.setOwner(owner, of: place) }
    return FileAnswer(verdict, place, owner, grant)
  }

  func moveFile(_ file: FileReference, to target: FileReference, _ origin: Origin) {
    serve(file, .moveFile, origin) { place throws(FileFault) in
      let goal: FilePlace
      switch self.place(of: target, in: origin.guest) {
      case .found(let found): goal = found
      case .refused(let rule): return FileAnswer(Verdict([Reason(rule, .device)]), place, nil)
      }
      let found = try find(place)
      guard found.exists else { throw .missing(place) }
      try stored { () throws(HostError) in try database.beginMove(from: place, to: goal) }
      let (source, destination) = (try container(of: place), try container(of: goal))
      do throws(ContainerError) {
        try destination.makeFolders(for: goal.path)
        try source.rename(from: place.path, to: goal.path, in: destination)
      } catch {
        try stored { () throws(HostError) in try database.cancelMove(from: place, to: goal) }
        throw FileFault(error, place)
      }
      try stored { () throws(HostError) in try database.finishMove(from: place, to: goal) }
      return FileAnswer(Verdict([Reason(.fileKeepsOwner, .device)]), place, found.owner)
    }
  }

  func removeFile(_ file: FileReference, _ origin: Origin) {
    serve(file, .removeFile, origin) { place throws(FileFault) in
      let found = try find(place)
      guard found.exists else { throw .missing(place) }
      let folder = try container(of: place)
      do throws(ContainerError) {
        try folder.unlink(place.path)
      } catch {
        throw FileFault(error, place)
      }
      try stored { () throws(HostError) in try database.forgetFiles([place]) }
      return FileAnswer(Verdict([Reason(.fileRemoved, .device)]), place, found.owner)
    }
  }

  // MARK: data

  /// A key for data that an app protects by itself.
  func protectData(for accountID: String, _ origin: Origin) {
    answer(.protectData, origin, subject: accountID) { () throws(FileFault) in
      let guest = origin.guest
      let owner = self.owner(named: accountID, in: guest)
      if let owner, isMissing(owner, in: guest) {
        return FileAnswer(Verdict([Reason(.ownerNotSignedIn, .device)]), nil, owner)
      }
      var grant = self.grant(owner, in: guest)
      guard let owner, policy(of: owner, in: guest) != nil else {
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

  func unprotectData(_ bytes: [UInt8], _ origin: Origin) {
    answer(.unprotectData, origin, subject: nil) { () throws(FileFault) in
      let header: ProtectionHeader
      do throws(FileProtectionError) {
        header = try ProtectionHeader(bytes)
      } catch {
        throw FileFault(status: FileFault.decryptFailed, "\(error)")
      }
      let verdict = evaluateFile(access(to: header.owner, true, origin))
      guard verdict.outcome != .blocked else { return FileAnswer(verdict, nil, header.owner) }
      if let lock = origin.guest.lock(of: .account(header.owner)) {
        return FileAnswer(lock.verdict, nil, header.owner)
      }
      var grant = self.grant(header.owner, in: origin.guest)
      grant.key = try key(of: header, nil)
      return FileAnswer(verdict, nil, header.owner, grant)
    }
  }

  // MARK: finding

  /// A file as the device finds it.
  struct FoundFile {
    var exists = false
    /// nil: not encrypted.
    var header: ProtectionHeader?
    var owner: Account?

    var isEncrypted: Bool { header != nil }
  }

  /// What is at a place, and whose: an encrypted file says so itself.
  func find(_ place: FilePlace) throws(FileFault) -> FoundFile {
    let folder = try container(of: place)
    let page: [UInt8]?
    do throws(ContainerError) {
      page = try folder.firstPage(of: place.path)
    } catch {
      throw FileFault(error, place)
    }
    guard let page else { return FoundFile() }
    var found = FoundFile(exists: true)
    do throws(FileProtectionError) {
      found.header = try ProtectionHeader(page)
    } catch {
      guard error.code == .notProtected else {
        throw FileFault(status: FileFault.decryptFailed, "\(error.description): `\(place)`")
      }
    }
    if let header = found.header {
      found.owner = header.owner
    } else {
      found.owner = try stored { () throws(HostError) in try database.owner(of: place) }
    }
    // It may have another name by now.
    if let owner = found.owner {
      found.owner = directory.first { $0.isSame(as: owner) } ?? owner
    }
    return found
  }

  func container(of place: FilePlace) throws(FileFault) -> ContainerFolder {
    do throws(ContainerError) {
      return try ContainerFolder(path: "\(folders.root)/\(place.scope)")
    } catch {
      throw FileFault(error, place)
    }
  }

  private func stored<Value>(
    _ body: () throws(HostError) -> Value
  ) throws(FileFault) -> Value {
    do throws(HostError) {
      return try body()
    } catch {
      throw FileFault(status: FileFault.internalError, error.description)
    }
  }

  // MARK: keys

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

  private func accountKey(of account: Account) throws(FileFault) -> AES256GCM {
    AES256GCM(
      key: try stored { () throws(HostError) in
        try database.accountKey(of: account, wrap: wrappingKey) {
          randomBytes(AES256GCM.keyByteCount)
        }
      })
  }

  // MARK: owners

  private func access(
    to owner: Account?, _ isEncrypted: Bool, _ origin: Origin
  ) -> FileAccess {
    let guest = origin.guest
    let isSignedIn = owner.map { owner in
      guest.accounts.contains { $0.account.isSame(as: owner) }
    }
    return FileAccess(
      owner: Owner(account: owner, policy: policy(of: owner, in: guest)),
      isOwnerSignedIn: isSignedIn ?? false,
      wasOwnerManaged: isEncrypted || owner.map { isMissing($0, in: guest) } ?? false,
      identity: origin.persona.identity, begins: false)
  }

  func policy(of account: Account?, in guest: Guest) -> EffectivePolicy? {
    account.flatMap { account in
      guest.accounts.first { $0.account.isSame(as: account) }?.policy
    }
  }

  /// Whether a policy would protect the account, which is not signed in.
  func isMissing(_ account: Account, in guest: Guest) -> Bool {
    !guest.accounts.contains { $0.account.isSame(as: account) }
      && !policies.entries(
        for: account, in: guest.app, bundleID: protectedBundle(of: guest.app)
      ).isEmpty
  }

  /// Owners that nobody knows cost a row each, and every look-up reads them: a guest may not make up any number.
  private func admit(_ owner: Account, to guest: Guest) throws(FileFault) {
    let isKnown =
      guest.accounts.contains { $0.account.isSame(as: owner) }
      || directory.contains { $0.isSame(as: owner) }
    guard !isKnown, !strangers.contains(owner.upn.lowercased()) else { return }
    guard strangers.count < Self.mostStrangers else {
      throw FileFault(
        status: FileFault.internalError,
        "files belong to \(strangers.count) accounts already that nobody knows")
    }
    strangers.insert(owner.upn.lowercased())
  }

  private static let mostStrangers = 1024

  /// nil for nobody.
  private func owner(named accountID: String, in guest: Guest) -> Account? {
    guard !accountID.isEmpty else { return nil }
    return guest.accounts.first { $0.account.isNamed(accountID) }?.account
      ?? account(named: accountID)
  }

  private func grant(_ owner: Account?, in guest: Guest) -> FileGrant {
    FileGrant(
      ownerUPN: owner?.upn ?? "", ownerObjectID: owner?.objectID ?? "",
      ownerTenantID: owner?.tenantID ?? "", isManaged: policy(of: owner, in: guest) != nil)
  }
}
