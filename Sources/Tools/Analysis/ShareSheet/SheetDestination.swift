package import Activation
package import Model
package import Policy

/// A possible destination in a share sheet, with the reasons for its visibility.
package struct SheetDestination: Sendable {
  package var kind: Kind
  /// The name of the app or extension, or ``BuiltInAction/rawValue``.
  package var name: String
  /// The title in the sheet, such as `Copy to Notes`.
  package var title: String
  /// The bundle id; nil for system actions.
  package var bundleID: String?
  /// The findings for and against the destination, in the order of the checks, without the policies' verdict.
  package var findings: [SheetReason]
  /// The transfer that starts if the user chooses the destination.
  package var transfer: Transfer
  /// The activation rule to which ``findings`` refer; nil if the destination has none.
  package var rule: ActivationRule?

  /// A kind of destination, in the sheet's order.
  package enum Kind: String, Sendable, CaseIterable {
    case openIn
    case shareExtension
    case copyTo
    case actionExtension
    case builtIn
  }

  /// The transfer as policies evaluate it. It is a class, because destinations are moved often and requests are large.
  package final class Transfer: Sendable {
    package let request: TransferRequest
    package let verdict: Verdict
    /// The refused request that ``request`` replaces, because the receiving app can import the item for an unmanaged
    /// account instead; nil if there is none.
    package let refused: TransferRequest?

    init(_ request: TransferRequest, _ verdict: Verdict, refused: TransferRequest? = nil) {
      self.request = request
      self.verdict = verdict
      self.refused = refused
    }

    package var explained: ExplainedVerdict {
      Explainer.explain(request, verdict, insteadOf: refused)
    }
  }

  package enum Visibility: String, Sendable, CaseIterable {
    case shown
    /// The destination is shown, but receives the item encrypted.
    case encrypted
    case hidden

    package var text: String {
      switch self {
      case .shown: "shown"
      case .encrypted: "shown, arrives encrypted"
      case .hidden: "hidden"
      }
    }

    /// A symbol that stands beside the words, so neither colour nor text alone carries the meaning.
    var symbol: String {
      switch self {
      case .shown: "✓"
      case .encrypted: "◆"
      case .hidden: "✗"
      }
    }
  }

  package var visibility: Visibility {
    if findings.contains(where: { $0.effect == .hides }) { return .hidden }
    switch transfer.verdict.outcome {
    case .allowed: return .shown
    case .encrypted: return .encrypted
    case .blocked: return .hidden
    }
  }

  /// The reasons for ``visibility``: the findings that hide the destination. The deciding rule is included if it
  /// blocks, or if no finding hides the destination.
  package var causes: [Cause] {
    var causes = findings.filter { $0.effect == .hides }.map(Cause.finding)
    if causes.isEmpty || transfer.verdict.outcome == .blocked {
      causes.append(.rule(transfer.verdict.deciding))
    }
    return causes
  }

  package enum Cause: Sendable {
    case finding(SheetReason)
    case rule(Reason)

    package var code: String {
      switch self {
      case .finding(let finding): finding.code
      case .rule(let reason): reason.rule.rawValue
      }
    }
  }

  /// The kind, followed by the name if the title does not contain the name.
  var kindText: String { kind == .openIn ? "\(kind.title) (\(name))" : kind.title }

  package var why: String { causes.map(\.code).joined(separator: ", ") }

  /// Returns one of ``causes`` as a sentence, with the deciding setting.
  func sentence(for cause: Cause) -> String {
    switch cause {
    case .finding(let finding): return finding.text
    case .rule(let reason):
      let said = reason.rule == .documentImport ? transfer.refused : nil
      let explanation = Explainer.explanation(of: reason, in: said ?? transfer.request)
      guard let label = explanation.label, let value = explanation.value else {
        return explanation.text
      }
      let places = explanation.sources.joined(separator: ", ")
      let source = places.isEmpty ? "" : " (\(places))"
      return "\(explanation.text); \(label) = \(value)\(source)"
    }
  }
}

// MARK: - Text

extension SheetDestination.Kind {
  package var title: String {
    switch self {
    case .openIn: "open in"
    case .shareExtension: "share extension"
    case .copyTo: "copy to"
    case .actionExtension: "action extension"
    case .builtIn: "system"
    }
  }
}

// MARK: - Findings

/// A reason, other than a policy's verdict, why a destination is or is not in the share sheet.
package enum SheetReason: Sendable {
  // Reasons for "Copy to" destinations
  case ownApp
  case notAFile
  case noDocumentTypes
  case documentTypeNotAccepted(String)
  case documentTypeAccepted(String, by: String)
  /// "Open in" replaces "Copy to".
  ///
  /// - Parameter action: The app's Open-In action extension; nil if it has none.
  case replacedByOpenIn(action: String?)

  // Reasons for extensions
  case containingAppMissing(String)
  case noActivationRule
  case activationRuleFails
  case activationRuleHolds
  /// The activation rule accepts the items' own types, but not the aliases with which the SDK offers the items.
  case twinsNotNamed
  case ownExtension
  case sendingNotRestricted
  case schemeTwinMissing(app: String)

  // Reasons for built-in actions
  case typeNotTaken(BuiltInAction)
  case pastedElsewhere(Verdict)

  // Reasons for any destination
  case asksToSwitchIdentity
  /// The device does not show the app. The associated value is the reason, as a clause.
  case appNotAllowed(String)

  package enum Effect: String, Sendable {
    case hides, offers, remark
  }

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

  /// The finding's identifier in reports.
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

  /// The finding as a clause, in lower case and without a full stop.
  package var text: String {
    switch self {
    case .ownApp: "iOS does not offer to copy an item to the app that shares it"
    case .notAFile: "only files can be copied to apps, but at least one shared item is not a file"
    case .noDocumentTypes: "the app opens no documents: it declares no document types"
    case .documentTypeNotAccepted(let type): "none of the app's document types accepts `\(type)`"
    case .documentTypeAccepted(let type, let document):
      "the app's document type `\(document)` accepts `\(type)`"
    case .replacedByOpenIn(let action?):
      "the policy restricts sending: the app's Open-In action `\(action)` replaces \"Copy to\""
    case .replacedByOpenIn:
      "the policy restricts sending: an Open-In action replaces \"Copy to\", but the app has none"
    case .containingAppMissing(let app):
      app.isEmpty
        ? "the extension names no containing app" : "the containing app `\(app)` is not installed"
    case .noActivationRule: "the extension has no valid activation rule, and so is never offered"
    case .activationRuleFails: "the activation rule does not match the offered types"
    case .activationRuleHolds: "the activation rule matches the offered types"
    case .twinsNotNamed:
      "the rule matches only without the policy: it does not name the `com.microsoft.intune.mam.` types"
    case .ownExtension: "the app's own extension, which the policy treats like any other receiver"
    case .sendingNotRestricted:
      "no policy restricts the app's own sharing, so documents are offered to \"Copy to\" under their own types"
    case .schemeTwinMissing(let app):
      "opening will fail: `\(app)` does not register both a URL scheme and its `-intunemam` twin"
    case .typeNotTaken(let action): "the action accepts only \(action.takes ?? "anything")"
    case .pastedElsewhere(let verdict):
      "pasting in an app without policy: \(verdict.outcome.rawValue) by \(verdict.deciding.rule.rawValue)"
    case .asksToSwitchIdentity:
      "the SDK first asks the app to receive the data for an unmanaged account, and the app decides"
    case .appNotAllowed(let ban): "the device does not show the app: \(ban)"
    }
  }
}
