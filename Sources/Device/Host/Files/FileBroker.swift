internal import Cryptography
internal import Model
internal import Policy

/// Files of containers: their owners, the guests that may open them, and their keys.
///
/// A guest opens its files itself, and the kernel keeps it in its containers. The device decides, fixes the owner of a
/// new file, and writes the header of an encrypted one, which can be read only with the key that the device hands out.
public final class FileBroker {
  let folders: Folders
  let disk: DiskWatch
  let database: DeviceDatabase
  /// The key that wraps the keys of accounts in the database.
  let wrappingKey: AES256GCM
  let owners: OwnerResolver
  let directory: AccountDirectory
  let audit: AuditLog
  let replies: Replies
  /// Accounts, by UPN in lower case, that own files without being in the directory or signed in.
  var unknownOwners: Set<String>
  /// The path up to which the owners in a scope were last searched for files that are gone.
  var lastLookedAt: [String: [UInt8]] = [:]

  /// Finishes what an earlier run of the device has left half done.
  ///
  /// - Throws: ``HostError`` where the database fails.
  init(
    folders: Folders, disk: DiskWatch, database: DeviceDatabase, wrappingKey: AES256GCM,
    owners: OwnerResolver, directory: AccountDirectory, audit: AuditLog, replies: Replies
  ) throws(HostError) {
    self.folders = folders
    self.disk = disk
    self.database = database
    self.wrappingKey = wrappingKey
    self.owners = owners
    self.directory = directory
    self.audit = audit
    self.replies = replies
    let unknown = try database.ownersSignedInNowhere().filter { !directory.contains($0) }
    unknownOwners = Set(unknown.map { $0.upn.lowercased() })
    try settleMoves()
    // Counts all rows, before guests wait.
    _ = try database.ownerCount(in: "")
  }
}
