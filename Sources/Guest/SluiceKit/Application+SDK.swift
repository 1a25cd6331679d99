/// What the SDKs and the system have for an app.
extension Application {
  /// Identities and policy.
  public var policyManager: IntuneMAMPolicyManager { sdk.policyManager }
  /// Accounts.
  public var enrollmentManager: IntuneMAMEnrollmentManager { sdk.enrollmentManager }
  /// Conditional access.
  public var complianceManager: IntuneMAMComplianceManager { sdk.complianceManager }
  /// What the policy of the account that the app acts for allows.
  public var policy: IntuneMAMPolicy { sdk.policy }
  /// The device's pasteboard.
  public var pasteboard: Pasteboard { sdk.pasteboard }
  public var keychain: Keychain { sdk.keychain }
  /// Whose the app's files are.
  public var fileProtectionManager: IntuneMAMFileProtectionManager { sdk.fileProtectionManager }
  /// What administrators have configured the app with.
  public var appConfigManager: IntuneMAMAppConfigManager { sdk.appConfigManager }
  /// Data that carries its owner.
  public var dataProtectionManager: IntuneMAMDataProtectionManager { sdk.dataProtectionManager }
  /// What the administrator provides for the app.
  public var managedApp: ManagedAppClient { sdk.managedApp }
}
