/// The call of the SDK to an app from a thread of its own (`IntuneMAMPolicyDelegate`). The other calls of that protocol
/// are in ``ApplicationDelegate``.
public protocol IntuneMAMPolicyDelegate: Sendable {
  /// Removes an account with all of its data, in a selective wipe.
  ///
  /// Called on another thread than the app's. Return when all data are gone; the files may be left to the SDK.
  ///
  /// - Returns: whether the files are gone, too; where false, the SDK deletes them.
  func wipeData(forAccountId accountId: String) -> Bool
}
