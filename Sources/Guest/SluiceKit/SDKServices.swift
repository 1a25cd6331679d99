internal import Wire

/// The objects by which an app speaks to the system and to the SDK: one of each, as long as the app runs.
struct SDKServices {
  let policyManager: IntuneMAMPolicyManager
  let enrollmentManager: IntuneMAMEnrollmentManager
  let complianceManager: IntuneMAMComplianceManager
  let policy: IntuneMAMPolicy
  let pasteboard: Pasteboard
  let keychain: Keychain
  let fileProtectionManager: IntuneMAMFileProtectionManager
  let appConfigManager: IntuneMAMAppConfigManager
  let dataProtectionManager: IntuneMAMDataProtectionManager
  let managedApp: ManagedAppClient

  /// - Parameter configurations: the app's configurations when it starts.
  init(_ host: any HostPort, _ files: AppFiles, configurations: [ConfigurationNews]) {
    policyManager = IntuneMAMPolicyManager(host)
    enrollmentManager = IntuneMAMEnrollmentManager(host)
    complianceManager = IntuneMAMComplianceManager(host, enrollmentManager)
    policy = IntuneMAMPolicy(host)
    pasteboard = Pasteboard(host)
    keychain = Keychain(host)
    fileProtectionManager = IntuneMAMFileProtectionManager(host, files)
    appConfigManager = IntuneMAMAppConfigManager(configurations)
    dataProtectionManager = IntuneMAMDataProtectionManager(host)
    managedApp = ManagedAppClient(host)
  }
}
