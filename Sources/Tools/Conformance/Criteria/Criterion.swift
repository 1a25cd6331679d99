internal import Bundle

/// A requirement that an app must meet before it goes into production.
package struct Criterion: Sendable, Equatable {
  /// The identifier, such as `SEND-1`.
  package var id: String
  package var stage: Stage
  /// The requirement as a clause.
  package var text: String
  /// The property, in addition to the SDK, that an app needs for the criterion.
  var need = Need.nothing

  /// The part of an integration to which a criterion belongs. The parts are in the order in which an integrator works
  /// on them.
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

  /// A property that an app needs for a criterion. Without the property, the criterion does not apply to the app.
  enum Need: Sendable {
    case nothing
    /// The ability to receive items from other apps: document types, or an extension that accepts items.
    case receivesItems
    /// The random walk's own apps, which no other app can replace.
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
    Criterion(
      "SAVE-1", .participation,
      "if `Save copies of org data` allows it, copies can be saved to any location"),
    Criterion(
      "SAVE-2", .participation, "if one service is selected, copies can be saved only there"),
    Criterion(
      "SAVE-3", .participation, "if no service is selected, copies cannot be saved outside the app"),
    Criterion(
      "OPEN-1", .participation,
      "if `Open data into Org documents` allows it, documents can be opened from any location"),
    Criterion(
      "OPEN-2", .participation,
      "if one service is selected, documents can be opened only from there"),
    Criterion(
      "OPEN-3", .participation,
      "if no service is selected, documents cannot be opened from outside the app"),
    Criterion(
      "COPY-1", .participation,
      "`Open in` replaces `Copy to` and delivers a readable document"),
    Criterion("PRINT-1", .participation, "if printing is blocked, org data cannot be printed"),
    Criterion("PRINT-2", .participation, "if printing is allowed, org data can be printed"),
    Criterion(
      "CONFIG-1", .participation,
      "conflicting configurations are resolved as documented, and reported"),
  ]

  private static let identities = [
    Criterion(
      "LOGIN-1", .identities,
      "after sign-in of a managed and then a personal account, policy applies only to the managed one"
    ),
    Criterion(
      "LOGIN-2", .identities,
      "after sign-in of a personal and then a managed account, policy applies only to the managed one"
    ),
    Criterion(
      "LOGIN-3", .identities, "a second managed account can sign in only after the first is removed"
    ),
    Criterion(
      "LOGOUT-1", .identities,
      "removing the managed account deletes its data, but not the personal account's"),
    Criterion(
      "LOGOUT-2", .identities,
      "removing the personal account deletes its data, but not the managed account's"),
    Criterion(
      "VIEW-1", .identities, "if the managed account is active, policy applies to every page"),
    Criterion(
      "VIEW-2", .identities, "if the personal account is active, policy applies to no page"),
    Criterion("VIEW-3", .identities, "policy applies to pages that show several accounts"),
    Criterion(
      "PAUSE-1", .identities, "policy still applies when the app resumes with managed data"),
    Criterion(
      "PAUSE-2", .identities, "policy still does not apply when the app resumes with personal data"),
    Criterion("KILL-1", .identities, "policy applies when the app restarts with managed data"),
    Criterion(
      "KILL-2", .identities, "policy does not apply when the app restarts with personal data"),
    Criterion(
      "SWITCH-1", .identities,
      "in any order of switches, suspensions, terminations and restarts, managed data is protected and other data is not restricted",
      need: .ownApps),
  ]

  private static let transfers = [
    Criterion("SEND-1", .identities, "the managed account cannot send data to an unmanaged app"),
    Criterion("SEND-2", .identities, "the managed account can send data to a managed app"),
    Criterion("SEND-3", .identities, "the personal account cannot send data to a managed app"),
    Criterion("SEND-4", .identities, "the personal account can send data to an unmanaged app"),
    Criterion(
      "IMPORT-1", .identities, "the managed account cannot import data from an unmanaged app"),
    Criterion("IMPORT-2", .identities, "the managed account can import data from a managed app"),
    Criterion(
      "IMPORT-3", .identities, "the personal account cannot import data from a managed app"),
    Criterion(
      "IMPORT-4", .identities, "the personal account can import data from an unmanaged app"),
    Criterion(
      "RECEIVE-1", .identities, "the managed account cannot receive data from an unmanaged app",
      need: .receivesItems),
    Criterion(
      "RECEIVE-2", .identities, "the managed account can receive data from a managed app",
      need: .receivesItems
    ),
    Criterion(
      "RECEIVE-3", .identities, "the personal account cannot receive data from a managed app",
      need: .receivesItems),
    Criterion(
      "RECEIVE-4", .identities, "the personal account can receive data from an unmanaged app",
      need: .receivesItems),
  ]

  private static let services = [
    Criterion(
      "CA-1", .conditionalAccess,
      "an account that is targeted before it enrolls gets a token only after remediation"),
    Criterion(
      "CA-2", .conditionalAccess,
      "an account that is targeted after sign-in gets the next token only after remediation"),
    Criterion(
      "CA-3", .conditionalAccess,
      "an account that is targeted without a policy gets no token, and the app handles each status"
    ),
    Criterion("MA-1", .managedApp, "configuration and secrets are available at the first launch"),
    Criterion("MA-2", .managedApp, "a change reaches the running app immediately"),
    Criterion(
      "MA-3", .managedApp,
      "an unmanaged app gets nil, as does an app whose configuration is missing or cannot be decoded; decoding errors are reported"
    ),
    Criterion("MA-4", .managedApp, "other apps, other teams and keyboards receive nothing"),
    Criterion("MA-5", .managedApp, "mutual TLS uses a key that the app cannot read"),
    Criterion("MA-6", .managedApp, "values arrive with management and are removed with it"),
  ]
}

extension Criterion {
  /// Returns whether an error that `rule` finds in the bundle keeps the app from meeting the criterion.
  ///
  /// - Parameter plugIn: The extension with the error; nil for the app itself.
  func isHarmed(by rule: BundleRule, in plugIn: AppBundle?) -> Bool {
    switch rule {
    // An iPhone does not install a bundle with this error.
    case .unreadable, .identifierMissing, .identifierCharacters, .identifierPrefix,
      .extensionMissing, .keychainPrefix:
      true
    // Without the keychain group, the SDK has neither accounts nor a policy.
    case .keychainGroup where plugIn == nil: stage != .managedApp
    // "Open in" opens the app by its scheme, and places the document in a shared app group.
    case .schemeMissing, .schemeCharacters, .appGroupUnlisted: isMetByOpenIn
    case .containingApp, .principal, .ruleMissing, .ruleInvalid, .openInCount, .openInTypes,
      .appGroup, .appGroupNotGranted, .keychainGroup:
      switch plugIn {
      case nil: isMetByOpenIn || need == .receivesItems
      case let action? where action.isOpenInAction: isMetByOpenIn
      case let plugIn?: need == .receivesItems && plugIn.kind.isOfferedByRule
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
  /// The part of the criterion that the ready-made guest cannot demonstrate, because it depends on the app's own
  /// program; nil if there is none.
  var untried: String? {
    switch id.prefix(while: { $0 != "-" }) {
    case "SAVE": "the app's own code that saves"
    case "OPEN": "the app's own code that opens documents"
    case "COPY": "the app's own code that shares and handles documents"
    case "PRINT": "the app's own code that prints, and its alert if printing is blocked"
    case "LOGIN", "LOGOUT": "the app's own sign-in code, and its stored data"
    case "VIEW": "the app's own pages"
    case "PAUSE", "KILL": "the app's own choice of the next account"
    case "SEND": "the app's own code that sends"
    case "IMPORT": "the app's own code that imports"
    case "RECEIVE": "the app's own handling of received data"
    case "CA": "the app's own sign-in and its messages to the user"
    default: nil  // open: any other group of criteria
    }
  }
}
