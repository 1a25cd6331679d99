package import Model

/// A fact about a destination beside the policies' verdict: a reason why it is, or is not, in the share sheet.
package enum SheetFinding: Sendable {
  // Copy to
  case ownApp
  case notAFile
  case noDocumentTypes
  case documentTypeNotAccepted(String)
  case documentTypeAccepted(String, by: String)
  /// "Copy to" gives way to "Open in".
  ///
  /// - Parameter action: the app's Open-In action extension; nil where it has none.
  case replacedByOpenIn(action: String?)

  // Extensions
  case containingAppMissing(String)
  case noActivationRule
  case activationRuleFails
  case activationRuleHolds
  /// The rule would hold for the types themselves, and not for their twins.
  case twinsNotNamed
  case ownExtension
  case sendingNotRestricted
  case schemeTwinMissing(app: String)

  // Built-in actions
  case typeNotTaken(BuiltInAction)
  case pastedElsewhere(Verdict)

  // Any
  case asksToSwitchIdentity
  /// The device does not show the app, for a reason in a clause.
  case appNotAllowed(String)

  /// The effect of a finding on the destination.
  package enum Effect: String, Sendable {
    case hides, offers, remark
  }
}

extension SheetFinding {
  package var effect: Effect {
    switch self {
    case .ownApp, .notAFile, .noDocumentTypes, .documentTypeNotAccepted, .replacedByOpenIn,
      .containingAppMissing, .noActivationRule, .activationRuleFails, .typeNotTaken,
      .appNotAllowed:
      .hides
    case .documentTypeAccepted, .activationRuleHolds: .offers
    case .twinsNotNamed, .ownExtension, .sendingNotRestricted, .schemeTwinMissing,
      .pastedElsewhere, .asksToSwitchIdentity:
      .remark
    }
  }

  /// The finding in one word, for machines.
  package var code: String {
    switch self {
    case .ownApp: "ownApp"
    case .notAFile: "notAFile"
    case .noDocumentTypes: "noDocumentTypes"
    case .documentTypeNotAccepted: "documentTypeNotAccepted"
    case .documentTypeAccepted: "documentTypeAccepted"
    case .replacedByOpenIn: "replacedByOpenIn"
    case .containingAppMissing: "containingAppMissing"
    case .noActivationRule: "noActivationRule"
    case .activationRuleFails: "activationRuleFails"
    case .activationRuleHolds: "activationRuleHolds"
    case .twinsNotNamed: "twinsNotNamed"
    case .ownExtension: "ownExtension"
    case .sendingNotRestricted: "sendingNotRestricted"
    case .schemeTwinMissing: "schemeTwinMissing"
    case .typeNotTaken: "typeNotTaken"
    case .pastedElsewhere: "pastedElsewhere"
    case .asksToSwitchIdentity: "asksToSwitchIdentity"
    case .appNotAllowed: "appNotAllowed"
    }
  }

  /// The finding in one sentence, in lower case and without full stop.
  package var text: String {
    switch self {
    case .ownApp: "an app is not offered a copy of what it shares itself"
    case .notAFile: "only files can be copied to apps, and something shared is not a file"
    case .noDocumentTypes: "the app opens no documents: it declares no document types"
    case .documentTypeNotAccepted(let type): "none of the app's document types accepts `\(type)`"
    case .documentTypeAccepted(let type, let document):
      "the app's document type `\(document)` accepts `\(type)`"
    case .replacedByOpenIn(let action?):
      "the policy restricts sending: \"Copy to\" gives way to the app's Open-In action `\(action)`"
    case .replacedByOpenIn:
      "the policy restricts sending: \"Copy to\" gives way to an Open-In action, which the app does not have"
    case .containingAppMissing(let app):
      app.isEmpty
        ? "the extension names no containing app" : "the containing app `\(app)` is not installed"
    case .noActivationRule: "the extension has no valid activation rule, and so is never offered"
    case .activationRuleFails: "the activation rule does not hold for the types on offer"
    case .activationRuleHolds: "the activation rule holds for the types on offer"
    case .twinsNotNamed:
      "the rule would hold without the policy: it does not name the `com.microsoft.intune.mam.` types"
    case .ownExtension: "the app's own extension: to the policy it is a receiver like any other"
    case .sendingNotRestricted:
      "no policy restricts the app's own sharing: documents go by \"Copy to\", under their own types"
    case .schemeTwinMissing(let app):
      "opening will fail: `\(app)` registers no URL scheme with its `-intunemam` twin"
    case .typeNotTaken(let action): "it takes \(action.takes ?? "anything") only"
    case .pastedElsewhere(let verdict):
      "pasting in an app without policy: \(verdict.outcome.rawValue) by \(verdict.deciding.rule.rawValue)"
    case .asksToSwitchIdentity:
      "the app is asked first to receive it for an unmanaged account, and decides itself"
    case .appNotAllowed(let ban): "the device does not show the app: \(ban)"
    }
  }
}
