internal import Host
internal import Model
internal import Wire

/// The apps of a walk.
enum WalkApp: Int, CaseIterable {
  /// The app under test: it has the SDK and several identities.
  case notes
  /// A peer with the SDK and one identity, under the same policy.
  case mail
  /// A peer without the SDK: no policy ever applies in it.
  case photos

  var name: String { "\(self)" }

  var usesSDK: Bool { self != .photos }

  var isMultiIdentity: Bool { self == .notes }

  var bundleID: String { usesSDK ? "com.contoso.\(name)" : "org.example.\(name)" }

  /// The apps that a policy is assigned to.
  static let protectedBundles = allCases.filter(\.usesSDK).map(\.bundleID)

  /// The app group that all of them share.
  static let group = "group.com.contoso.walk"

  /// The keychain group that the apps of one team share.
  static let sharedKeychain = "CONTOSO123.com.contoso.shared"

  /// The keychain group that is the app's alone.
  var ownKeychain: String { "\(team).\(bundleID)" }

  private var team: String { usesSDK ? "CONTOSO123" : "EXAMPLE456" }

  /// The accounts that have signed in before the walk begins.
  var firstAccounts: [WalkAccount] {
    switch self {
    case .notes: [.work, .personal]
    case .mail: [.work]
    case .photos: []
    }
  }

  var description: AppDescription {
    AppDescription(
      name: name, bundleID: bundleID, team: team, integratesSDK: usesSDK,
      isMultiIdentity: isMultiIdentity, keychainAccessGroups: usesSDK ? [Self.sharedKeychain] : [],
      appGroups: [Self.group], behaviour: Behaviour(wipe: .failed))
  }
}

/// The accounts of a walk.
enum WalkAccount: CaseIterable {
  /// The organisation's account, which a policy protects in the apps with the SDK.
  case work
  case personal

  var account: Account {
    switch self {
    case .work:
      Account(
        upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
        tenantID: "contoso.com")
    case .personal: Account(upn: "anna@example.org")
    }
  }
}
