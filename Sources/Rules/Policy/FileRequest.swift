package import Model

/// A request to open a file. It comes from a task, which has an identity.
///
/// Source: Intune App SDK for iOS, stage 5, File owner. It is assumed that a task reads only files of its own account
/// (`docs/ASSUMPTIONS.md`, files).
package struct FileRequest: Sendable {
  /// The file's owner as the app knows it; for a new file, the future owner. If the file has no owner,
  /// ``Owner/account`` is nil.
  package var owner: Owner
  package var isOwnerSignedIn: Bool
  /// Whether the owner counts as managed although no policy applies to it in the app. This is the case if the data is
  /// encrypted for the owner, or if the owner is not signed in and a policy targets it.
  package var wasOwnerManaged: Bool
  /// The identity under which the task opens files.
  package var identity: Identity
  /// Whether the file has no earlier content, because this request creates or empties it.
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

/// Returns the verdict on opening the file. If the request creates or empties a file of a managed owner, a second
/// reason states whether the file is stored encrypted.
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
  /// Whether the account's files must be stored encrypted ("Encrypt org data"). The app must encrypt them if
  /// ``DeviceRestrictions/isFileEncryptionRequired`` is true; otherwise, the system encrypts them.
  package var encryptsFiles: Bool { settings.encryptsFiles }
}

extension Settings {
  /// Whether "Encrypt org data" is required.
  var encryptsFiles: Bool { appDataEncryptionType != .useDeviceSettings }
}
