package import Activation
package import Policy
package import Model

/// One place where a share sheet could send what is shared: whether it is shown, and why.
package struct SheetDestination: Sendable {
  package var kind: Kind
  /// What the app or extension is called, or ``BuiltInAction/rawValue``.
  package var name: String
  /// As the sheet shows it: `Copy to Notes`.
  package var title: String
  /// nil for what the system offers itself.
  package var bundleID: String?
  /// What speaks for and against it beside the policies, in order.
  package var findings: [SheetFinding]
  /// What would happen if the user chose it.
  package var transfer: Transfer
  /// The rule that ``findings`` are about; nil where it has none.
  package var rule: ActivationRule?

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
    /// The refused request in whose place ``request`` would stand, because the receiving app takes it for an
    /// unmanaged account; nil where nothing stands in for anything.
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
    /// Shown, and what arrives is encrypted.
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

  /// What made ``visibility`` what it is: everything that hides the destination, or what the policies say.
  package var causes: [Cause] {
    var causes = findings.filter { $0.effect == .hides }.map(Cause.finding)
    if causes.isEmpty || transfer.verdict.outcome == .blocked {
      causes.append(.rule(transfer.verdict.deciding))
    }
    return causes
  }

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
