internal import Model
internal import Policy

/// The accounts and apps in one request, with their policies.
struct Cast {
  /// The policies of the two organisations; nil for an organisation without a policy.
  let policies: [EffectivePolicy?]
  let device: DeviceRestrictions

  /// An app from the App Store, or one of Contoso's own apps.
  struct App {
    var bundleID: String
    var linksSDK = true
    /// Whether the policies are targeted at the app.
    var isTargeted = true
  }

  static let anna = Account(
    upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
    tenantID: "contoso.com")
  static let ben = Account(
    upn: "ben@contoso.com", objectID: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    tenantID: "contoso.com")
  static let carl = Account(
    upn: "carl@fabrikam.com", objectID: "16fd2706-8baf-433b-82eb-8c7fada847da",
    tenantID: "fabrikam.com")
  /// An account without an organisation.
  static let eve = Account(
    upn: "eve@outlook.com", objectID: "9b2e4c1a-55d3-4e0e-8a4c-3f6d2f1f7c11",
    tenantID: "9188040d-6c67-4c5b-b112-36a304b66dad")

  static let apps = [
    App(bundleID: "com.microsoft.office.outlook"), App(bundleID: "com.microsoft.office.word"),
    App(bundleID: "com.microsoft.skype.teams"), App(bundleID: "com.contoso.notes"),
    App(bundleID: "com.contoso.mail"), App(bundleID: "com.microsoft.skydrive"),
    App(bundleID: "com.fabrikam.viewer", isTargeted: false),
    App(bundleID: "net.whatsapp.WhatsApp", linksSDK: false, isTargeted: false),
    App(bundleID: "com.apple.mobilenotes", linksSDK: false, isTargeted: false),
  ]

  func party(_ generator: inout SeededGenerator) -> Party {
    let app = app(&generator)
    let identity = generator.pick([
      .account(Self.anna), .account(Self.anna), .account(Self.anna), .account(Self.anna),
      .account(Self.ben), .account(Self.carl), .account(Self.carl), .account(Self.eve), .unknown,
      Identity.unset,
    ])
    return Party(app: app, identity: identity, policy: policy(of: identity, in: app))
  }

  /// Returns the owner of the sender's data: usually the sender itself, sometimes another account
  /// or none.
  func owner(of sender: Party, _ generator: inout SeededGenerator) -> Owner {
    let account = generator.pick([
      sender.identity.account, sender.identity.account, sender.identity.account, Self.anna,
      Self.carl, nil,
    ])
    let policy = account.flatMap { self.policy(of: .account($0), in: sender.app) }
    return Owner(account: account, policy: policy)
  }

  /// Returns the policy of an identity in an app; nil if the identity is unmanaged in the app.
  func policy(of identity: Identity, in app: AppState) -> EffectivePolicy? {
    guard let account = identity.account,
      Self.apps.contains(where: { $0.bundleID == app.bundleID && $0.isTargeted })
    else { return nil }
    if account.isSameTenant(as: Self.anna) { return policies[0] }
    return account.isSameTenant(as: Self.carl) ? policies[1] : nil
  }

  /// Returns the policy of Contoso, which manages the device.
  func appPolicy(of app: AppState) -> EffectivePolicy? { policy(of: .account(Self.anna), in: app) }

  private func app(_ generator: inout SeededGenerator) -> AppState {
    let app = generator.pick(Self.apps)
    let versions = [nil, nil, nil, Version(20, 3, 1), Version(14, 2, 0), Version(8, 0, 1)]
    return AppState(
      bundleID: app.bundleID, isMultiIdentity: generator.once(in: 2),
      isMDMManaged: device.isMDMEnrolled && generator.once(in: 2),
      hasEnrolledUPN: device.isMDMEnrolled && app.linksSDK && generator.once(in: 2),
      linksSDK: app.linksSDK, sdkVersion: app.linksSDK ? generator.pick(versions) : nil,
      isScreenCaptureControlDisabled: generator.once(in: 4),
      webViews: generator.pick(WebViewPolicy.allCases))
  }
}
