package import Model

/// A task's request to open a file.
///
/// Source: Intune App SDK for iOS, stage 5, File owner. It is assumed that a task reads only files of its own
/// account (`docs/ASSUMPTIONS.md`, files).
package struct FileRequest: Sendable {
  /// The file's owner, as known to the app; for a new file, the account that will own it. An unowned file has no
  /// account.
  package var owner: Owner
  package var isOwnerSignedIn: Bool
  /// Whether the owner counts as managed even if no policy applies to it in the app. This is the case if the data is
  /// encrypted for the owner, or if the owner is not signed in and a policy targets it.
  package var wasOwnerManaged: Bool
  /// The task's effective identity for files.
  package var identity: Identity
  /// Whether the file is new: created or emptied by this request.
  package var begins: Bool

  package init(
    owner: Owner, isOwnerSignedIn: Bool, wasOwnerManaged: Bool, identity: Identity, begins: Bool
  ) {
    self.owner = owner
    self.isOwnerSignedIn = isOwnerSignedIn
    self.wasOwnerManaged = wasOwnerManaged
    self.identity = identity
    self.begins = begins
  }
}

/// Returns the verdict on opening the file. For a new file of a managed owner, a second reason states whether it is
/// encrypted.
package func evaluateFile(_ request: FileRequest) -> Verdict {
  var reasons = [Reason(rule(for: request), .device)]
  if request.begins, let policy = request.owner.policy {
    reasons.append(
      Reason(
        policy.encryptsFiles ? .fileStoredEncrypted : .fileStoredPlain, .owner,
        .appDataEncryptionType))
  }
  return Verdict(reasons)
}

private func rule(for request: FileRequest) -> Rule {
  if request.begins { return .fileBegins }
  guard let owner = request.owner.account else { return .fileHasNoOwner }
  guard request.owner.isManaged || request.wasOwnerManaged else { return .fileOfUnmanagedAccount }
  guard request.isOwnerSignedIn else { return .fileOwnerNotSignedIn }
  let isOwn = request.identity.account?.isSameUser(as: owner) ?? false
  return isOwn ? .fileOfIdentity : .fileOfOtherIdentity
}

extension EffectivePolicy {
  /// Whether the account's files are stored encrypted ("Encrypt org data").
  /// ``DeviceRestrictions/isFileEncryptionRequired`` determines whether the app must encrypt them itself.
  package var encryptsFiles: Bool { settings.encryptsFiles }
}

extension Settings {
  /// Whether "Encrypt org data" is required.
  var encryptsFiles: Bool { appDataEncryptionType != .useDeviceSettings }
}
