internal import Cryptography
internal import FileProtection
internal import Glibc
internal import Model
internal import Policy
internal import Wire

/// Manages the files in containers: their owners, keys, and access by guests.
///
/// Guests open their files themselves, and the kernel confines each guest to its containers. The device decides on
/// requests, determines the owner of a new file, and writes the header of an encrypted file. Only the device has the
/// keys of encrypted files, so a guest can read such a file only if the device gives it the key.
package final class FileBroker: HostService {
  private let disk: DiskWatch
  /// The key that wraps accounts' keys in the database.
  let wrappingKey: AES256GCM
  private let owners: OwnerResolver
  /// Lower-case UPNs of accounts that own files but are neither in the directory nor signed in to any app.
  private(set) var unknownOwners: Set<String>
  /// For each scope, the path at which the last search for missing files stopped. The next search in the scope
  /// continues there.
  private var lastLookedAt: [String: [UInt8]] = [:]

  /// Creates the broker. Completes or cancels the file moves that were in progress when the device last stopped.
  ///
  /// - Throws: ``HostError`` if the database fails.
  init(_ core: ServiceCore, disk: DiskWatch, wrappingKey: AES256GCM, owners: OwnerResolver)
    throws(HostError)
  {
    self.disk = disk
    self.wrappingKey = wrappingKey
    self.owners = owners
    let unknown = try core.database.ownersSignedInNowhere()
      .filter { !core.directory.contains($0) }
    unknownOwners = Set(unknown.map { $0.upn.lowercased() })
    super.init(core)
    try settleMoves()
    // The first call counts all rows, so the broker makes it before guests wait for it.
    _ = try database.ownerCount(in: "")
  }

  /// Completes or cancels the file moves that were in progress when the device last stopped. If the file is no longer
  /// at its old location, completes the move. If it is still there, or the location cannot be examined, cancels the
  /// move.
  private func settleMoves() throws(HostError) {
    for move in try database.pendingMoves() {
      if exists(move.from) {
        try database.cancelMove(from: move.from, to: move.to)
      } else {
        try database.finishMove(from: move.from, to: move.to)
      }
    }
  }

  private func exists(_ place: FileLocation) -> Bool {
    (try? find(place).exists) ?? true
  }

  /// Renames the account in the database, and rewraps its key under the new name.
  ///
  /// - Throws: ``HostError`` if the database fails.
  func rename(_ account: Account, to new: Account) throws(HostError) {
    try database.rename(account, to: new, wrap: wrappingKey)
  }

  /// Returns the plain text of a file in a guest's container, whatever its owner; nil if it cannot be read.
  package func contents(ofFile path: String, in guest: String) -> [UInt8]? {
    let app = InstanceName.installedName(of: guest)
    guard let place = FileLocation(scope: Folders.scope(ofContainer: app), path: path),
      let found = try? find(place), found.exists
    else { return nil }
    let opened = { try self.container(of: place).open(place.path, O_RDONLY) }
    guard let header = found.header else {
      return (try? opened()).flatMap(ContainerFolder.contents(of:))
    }
    guard let key = try? key(of: header, owners.permitOfDevice(to: header), place),
      let file = try? opened(),
      let encrypted = try? EncryptedFile(
        descriptor: file, key: FileKey(key), path: place.description),
      let size = try? encrypted.size
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = bytes.withUnsafeMutableBytes { try? encrypted.read(into: $0, at: 0) }
    return count == size ? bytes : nil
  }
}

// MARK: - Requests

extension FileBroker {
  func openFile(_ open: OpenFile, _ pending: PendingRequest) {
    serve(open.file, .openFile, pending) { place throws(FileError) in
      let found = try find(place)
      if open.isQuestion { return try tellOwner(of: found, open, place, pending) }
      let begins = open.mode == .truncating || open.mode == .creating && !found.exists
      guard begins || found.exists else { throw .missing(place) }
      if begins { return try begin(open, found, place, pending) }
      return try self.open(found, for: open.mode == .reading ? .reading : .updating, place, pending)
    }
  }

  private func open(
    _ found: FoundFile, for use: FileUse, _ place: FileLocation, _ pending: PendingRequest
  ) throws(FileError) -> FileAnswer {
    let (guest, identity) = (pending.guest, pending.actingIdentity.identity)
    var grant: FileGrant
    let verdict: Verdict
    if let header = found.header {
      let (decided, owner, permit) = owners.permit(to: header, in: guest, as: identity)
      guard let permit else { return FileAnswer(decided, owner.account) }
      (verdict, grant) = (decided, self.grant(owner))
      do throws(FileError) {
        grant.key = try key(of: header, permit, place)
      } catch {
        return FileAnswer(verdict, owner.account, failure: error)
      }
    } else {
      let owner = found.owner.map { owners.resolve($0, in: guest) }
      verdict = owners.access(to: owner, isEncrypted: false, as: identity)
      guard verdict.outcome != .blocked else { return FileAnswer(verdict, found.owner) }
      grant = self.grant(owner)
    }
    grant.item = UInt64(pending.number)
    return FileAnswer(verdict, found.owner, grant, for: use)
  }

  /// Answers a request for a file's owner. Every app may make this request.
  private func tellOwner(
    of found: FoundFile, _ open: OpenFile, _ place: FileLocation, _ pending: PendingRequest
  ) throws(FileError) -> FileAnswer {
    guard found.exists else { throw .missing(place) }
    let rule: Rule = found.owner == nil ? .fileHasNoOwner : .fileOwnerTold
    var grant = self.grant(found.owner.map { owners.resolve($0, in: pending.guest) })
    if let name = open.owner {
      let wanted = owner(named: name, in: pending.guest)
      let isOwner =
        wanted.map { found.owner?.isSameUser(as: $0.account) ?? false } ?? (found.owner == nil)
      let encrypts = wanted?.policy?.encryptsFiles ?? false
      grant.isAsAsked = isOwner && found.isEncrypted == encrypts
    }
    return FileAnswer(Verdict([Reason(rule, .device)]), found.owner, grant, for: .asking)
  }

  /// Creates or empties a file, and sets its owner.
  ///
  /// The device empties the file before it saves the new owner. If the device dies between these two steps, the old
  /// owner's data is therefore never attributed to the new owner.
  private func begin(
    _ open: OpenFile, _ found: FoundFile, _ place: FileLocation, _ pending: PendingRequest
  ) throws(FileError) -> FileAnswer {
    let guest = pending.guest
    let resolved =
      open.owner.map { self.owner(named: $0, in: guest) }
      ?? pending.actingIdentity.identity.account.map { owners.resolve($0, in: guest) }
    let owner = resolved?.account
    if let refusal = refusal(toOwn: resolved) { return FileAnswer(refusal, owner) }
    if let owner {
      try admit(owner, to: guest)
      try admitOwner(of: place)
    }
    let request = FileRequest(
      owner: resolved?.party ?? Owner(), isOwnerSignedIn: true, wasOwnerManaged: false,
      identity: pending.actingIdentity.identity, begins: true)
    let verdict = evaluateFile(request)
    var grant = self.grant(resolved)
    var page: [UInt8] = []
    if let owner, request.owner.policy?.encryptsFiles == true {
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
      throw FileError(error, place)
    }
    try stored { () throws(HostError) in try database.setOwner(owner, of: place) }
    grant.item = UInt64(pending.number)
    return FileAnswer(verdict, owner, grant, for: .beginning)
  }

  func moveFile(_ file: FileReference, to newPath: FileReference, _ pending: PendingRequest) {
    serve(file, .moveFile, pending) { place throws(FileError) in
      let target: FileLocation
      switch self.place(of: newPath, in: pending.guest) {
      case .found(let found): target = found
      case .refused(let rule): return FileAnswer(Verdict([Reason(rule, .device)]), nil)
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
        throw FileError(error, place)
      }
      try stored { () throws(HostError) in try database.finishMove(from: place, to: target) }
      return FileAnswer(
        Verdict([Reason(.fileKeepsOwner, .device)]), found.owner, movedTo: target)
    }
  }

  func removeFile(_ file: FileReference, _ pending: PendingRequest) {
    serve(file, .removeFile, pending) { place throws(FileError) in
      let found = try find(place)
      guard found.exists else { throw .missing(place) }
      let folder = try container(of: place)
      do throws(ContainerError) {
        try folder.unlink(place.path)
      } catch {
        throw FileError(error, place)
      }
      disk.didRemoveFile(from: place.scope)
      try stored { () throws(HostError) in try database.forgetFiles([place]) }
      return FileAnswer(Verdict([Reason(.fileRemoved, .device)]), found.owner)
    }
  }
}

// MARK: - Data that apps protect themselves

extension FileBroker {
  /// Answers a request of an app that protects data itself. If the account is managed, the answer contains a key and a
  /// header for the data; otherwise, it contains neither.
  func protectData(for accountID: String, _ pending: PendingRequest) {
    answer(.protectData, pending, subject: accountID) { () throws(FileError) in
      let guest = pending.guest
      let resolved = self.owner(named: accountID, in: guest)
      if let refusal = refusal(toOwn: resolved) {
        return FileAnswer(refusal, resolved?.account)
      }
      var grant = self.grant(resolved)
      guard let owner = resolved?.account, resolved?.policy != nil else {
        return FileAnswer(
          Verdict([Reason(.dataOfUnmanagedAccount, .device)]), resolved?.account, grant)
      }
      let key = FileKey.random()
      grant.key = key.bytes
      grant.header =
        ProtectionHeader(owner: owner, key: key, accountKey: try accountKey(of: owner)).bytes
      return FileAnswer(Verdict([Reason(.dataOfManagedAccount, .owner)]), owner, grant)
    }
  }

  func unprotectData(_ bytes: [UInt8], _ pending: PendingRequest) {
    answer(.unprotectData, pending, subject: nil) { () throws(FileError) in
      let header: ProtectionHeader
      do throws(FileProtectionError) {
        header = try ProtectionHeader(bytes)
      } catch {
        throw FileError(.decryptFailed, "\(error)")
      }
      let (verdict, owner, permit) = owners.permit(
        to: header, in: pending.guest, as: pending.actingIdentity.identity)
      guard let permit else { return FileAnswer(verdict, owner.account) }
      var grant = self.grant(owner)
      do throws(FileError) {
        grant.key = try key(of: header, permit, nil)
      } catch {
        return FileAnswer(verdict, owner.account, failure: error)
      }
      return FileAnswer(verdict, owner.account, grant)
    }
  }
}

// MARK: - Files and their owners

/// A file's state in its container.
private struct FoundFile {
  var exists = false
  /// The header of an encrypted file; nil if the file is not encrypted.
  var header: ProtectionHeader?
  var owner: Account?

  var isEncrypted: Bool { header != nil }
}

extension FileBroker {
  /// Returns the state of the file at a location. The owner of an encrypted file comes from its header; otherwise, it
  /// comes from the database.
  private func find(_ place: FileLocation) throws(FileError) -> FoundFile {
    let folder = try container(of: place)
    let page: [UInt8]?
    do throws(ContainerError) {
      page = try folder.firstPage(of: place.path)
    } catch {
      throw FileError(error, place)
    }
    guard let page else { return FoundFile() }
    var found = FoundFile(exists: true)
    do throws(FileProtectionError) {
      found.header = try ProtectionHeader(page)
    } catch {
      guard error.code == .notProtected else {
        throw FileError(.decryptFailed, "\(error.description): `\(place)`")
      }
    }
    if let header = found.header {
      found.owner = header.owner
    } else {
      found.owner = try stored { () throws(HostError) in try database.owner(of: place) }
    }
    // The account may have been renamed since the header was written.
    found.owner = found.owner.map(owners.current)
    return found
  }

  private func container(of place: FileLocation) throws(FileError) -> ContainerFolder {
    do throws(ContainerError) {
      return try ContainerFolder(path: "\(folders.root)/\(place.scope)")
    } catch {
      throw FileError(error, place)
    }
  }

  private func stored<Value>(
    _ body: () throws(HostError) -> Value
  ) throws(FileError) -> Value {
    do throws(HostError) {
      return try body()
    } catch {
      throw FileError(.internal, error.description)
    }
  }

  /// Returns the verdict that prevents this owner from owning new data; nil if the account may own new data, or if
  /// there is no owner.
  private func refusal(toOwn owner: ResolvedOwner?) -> Verdict? {
    guard let owner else { return nil }
    return owner.isMissed ? Verdict([Reason(.ownerNotSignedIn, .device)]) : owner.refusal
  }

  /// Checks whether an account may become an owner of files. The number of owners that are neither in the directory nor
  /// signed in is limited, because each adds a database row that every lookup reads.
  private func admit(_ owner: Account, to guest: Guest) throws(FileError) {
    let isKnown =
      guest.accounts.signedIn.contains { $0.account.isSameUser(as: owner) }
      || directory.contains(owner)
    guard !isKnown, !unknownOwners.contains(owner.upn.lowercased()) else { return }
    guard unknownOwners.count < Self.mostUnknownOwners else {
      throw FileError(
        .internal,
        "files already belong to \(unknownOwners.count) unknown accounts; the maximum is \(Self.mostUnknownOwners)"
      )
    }
    unknownOwners.insert(owner.upn.lowercased())
  }

  private static let mostUnknownOwners = 1024

  /// Returns the account that a guest names as an owner, with its state in the guest's app; nil for the empty name.
  private func owner(named accountID: String, in guest: Guest) -> ResolvedOwner? {
    guard !accountID.isEmpty else { return nil }
    let account =
      guest.accounts.signedIn.first { $0.account.matches(identifier: accountID) }?.account
      ?? directory.account(named: accountID)
    return owners.resolve(account, in: guest)
  }

  private func grant(_ owner: ResolvedOwner?) -> FileGrant {
    FileGrant(
      ownerUPN: owner?.account.upn ?? "", ownerObjectID: owner?.account.objectID ?? "",
      ownerTenantID: owner?.account.tenantID ?? "", isManaged: owner?.policy != nil)
  }
}

// MARK: - Disk usage

/// Enforces the disk quota for files that the device adds to containers.
extension FileBroker {
  /// Checks the quota for a file to be added, and adds the file to the usage.
  ///
  /// - Throws: ``FileError`` with the actual and the permitted usage if the container is full.
  private func admit(_ more: DiskUsage, to place: FileLocation) throws(FileError) {
    do throws(DiskExcess) {
      try disk.admit(more, to: place.scope)
    } catch {
      throw FileError(error, place)
    }
  }

  /// Returns the usage of a file or folder. The usage of a folder does not include its contents.
  private func usage(of place: FileLocation) throws(FileError) -> DiskUsage {
    let status = try container(of: place).status(of: place.path)
    return DiskUsage(bytes: status?.allocatedBytes ?? 0, files: 1)
  }

  /// Checks that the database has room for a row with the owner of `place`. The maximum number of rows in a scope
  /// equals the maximum number of files. Guests can remove files without notifying the device, so some rows may be
  /// obsolete. Once half of the maximum is reached, this function therefore also checks some rows and deletes those of
  /// missing files.
  ///
  /// - Throws: ``FileError`` if there is no room, or the database fails.
  private func admitOwner(of place: FileLocation) throws(FileError) {
    let limit = disk.mostFiles
    let count = try stored { () throws(HostError) in try database.ownerCount(in: place.scope) }
    guard count >= limit / 2,
      !(try stored { () throws(HostError) in try database.hasOwner(place) })
    else { return }
    let gone = try forgetMissingFiles(
      of: place.scope, among: count < limit ? Self.lookedAt : Self.lookedAtWhenFull)
    guard count - gone >= limit else { return }
    throw FileError(
      .internal,
      "cannot create `\(place)`: the device keeps the owners of \(count) files there; the maximum is \(limit)"
    )
  }

  /// The number of rows that ``admitOwner(of:)`` checks for each new row. It is large enough to check all rows before
  /// the second half of the maximum is used up.
  private static let lookedAt = 4
  private static let lookedAtWhenFull = 64

  /// Checks the next `limit` rows of the scope, and deletes the rows of missing files.
  ///
  /// - Returns: The number of rows deleted.
  private func forgetMissingFiles(of scope: String, among limit: Int) throws(FileError) -> Int {
    try stored { () throws(HostError) in
      let places = try database.ownedPlaces(
        in: scope, after: lastLookedAt[scope] ?? [], limit: limit)
      lastLookedAt[scope] = places.count < limit ? nil : places.last?.path
      let folder = try? ContainerFolder(path: "\(folders.root)/\(scope)")
      let gone = places.filter { place in
        // If an entry's kind cannot be determined, the entry may exist.
        (try? folder?.kind(of: place.path)) == .missing
      }
      if !gone.isEmpty { try database.forgetFiles(gone) }
      return gone.count
    }
  }
}

// MARK: - Answers

extension FileBroker {
  private enum ResolvedPath {
    case found(FileLocation)
    case refused(Rule)
  }

  private func place(of file: FileReference, in guest: Guest) -> ResolvedPath {
    guard file.group.isEmpty || guest.app.accessibleGroups.contains(file.group) else {
      return .refused(.appGroupNotEntitled)
    }
    let scope =
      file.group.isEmpty
      ? Folders.scope(ofContainer: guest.app.name) : Folders.scope(ofGroup: file.group)
    return FileLocation(scope: scope, path: file.path).map(ResolvedPath.found)
      ?? .refused(.fileOutsideContainer)
  }

  /// Answers a request about a file in the guest's own container or app groups.
  private func serve(
    _ file: FileReference, _ operation: Operation, _ pending: PendingRequest,
    _ body: (FileLocation) throws(FileError) -> FileAnswer
  ) {
    switch place(of: file, in: pending.guest) {
    case .refused(let rule):
      let path = String(decoding: file.path, as: UTF8.self)
      replies.answer(
        pending, operation,
        Verdict([
          Reason(rule, .device, rule == .appGroupNotEntitled ? .applicationGroups : nil)
        ]), subject: file.group.isEmpty ? path : "\(file.group)/\(path)",
        citing: [
          .applicationGroups: Explainer.Citation(
            value: pending.guest.app.appGroups.joined(separator: ", "),
            source: "entitlements of `\(pending.guest.app.name)`")
        ], end: .refused)
    case .found(let place):
      answer(operation, pending, subject: place.description) { () throws(FileError) in
        try body(place)
      }
    }
  }

  /// Calls `body`, records its result as the decision, and answers the request.
  ///
  /// If `body` throws, for example because a file to open is missing, the decision is recorded without a rule.
  private func answer(
    _ operation: Operation, _ pending: PendingRequest, subject: String?,
    _ body: () throws(FileError) -> FileAnswer
  ) {
    let found: FileAnswer
    do throws(FileError) {
      found = try body()
    } catch {
      found = FileAnswer(Verdict([Reason(.noRuleApplied, .device)]), nil, failure: error)
    }
    recordDecision(pending, operation, subject, found)
    if let failure = found.failure {
      return replies.finish(
        pending, RequestOutcome(verdict: .allowed, end: .failed, status: failure.code.rawValue),
        detail: failure.text)
    }
    replies.finish(
      pending,
      RequestOutcome(
        verdict: found.verdict.outcome,
        end: found.verdict.outcome == .blocked ? .refused : .delivered,
        reasons: found.verdict.reasons.map(OutcomeReason.init), file: found.grant))
  }

  private func recordDecision(
    _ pending: PendingRequest, _ operation: Operation, _ subject: String?, _ answer: FileAnswer
  ) {
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: operation, sender: pending.actingIdentity.participant,
        owner: answer.owner?.upn, subject: subject, use: answer.use,
        target: answer.target?.description,
        verdict: Explainer.explain(
          answer.verdict, citing: pending.guest.accounts.policy(of: answer.owner))))
  }
}

// MARK: - Keys

/// File keys, each wrapped by its account's key.
extension FileBroker {
  private func key(
    of header: ProtectionHeader, _ permit: KeyPermit, _ place: FileLocation?
  ) throws(FileError) -> [UInt8] {
    let name = place.map { "`\($0)`" } ?? "the data"
    guard
      let bytes = try stored({ () throws(HostError) in
        try database.existingAccountKey(of: permit.owner, wrap: wrappingKey)
      })
    else {
      throw FileError(
        .decryptFailed, "the key of `\(permit.owner.upn)` is destroyed, so \(name) is lost")
    }
    do throws(FileProtectionError) {
      return try header.key(unwrappedBy: AES256GCM(key: bytes)).bytes
    } catch {
      throw FileError(.decryptFailed, "\(error.description): \(name)")
    }
  }

  /// Returns the account's key, which encrypts the file's key in a new header.
  private func accountKey(of account: Account) throws(FileError) -> AES256GCM {
    guard ProtectionHeader.canState(account) else {
      throw FileError(
        .encryptFailed, "the UPN and ids of `\(account.upn)` do not fit into the header")
    }
    return AES256GCM(
      key: try stored { () throws(HostError) in
        try database.accountKey(of: account, wrap: wrappingKey) {
          randomBytes(AES256GCM.keyByteCount)
        }
      })
  }
}

private struct FileAnswer {
  var verdict: Verdict
  var owner: Account?
  var grant: FileGrant?
  /// The purpose for which the request opens the file; nil if it does not open the file.
  var use: FileUse?
  /// The new location of the file, if the request moves it; otherwise nil.
  var target: FileLocation?
  /// The error that made the request fail before the rules were evaluated, or after they permitted it; nil if there was
  /// none.
  var failure: FileError?

  init(
    _ verdict: Verdict, _ owner: Account?, _ grant: FileGrant? = nil,
    for use: FileUse? = nil, movedTo target: FileLocation? = nil, failure: FileError? = nil
  ) {
    self.failure = failure
    self.use = use
    self.target = target
    self.verdict = verdict
    self.owner = owner
    self.grant = grant
  }
}

/// A failure of a file request other than a refusal by the rules.
struct FileError: Error {
  let code: FileFailure
  let text: String

  init(_ code: FileFailure, _ text: String) {
    self.code = code
    self.text = text
  }

  init(_ error: ContainerError, _ place: FileLocation) {
    self.init(
      error.isMissing ? .fileNotFound : error.isFolder ? .isFolder : .internal,
      "cannot \(error.action) `\(place)`: \(error.reason)")
  }

  init(_ excess: DiskExcess, _ place: FileLocation) {
    self.init(.internal, "cannot create `\(place)`: \(excess)")
  }

  static func missing(_ place: FileLocation) -> FileError {
    FileError(.fileNotFound, "there is no file `\(place)`")
  }
}
