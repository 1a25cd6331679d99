/// The objects of the SDKs and the system that an app uses.
extension Application {
  /// Identities and policy.
  public var policyManager: IntuneMAMPolicyManager { sdk.policyManager }
  /// Accounts.
  public var enrollmentManager: IntuneMAMEnrollmentManager { sdk.enrollmentManager }
  /// Conditional access.
  public var complianceManager: IntuneMAMComplianceManager { sdk.complianceManager }
  /// Questions about what the policy of the account that the app acts for allows.
  public var policy: IntuneMAMPolicy { sdk.policy }
  /// The device's pasteboard.
  public var pasteboard: Pasteboard { sdk.pasteboard }
  /// The device's keychain.
  public var keychain: Keychain { sdk.keychain }
  /// The owners of the app's files.
  public var fileProtectionManager: IntuneMAMFileProtectionManager { sdk.fileProtectionManager }
  /// The configurations of the app that administrators have made.
  public var appConfigManager: IntuneMAMAppConfigManager { sdk.appConfigManager }
  /// Data that carries its owner.
  public var dataProtectionManager: IntuneMAMDataProtectionManager { sdk.dataProtectionManager }
  /// The configuration and the secrets that the administrator provides for the app.
  public var managedApp: ManagedAppClient { sdk.managedApp }
}
