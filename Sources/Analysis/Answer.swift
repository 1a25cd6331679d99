internal import Policy
internal import Transfer

/// What a request comes to: the outcome, and where an allowed one goes instead.
struct Answer: Sendable, Hashable {
  var outcome: Outcome
  var detours: Set<Detour> = []

  /// What becomes of an allowed request, though not what was asked for.
  enum Detour: Sendable, Hashable {
    case browser(String)
    /// The receiver takes the data for data of its own organisation.
    case orgData
  }

  init(to request: TransferRequest) {
    let verdict = evaluate(request)
    outcome = verdict.outcome
    guard outcome == .allowed else { return }
    for reason in verdict.reasons {
      guard let settings = request.settings(of: reason.side) else { continue }
      switch reason.rule {
      case .customBrowser: detours.insert(.browser(settings.customBrowserProtocol))
      case .incomingOrgData: detours.insert(.orgData)
      default: break
      }
    }
  }
}

extension TransferRequest {
  /// The settings by which the side spoke.
  fileprivate func settings(of side: Side) -> Settings? {
    switch side {
    case .sender: sender.policy?.settings ?? owner.policy?.settings
    case .owner: owner.policy?.settings
    case .receiver: receiver.policy?.settings
    case .app: appPolicy?.settings
    case .device: nil
    }
  }
}
