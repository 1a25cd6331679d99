internal import Cryptography
internal import FileProtection
internal import Model
internal import Policy
internal import Wire

/// Requests of guests about their files.
extension FileBroker {
  func openFile(_ open: OpenFile, _ pending: PendingRequest) {
    serve(open.file, .openFile, pending) { place throws(FileFault) in
      let found = try find(place)
      if open.isQuestion { return try tellOwner(of: found, open, place, pending) }
      let begins = open.mode == .truncate || open.mode == .create && !found.exists
      guard begins || found.exists else { throw .missing(place) }
      if begins { return try begin(open, found, place, pending) }
      return try self.open(found, for: open.mode == .read ? .reading : .updating, place, pending)
    }
  }

  private func open(
    _ found: FoundFile, for use: FileUse, _ place: FilePlace, _ pending: PendingRequest
  ) throws(FileFault) -> FileAnswer {
    let (guest, identity) = (pending.guest, pending.actingIdentity.identity)
    var grant: FileGrant
    let verdict: Verdict
    if let header = found.header {
      let (decided, owner, permit) = owners.permit(to: header, in: guest, as: identity)
      guard let permit else { return FileAnswer(decided, place, owner.account) }
      (verdict, grant) = (decided, self.grant(owner))
      grant.key = try key(of: header, permit, place)
    } else {
      let owner = found.owner.map { owners.resolve($0, in: guest) }
      verdict = owners.access(to: owner, isEncrypted: false, as: identity)
      guard verdict.outcome != .blocked else { return FileAnswer(verdict, place, found.owner) }
      grant = self.grant(owner)
    }
    grant.item = UInt64(pending.number)
    return FileAnswer(verdict, place, found.owner, grant, for: use)
  }

  /// Tells an app the owner of a file, which an app may always ask for.
  private func tellOwner(
    of found: FoundFile, _ open: OpenFile, _ place: FilePlace, _ pending: PendingRequest
  ) throws(FileFault) -> FileAnswer {
    guard found.exists else { throw .missing(place) }
    let rule: Rule = found.owner == nil ? .fileHasNoOwner : .fileOwnerTold
    var grant = self.grant(found.owner.map { owners.resolve($0, in: pending.guest) })
    if let name = open.owner {
      let wanted = owner(named: name, in: pending.guest)
      let isOwner =
        wanted.map { found.owner?.isSame(as: $0.account) ?? false } ?? (found.owner == nil)
      let encrypts = wanted?.policy?.encryptsFiles ?? false
      grant.isAsAsked = isOwner && found.isEncrypted == encrypts
    }
    return FileAnswer(Verdict([Reason(rule, .device)]), place, found.owner, grant, for: .asking)
  }

  /// Creates or empties a file, and fixes its owner.
  ///
  /// The content is written first, and the owner then: whenever the device dies, nothing of one owner counts as
  /// another's.
  private func begin(
    _ open: OpenFile, _ found: FoundFile, _ place: FilePlace, _ pending: PendingRequest
  ) throws(FileFault) -> FileAnswer {
    let guest = pending.guest
    let resolved =
      open.owner.map { self.owner(named: $0, in: guest) }
      ?? pending.actingIdentity.identity.account.map { owners.resolve($0, in: guest) }
    let owner = resolved?.account
    if let refusal = refusal(toOwn: resolved) { return FileAnswer(refusal, place, owner) }
    if let owner {
      try admit(owner, to: guest)
      try admitOwner(of: place)
    }
    let access = FileAccess(
      owner: resolved?.party ?? Owner(), isOwnerSignedIn: true, wasOwnerManaged: false,
      identity: pending.actingIdentity.identity, begins: true)
    let verdict = evaluateFile(access)
    var grant = self.grant(resolved)
    var page: [UInt8] = []
    if let owner, access.owner.policy?.encryptsFiles == true {
      guard ProtectionHeader.canState(owner) else {
        throw FileFault(status: FileFault.encryptFailed, "the names of `\(owner.upn)` are too long")
      }
      let key = FileKey.random()
      page = ProtectionHeader.firstPage(
        owner: owner, key: key, accountKey: try accountKey(of: owner))
      grant.key = key.bytes
    }
    if !found.exists { try admit(DiskUsage(bytes: page.count, files: 1), to: place) }
    let folder = try container(of: place)
    do throws(ContainerError) {
      try folder.begin(place.path, with: page)
    } catch {
      throw FileFault(error, place)
    }
    try stored { () throws(HostError) in try database.setOwner(owner, of: place) }
    grant.item = UInt64(pending.number)
    return FileAnswer(verdict, place, owner, grant, for: .beginning)
  }

  func moveFile(_ file: FileReference, to newPath: FileReference, _ pending: PendingRequest) {
    serve(file, .moveFile, pending) { place throws(FileFault) in
      let target: FilePlace
      switch self.place(of: newPath, in: pending.guest) {
      case .found(let found): target = found
      case .refused(let rule): return FileAnswer(Verdict([Reason(rule, .device)]), place, nil)
      }
      let found = try find(place)
      guard found.exists else { throw .missing(place) }
      if target.scope != place.scope {
        try admit(try usage(of: place), to: target)
        if found.owner != nil { try admitOwner(of: target) }
      }
      try stored { () throws(HostError) in try database.beginMove(from: place, to: target) }
      let (source, destination) = (try container(of: place), try container(of: target))
      do throws(ContainerError) {
        try destination.makeFolders(for: target.path)
        try source.rename(from: place.path, to: target.path, in: destination)
      } catch {
        try stored { () throws(HostError) in try database.cancelMove(from: place, to: target) }
        throw FileFault(error, place)
      }
      try stored { () throws(HostError) in try database.finishMove(from: place, to: target) }
      return FileAnswer(
        Verdict([Reason(.fileKeepsOwner, .device)]), place, found.owner, movedTo: target)
    }
  }

  func removeFile(_ file: FileReference, _ pending: PendingRequest) {
    serve(file, .removeFile, pending) { place throws(FileFault) in
      let found = try find(place)
      guard found.exists else { throw .missing(place) }
      let folder = try container(of: place)
      do throws(ContainerError) {
        try folder.unlink(place.path)
      } catch {
        throw FileFault(error, place)
      }
      disk.didRemoveFile(from: place.scope)
      try stored { () throws(HostError) in try database.forgetFiles([place]) }
      return FileAnswer(Verdict([Reason(.fileRemoved, .device)]), place, found.owner)
    }
  }
}
