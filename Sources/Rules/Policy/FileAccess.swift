package import Model

/// A file that a task wants to open.
///
/// Source: Intune App SDK for iOS, stage 5, File owner; that a task reads only files of its own account is
/// assumed (`docs/ASSUMPTIONS.md`, files).
package struct FileAccess: Sendable {
  /// The owner of the file, as the app knows the account; without account the file belongs to nobody, or it begins.
  package var owner: Owner
  /// Whether the owner, where there is one, is signed in to the app.
  package var isOwnerSignedIn: Bool
  /// Whether a policy applied to the owner when it was signed in.
  package var wasOwnerManaged: Bool
  /// The effective identity of the task, for files.
  package var identity: Identity
  /// Whether the file begins: it is created, or emptied.
  package var begins: Bool

  /// Creates a request to open a file.
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

/// The verdict on the opening of the file and, where it begins, on whether its owner's policy wants it encrypted.
package func evaluateFile(_ access: FileAccess) -> Verdict {
  var reasons = [Reason(rule(for: access), .device)]
  if access.begins, let policy = access.owner.policy {
    reasons.append(
      Reason(
        policy.encryptsFiles ? .fileStoredEncrypted : .fileStoredPlain, .owner,
        .appDataEncryptionType))
  }
  return Verdict(reasons)
}

private func rule(for access: FileAccess) -> Rule {
  if access.begins { return .fileBegins }
  guard let owner = access.owner.account else { return .fileHasNoOwner }
  guard access.owner.isManaged || access.wasOwnerManaged else { return .fileOfUnmanagedAccount }
  guard access.isOwnerSignedIn else { return .fileOwnerNotSignedIn }
  let isOwn = access.identity.account?.isSame(as: owner) ?? false
  return isOwn ? .fileOfIdentity : .fileOfOtherIdentity
}

extension EffectivePolicy {
  /// Whether the account's files are stored encrypted: "Encrypt org data". Whether the app is to do so itself is
  /// another question, ``DeviceRestrictions/isFileEncryptionRequired``.
  package var encryptsFiles: Bool {
    settings.appDataEncryptionType != .useDeviceSettings
  }
}
