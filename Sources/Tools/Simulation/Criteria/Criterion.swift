internal import Bundle

/// A requirement that an app must meet before it goes into production.
package struct Criterion: Sendable, Equatable {
  /// The identifier, such as `SEND-1`.
  package var id: String
  package var stage: Stage
  /// The requirement, as one clause.
  package var text: String
  /// The property that an app needs for the criterion, in addition to the SDK.
  var need = Need.nothing

  /// The part of an integration that a criterion belongs to, in the order of the work.
  package enum Stage: String, Sendable, CaseIterable {
    case participation, identities, conditionalAccess, managedApp

    package var title: String {
      switch self {
      case .participation: "App participation"
      case .identities: "Multi-identity"
      case .conditionalAccess: "App Protection Conditional Access"
      case .managedApp: "Managed apps"
      }
    }
  }

  /// An app property that a criterion requires. Without it, the criterion does not apply to the app.
  enum Need: Sendable {
    case nothing
    /// A way to receive items from other apps: document types, or an extension that accepts items.
    case wayIn
    /// The walk's own apps.
    case ownApps
  }

  init(_ id: String, _ stage: Stage, _ text: String, need: Need = .nothing) {
    self.id = id
    self.stage = stage
    self.text = text
    self.need = need
  }

  /// All criteria, in the order in which an integration meets them.
  package static let all: [Criterion] = participation + identities + transfers + services

  private static let participation = [
    Criterion("SAVE-1", .participation, "where copies may be saved, they are saved anywhere"),
    Criterion(
      "SAVE-2", .participation, "where one service is selected, copies go only to it"),
    Criterion("SAVE-3", .participation, "where no service is selected, no copy leaves"),
    Criterion(
      "OPEN-1", .participation, "where opening into org documents is allowed, all sources are open"),
    Criterion(
      "OPEN-2", .participation, "where one service is selected, documents come only from it"),
    Criterion("OPEN-3", .participation, "where no service is selected, no document comes in"),
    Criterion(
      "COPY-1", .participation,
      "`Copy to` gives way to `Open in`, which delivers a document that can be read"),
    Criterion("PRINT-1", .participation, "where printing is blocked, nothing is printed"),
    Criterion("PRINT-2", .participation, "where printing is allowed, org data is printed"),
    Criterion(
      "CONFIG-1", .participation,
      "conflicting configurations resolve as documented, and are reported"),
  ]

  private static let identities = [
    Criterion(
      "LOGIN-1", .identities,
      "managed account first, then a private one: policy applies to the managed one only"),
    Criterion("LOGIN-2", .identities, "private account first, then a managed one: the same"),
    Criterion(
      "LOGIN-3", .identities, "a second managed account has to wait until the first is removed"),
    Criterion(
      "LOGOUT-1", .identities, "with the managed account its data go, and the private one's stay"),
    Criterion(
      "LOGOUT-2", .identities, "with the private account its data go, and the managed one's stay"),
    Criterion("VIEW-1", .identities, "with the managed account active, policy is on every page"),
    Criterion("VIEW-2", .identities, "with the private account active, policy is on no page"),
    Criterion("VIEW-3", .identities, "on pages that show several accounts, policy is on"),
    Criterion("PAUSE-1", .identities, "policy is still on when the app comes back to managed data"),
    Criterion("PAUSE-2", .identities, "policy is still off when it comes back to private data"),
    Criterion("KILL-1", .identities, "an app that restarts with managed data is under policy"),
    Criterion("KILL-2", .identities, "an app that restarts with private data is under no policy"),
    Criterion(
      "SWITCH-1", .identities,
      "whatever is switched, suspended, killed and started: managed data are protected, others free",
      need: .ownApps),
  ]

  private static let transfers = [
    Criterion("SEND-1", .identities, "the managed account does not send to an unmanaged app"),
    Criterion("SEND-2", .identities, "the managed account sends to a managed app"),
    Criterion("SEND-3", .identities, "the private account does not send to a managed app"),
    Criterion("SEND-4", .identities, "the private account sends to an unmanaged app"),
    Criterion("IMPORT-1", .identities, "the managed account does not import from an unmanaged app"),
    Criterion("IMPORT-2", .identities, "the managed account imports from a managed app"),
    Criterion("IMPORT-3", .identities, "the private account does not import from a managed app"),
    Criterion("IMPORT-4", .identities, "the private account imports from an unmanaged app"),
    Criterion(
      "RECEIVE-1", .identities, "the managed account does not receive data from an unmanaged app",
      need: .wayIn),
    Criterion(
      "RECEIVE-2", .identities, "the managed account receives data from a managed app", need: .wayIn
    ),
    Criterion(
      "RECEIVE-3", .identities, "the private account does not receive data from a managed app",
      need: .wayIn),
    Criterion(
      "RECEIVE-4", .identities, "the private account receives data from an unmanaged app",
      need: .wayIn),
  ]

  private static let services = [
    Criterion(
      "CA-1", .conditionalAccess,
      "targeted before it enrolls: refused a token, remediated, granted one"),
    Criterion(
      "CA-2", .conditionalAccess, "targeted after it signed in: the next token takes a remediation"),
    Criterion(
      "CA-3", .conditionalAccess,
      "targeted without a policy: never a token, and each status handled"
    ),
    Criterion("MA-1", .managedApp, "configuration and secrets are available at the first launch"),
    Criterion("MA-2", .managedApp, "a change reaches the running app at once"),
    Criterion(
      "MA-3", .managedApp,
      "unmanaged, without configuration or not decodable: nil, and decoding errors are reported"
    ),
    Criterion("MA-4", .managedApp, "other apps, other teams and keyboards receive nothing"),
    Criterion("MA-5", .managedApp, "mutual TLS with a key that the app cannot read"),
    Criterion("MA-6", .managedApp, "values arrive with management and are removed with it"),
  ]
}

extension Criterion {
  /// Returns whether an error of this rule in the bundle prevents the app from meeting the criterion.
  ///
  /// - Parameter plugIn: The extension with the error; nil for the app itself.
  func isHarmed(by rule: BundleRule, in plugIn: AppBundle?) -> Bool {
    switch rule {
    // An iPhone does not install such a bundle.
    case .unreadable, .identifierMissing, .identifierCharacters, .identifierPrefix,
      .extensionMissing, .keychainPrefix:
      true
    // Without the group, the SDK has neither accounts nor policy.
    case .keychainGroup where plugIn == nil: stage != .managedApp
    // "Open in" opens the app by its scheme, and leaves the document in a shared app group.
    case .schemeMissing, .schemeCharacters, .appGroupUnlisted: isMetByOpenIn
    case .containingApp, .principal, .ruleMissing, .ruleInvalid, .openInCount, .openInTypes,
      .appGroup, .appGroupNotGranted, .keychainGroup:
      switch plugIn {
      case nil: isMetByOpenIn || need == .wayIn
      case let action? where action.isOpenInAction: isMetByOpenIn
      case let plugIn?: need == .wayIn && plugIn.kind.isOfferedByRule
      }
    case .notLaunched, .unknownPoint, .wrongType, .keyWhiteSpace, .unknownKey, .unresolvedVariable,
      .entitlementsFile, .listRoot, .repeatedKey, .oddData, .orphan, .minimumOS,
      .fullAccess, .ruleMisplaced, .ruleValue, .ruleUnconditional, .ruleUnnamed, .ruleUnprefixed,
      .openInMissing, .openInPoint, .openInOther, .schemeTwin, .schemeOriginal, .queriedTwin,
      .queriedMissing, .queriedLimit, .keychainOrder, .faceID, .multiIdentity, .unknownSetting,
      .sdkSetting, .sceneConfiguration, .contentTypesMissing, .undeclaredType:
      false
    }
  }

  /// Whether the criterion requires a document to arrive by "Open in".
  private var isMetByOpenIn: Bool { ["COPY-1", "RECEIVE-2"].contains(id) }
}

extension Criterion {
  /// The part of the criterion that a stand-in cannot demonstrate, because it depends on the app's own
  /// program; nil for none.
  var untried: String? {
    switch id.prefix(while: { $0 != "-" }) {
    case "SAVE": "the places in the app where it saves"
    case "OPEN": "the places in the app where it opens"
    case "COPY": "the places in the app where it shares, and its handling of documents"
    case "PRINT": "the places in the app where it prints, and the alert that it shows"
    case "LOGIN", "LOGOUT": "the app's own sign-in, and the data that it keeps"
    case "VIEW": "the app's own pages"
    case "PAUSE", "KILL": "the account that the app itself continues with"
    case "SEND": "the places in the app where it sends"
    case "IMPORT": "the places in the app where it imports"
    case "RECEIVE": "the app's own handling of received data"
    case "CA": "the app's own sign-in and its messages to the user"
    default: nil  // open: any other group of criteria
    }
  }
}
