internal import FileProtection
internal import Model
internal import Policy
internal import Wire

/// Owners of the files in containers.
extension FileBroker {
  /// A file as the device finds it.
  struct FoundFile {
    var exists = false
    /// The header of an encrypted file; nil where the file is not encrypted.
    var header: ProtectionHeader?
    var owner: Account?

    var isEncrypted: Bool { header != nil }
  }

  /// Renames the account in the database, and wraps its key, which files depend on, under the new name.
  ///
  /// - Throws: ``HostError`` where the database fails.
  func rename(_ account: Account, to new: Account) throws(HostError) {
    try database.rename(account, to: new, wrap: wrappingKey)
  }

  /// The file at a place, with its owner, which an encrypted file states itself.
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
    // The owner may have another name by now.
    found.owner = found.owner.map(owners.current)
    return found
  }

  func container(of place: FilePlace) throws(FileFault) -> ContainerFolder {
    do throws(ContainerError) {
      return try ContainerFolder(path: "\(folders.root)/\(place.scope)")
    } catch {
      throw FileFault(error, place)
    }
  }

  func stored<Value>(
    _ body: () throws(HostError) -> Value
  ) throws(FileFault) -> Value {
    do throws(HostError) {
      return try body()
    } catch {
      throw FileFault(status: FileFault.internalError, error.description)
    }
  }

  /// The reasons why nothing may begin to belong to an account; nil: it may.
  func refusal(toOwn owner: ResolvedOwner?) -> Verdict? {
    guard let owner else { return nil }
    return owner.isMissed ? Verdict([Reason(.ownerNotSignedIn, .device)]) : owner.refusal
  }

  /// Admits an account as the owner of files. Unknown owners cost a row each, and every look-up reads them: guests may
  /// add only a limited number of them.
  func admit(_ owner: Account, to guest: Guest) throws(FileFault) {
    let isKnown =
      guest.accounts.signedIn.contains { $0.account.isSame(as: owner) }
      || directory.contains(owner)
    guard !isKnown, !unknownOwners.contains(owner.upn.lowercased()) else { return }
    guard unknownOwners.count < Self.mostUnknownOwners else {
      throw FileFault(
        status: FileFault.internalError,
        "files belong to \(unknownOwners.count) accounts already that nobody knows")
    }
    unknownOwners.insert(owner.upn.lowercased())
  }

  private static let mostUnknownOwners = 1024

  /// The account of that name; nil for the empty name.
  func owner(named accountID: String, in guest: Guest) -> ResolvedOwner? {
    guard !accountID.isEmpty else { return nil }
    let account =
      guest.accounts.signedIn.first { $0.account.isNamed(accountID) }?.account
      ?? directory.account(named: accountID)
    return owners.resolve(account, in: guest)
  }

  func grant(_ owner: ResolvedOwner?) -> FileGrant {
    FileGrant(
      ownerUPN: owner?.account.upn ?? "", ownerObjectID: owner?.account.objectID ?? "",
      ownerTenantID: owner?.account.tenantID ?? "", isManaged: owner?.policy != nil)
  }
}
