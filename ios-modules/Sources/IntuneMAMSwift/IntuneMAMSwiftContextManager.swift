internal import SluiceKit

/// Sets the account of the current thread or task during a scope.
public class IntuneMAMSwiftContextManager {
  /// Returns the account of the innermost scope; nil outside of scopes.
  public static func getScopedAccountId() -> String? {
    SluiceKit.IntuneMAMPolicyManager.getCurrentThreadAccountId()
  }

  /// Runs `scope` for an account.
  ///
  /// - Parameter accountId: The object id; `""` for an unknown, unmanaged account; nil to unset the
  ///   identity.
  public static func setAccountId(_ accountId: String?, forScope scope: @escaping () -> Void) {
    SluiceKit.IntuneMAMSwiftContextManager.setAccountId(accountId, forScope: scope)
  }

  /// Runs `scope` for an account.
  ///
  /// - Throws: The error of `scope`.
  public static func setAccountId(
    _ accountId: String?, forScope scope: @escaping () throws -> Void
  ) throws {
    try SluiceKit.IntuneMAMSwiftContextManager.setAccountId(accountId, forScope: scope)
  }

  /// Runs asynchronous code for an account.
  public nonisolated(nonsending) static func setAccountId(
    _ accountId: String?, forScope scope: nonisolated(nonsending) @escaping () async -> Void
  ) async {
    await SluiceKit.IntuneMAMSwiftContextManager.setAccountId(accountId, forScope: scope)
  }

  /// Runs asynchronous code for an account.
  ///
  /// - Throws: The error of `scope`.
  public nonisolated(nonsending) static func setAccountId(
    _ accountId: String?, forScope scope: nonisolated(nonsending) @escaping () async throws -> Void
  ) async throws {
    try await SluiceKit.IntuneMAMSwiftContextManager.setAccountId(accountId, forScope: scope)
  }
}

/// The reason why a call to the Swift interface failed.
public enum IntuneMAMSwiftError: Error, Sendable {
  case GroupActivitiesBlocked
  case FailedToConstructDataFromEncryptedFile
}

/// The policy that applies to a web view, in the Swift interface.
public enum IntuneMAMSwiftWebViewPolicy: Int, Sendable {
  case unset
  case unmanaged
  case currentIdentity
  case currentIdentityBlockUpload
}

/// The environment of Microsoft's experimentation service.
public enum ECSEnvironment: Sendable {
  case prod
  case sandbox
}
