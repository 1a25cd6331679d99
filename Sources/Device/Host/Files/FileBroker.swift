internal import Cryptography
internal import Policy
internal import Model

/// Files of containers: whose they are, who may open them, and with which key.
///
/// A guest opens its files itself, and the kernel keeps it in its containers. The device decides, fixes the owner of
/// a file that begins, and writes the header of one that is encrypted; only with the key that it hands out then is
/// there anything to read.
public final class FileBroker {
  let folders: Folders
  let database: DeviceDatabase
  /// What the keys of accounts are wrapped with in the database.
  let wrappingKey: AES256GCM
  let policies: PolicyAssignments
  let directory: AccountDirectory
  let audit: AuditLog
  let replies: Replies
  /// Owners of files, by UPN, who are signed in nowhere and in no directory.
  var unknownOwners: Set<String>

  /// Takes up what an earlier run of the device has left half done.
  ///
  /// - Throws: ``HostError`` where the database fails.
  init(
    folders: Folders, database: DeviceDatabase, wrappingKey: AES256GCM,
    policies: PolicyAssignments, directory: AccountDirectory, audit: AuditLog, replies: Replies
  ) throws(HostError) {
    self.folders = folders
    self.database = database
    self.wrappingKey = wrappingKey
    self.policies = policies
    self.directory = directory
    self.audit = audit
    self.replies = replies
    let unknown = try database.accounts().filter { !directory.contains($0) }
    unknownOwners = Set(unknown.map { $0.upn.lowercased() })
    try settleMoves()
  }
}
