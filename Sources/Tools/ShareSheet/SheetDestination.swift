package import Activation
package import Model
package import Policy

/// A destination that a share sheet may show, with the reasons.
package struct SheetDestination: Sendable {
  package var kind: Kind
  /// The name of the app or extension, or ``BuiltInAction/rawValue``.
  package var name: String
  /// The title in the sheet, such as `Copy to Notes`.
  package var title: String
  /// The bundle id; nil for the system's own actions.
  package var bundleID: String?
  /// The findings for and against the destination beside the policies, in order.
  package var findings: [SheetFinding]
  /// The transfer that would take place if the user chose the destination.
  package var transfer: Transfer
  /// The rule that ``findings`` are about; nil where the destination has none.
  package var rule: ActivationRule?

  /// A kind of destination, in the order of the sheet.
  package enum Kind: String, Sendable, CaseIterable {
    case openIn
    case shareExtension
    case copyTo
    case actionExtension
    case builtIn
  }

  /// The transfer, as policies see it. A class, because destinations are moved about and requests are large.
  package final class Transfer: Sendable {
    package let request: TransferRequest
    package let verdict: Verdict
    /// The refused request in whose place ``request`` would stand, because the receiving app takes the item for an
    /// unmanaged account; nil where no request is replaced.
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

  /// The visibility of a destination.
  package enum Visibility: String, Sendable, CaseIterable {
    case shown
    /// Shown, but the item arrives encrypted.
    case encrypted
    case hidden
  }

  package var visibility: Visibility {
    if findings.contains(where: { $0.effect == .hides }) { return .hidden }
    switch transfer.verdict.outcome {
    case .allowed: return .shown
    case .encrypted: return .encrypted
    case .blocked: return .hidden
    }
  }

  /// The reasons for ``visibility``: all findings that hide the destination, or else the rule that decided.
  package var causes: [Cause] {
    var causes = findings.filter { $0.effect == .hides }.map(Cause.finding)
    if causes.isEmpty || transfer.verdict.outcome == .blocked {
      causes.append(.rule(transfer.verdict.deciding))
    }
    return causes
  }

  /// A reason for the visibility of a destination.
  package enum Cause: Sendable {
    case finding(SheetFinding)
    case rule(Reason)

    package var code: String {
      switch self {
      case .finding(let finding): finding.code
      case .rule(let reason): reason.rule.rawValue
      }
    }
  }
}
