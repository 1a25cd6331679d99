public import Foundation
public import UIKit

/// API of earlier releases, which uses UPNs instead of object ids. The device accepts both.
extension IntuneMAMEnrollmentManager {
  @available(*, deprecated, message: "removed in 20.1.0; use registerAndEnrollAccountId(_:)")
  public func registerAndEnrollAccount(_ identity: String) { registerAndEnrollAccountId(identity) }

  @available(
    *, deprecated, message: "removed in 20.1.0; use deRegisterAndUnenrollAccountId(_:withWipe:)"
  )
  public func deRegisterAndUnenrollAccount(_ identity: String, withWipe doWipe: Bool) {
    deRegisterAndUnenrollAccountId(identity, withWipe: doWipe)
  }

  @available(*, deprecated, message: "removed in 20.1.0; use enrolledAccountId()")
  public func enrolledAccount() -> String? { enrolledAccountId() }

  @available(*, deprecated, message: "removed in 20.1.0; use registeredAccountIds()")
  public func registeredAccounts() -> [Any] { registeredAccountIds() }

  @available(*, deprecated, message: "removed in 20.1.0; use mdmEnrolledAccountId(completion:)")
  public func mdmEnrolledAccount() -> String? { mdmEnrolledAccountIdFromCache() }
}

extension IntuneMAMComplianceManager {
  @available(
    *, deprecated, message: "removed in 20.1.0; use remediateCompliance(forAccountId:silent:)"
  )
  public func remediateCompliance(forIdentity identity: String, silent: Bool) {
    remediateCompliance(forAccountId: identity, silent: silent)
  }

  @available(
    *, deprecated, message: "removed in 20.1.0; use remediationInProgress(forAccountId:)"
  )
  public func remediationInProgress(forIdentity identity: String) -> Bool {
    remediationInProgress(forAccountId: identity)
  }
}

extension IntuneMAMPolicyManager {
  @available(
    *, deprecated, message: "removed in 20.1.0; use setUIPolicyAccountId(_:completionHandler:)"
  )
  public func setUIPolicyIdentity(
    _ identity: String?,
    completionHandler: (@Sendable (IntuneMAMSwitchIdentityResult) -> Void)? = nil
  ) { setUIPolicyAccountId(identity, completionHandler: completionHandler) }

  @available(
    *, deprecated, message: "removed in 20.1.0; use setUIPolicyAccountId(_:for:completionHandler:)"
  )
  public func setUIPolicyIdentity(
    _ identity: String?, for window: UIWindow?,
    completionHandler: (@Sendable (IntuneMAMSwitchIdentityResult) -> Void)? = nil
  ) { setUIPolicyAccountId(identity, for: window, completionHandler: completionHandler) }

  @available(*, deprecated, message: "removed in 20.1.0; use getUIPolicyAccountId()")
  public func getUIPolicyIdentity() -> String? { getUIPolicyAccountId() }

  @available(*, deprecated, message: "removed in 20.1.0; use getUIPolicyAccountId(for:)")
  public func getUIPolicyIdentity(for window: UIWindow?) -> String? {
    getUIPolicyAccountId(for: window)
  }

  @available(*, deprecated, message: "removed in 20.1.0; use setProcessAccountId(_:)")
  public func setProcessIdentity(_ identity: String?) { setProcessAccountId(identity) }

  @available(*, deprecated, message: "removed in 20.1.0; use getProcessAccountId()")
  public func getProcessIdentity() -> String? { getProcessAccountId() }

  @available(*, deprecated, message: "removed in 20.1.0; use getCurrentThreadAccountId()")
  public func getCurrentThreadIdentity() -> String? { getCurrentThreadAccountId() }

  @available(*, deprecated, message: "removed in 20.1.0; use getAccountIdForCurrentActivity()")
  public func getIdentityForCurrentActivity() -> String? { getAccountIdForCurrentActivity() }

  @available(*, deprecated, message: "removed in 20.1.0; use isAccountIdManaged(_:)")
  public func isIdentityManaged(_ identity: String?) -> Bool { isAccountIdManaged(identity) }

  @available(*, deprecated, message: "removed in 20.1.0; use policy(forAccountId:)")
  public func policy(forIdentity identity: String?) -> (any IntuneMAMPolicy)? {
    policy(forAccountId: identity)
  }

  @available(*, deprecated, message: "removed in 20.1.0; use primaryAccountId")
  public var primaryUser: String? { primaryAccountId }
}

extension IntuneMAMPolicy {
  @available(
    *, deprecated, message: "removed in 20.1.0; use isSaveToAllowed(for:withAccountId:)"
  )
  public func isSaveToAllowed(
    for location: IntuneMAMSaveLocation, withAccountName accountName: String?
  ) -> Bool { isSaveToAllowed(for: location, withAccountId: accountName) }

  @available(
    *, deprecated, message: "removed in 20.1.0; use isOpenFromAllowed(for:withAccountId:)"
  )
  public func isOpenFromAllowed(
    for location: IntuneMAMOpenLocation, withAccountName accountName: String?
  ) -> Bool { isOpenFromAllowed(for: location, withAccountId: accountName) }

  @available(*, deprecated, message: "removed in 20.1.0; use getSaveToLocations(forAccountId:)")
  public func getSaveToLocations(forAccount account: String?) -> [NSNumber: NSNumber] {
    getSaveToLocations(forAccountId: account)
  }

  @available(*, deprecated, message: "removed in 20.1.0; use getOpenFromLocations(forAccountId:)")
  public func getOpenFromLocations(forAccount account: String?) -> [NSNumber: NSNumber] {
    getOpenFromLocations(forAccountId: account)
  }
}

extension IntuneMAMAppConfigManager {
  @available(*, deprecated, message: "removed in 20.1.0; use appConfig(forAccountId:)")
  public func appConfig(forIdentity identity: String?) -> any IntuneMAMAppConfig {
    appConfig(forAccountId: identity)
  }
}

extension IntuneMAMDataProtectionManager {
  @available(*, deprecated, message: "removed in 20.1.0; use protect(_:accountId:)")
  public func protect(_ data: Data, identity: String) -> Data? {
    protect(data, accountId: identity)
  }

  @available(*, deprecated, message: "removed in 20.1.0; use protect(_:accountId:)")
  public func protect(_ string: String, identity: String) -> String? {
    protect(string, accountId: identity)
  }
}

extension IntuneMAMDataProtectionInfo {
  @available(*, deprecated, message: "removed in 20.1.0; use accountId")
  public var identity: String? { accountId }
}

extension IntuneMAMFileProtectionInfo {
  @available(*, deprecated, message: "removed in 20.1.0; use accountId")
  public var identity: String? { accountId }
}

extension IntuneMAMFileProtectionManager {
  @available(*, deprecated, message: "removed in 20.1.0; use protect(_:accountId:)")
  public func protect(_ path: String, identity: String?) { protect(path, accountId: identity) }

  @available(*, deprecated, message: "removed in 20.1.0; use verifyAndProtect(_:accountId:)")
  public func verifyAndProtect(_ path: String, identity: String?) {
    verifyAndProtect(path, accountId: identity)
  }

  @available(*, deprecated, message: "removed in 20.1.0; use encryptFile(_:forAccountId:)")
  @discardableResult
  public func encryptFile(_ filePath: String, forIdentity identity: String) -> Bool {
    encryptFile(filePath, forAccountId: identity)
  }
}

extension IntuneMAMFile {
  @available(*, deprecated, message: "removed in 20.1.0; use createFile(atPath:forAccountId:)")
  public class func createFile(
    atPath path: String, forIdentity identity: String?
  ) throws -> IntuneMAMFile { try createFile(atPath: path, forAccountId: identity) }

  @available(*, deprecated, message: "removed in 20.1.0; use protect(atPath:forAccountId:)")
  public class func protect(atPath path: String, forIdentity identity: String?) throws {
    try protect(atPath: path, forAccountId: identity)
  }
}

extension IntuneMAMSwiftContextManager {
  @available(*, deprecated, message: "removed in 21.1.0; use getScopedAccountId()")
  public static func getScopedIdentity() -> String? { getScopedAccountId() }

  @available(*, deprecated, message: "removed in 21.1.0; use setAccountId(_:forScope:)")
  public static func setIdentity(_ identity: String?, forScope scope: @escaping () -> Void) {
    setAccountId(identity, forScope: scope)
  }

  @available(*, deprecated, message: "removed in 21.1.0; use setAccountId(_:forScope:)")
  public static func setIdentity(
    _ identity: String?, forScope scope: @escaping () throws -> Void
  ) throws { try setAccountId(identity, forScope: scope) }
}

extension IntuneMAMUserStatusManager {
  @available(*, deprecated, message: "removed in 20.1.0; use userStatus(forAccountId:)")
  public func userStatus(forIdentity identity: String?) -> (any IntuneMAMUserStatus)? {
    userStatus(forAccountId: identity)
  }
}
