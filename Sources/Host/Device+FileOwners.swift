internal import FileProtection
internal import Policy
internal import Transfer
internal import Wire

/// Whose the files of containers are.
extension Device {
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

  func stored<Value>(
    _ body: () throws(HostError) -> Value
  ) throws(FileFault) -> Value {
    do throws(HostError) {
      return try body()
    } catch {
      throw FileFault(status: FileFault.internalError, error.description)
    }
  }

  func fileAccess(
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
  func admit(_ owner: Account, to guest: Guest) throws(FileFault) {
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
  func owner(named accountID: String, in guest: Guest) -> Account? {
    guard !accountID.isEmpty else { return nil }
    return guest.accounts.first { $0.account.isNamed(accountID) }?.account
      ?? account(named: accountID)
  }

  func grant(_ owner: Account?, in guest: Guest) -> FileGrant {
    FileGrant(
      ownerUPN: owner?.upn ?? "", ownerObjectID: owner?.objectID ?? "",
      ownerTenantID: owner?.tenantID ?? "", isManaged: policy(of: owner, in: guest) != nil)
  }
}
