import Model

/// Builds the counterfactuals of one request.
struct CounterfactualBuilder {
  let request: TransferRequest
  let direction: Counterfactual.Direction

  static let sendingSides: [Side] = [.owner, .sender]

  func send() -> [Counterfactual] {
    counterfactuals(.allowedOutboundDataTransferDestinations, on: Self.sendingSides) { settings in
      let current = SendChoice(of: settings)
      let choices = SendChoice.allCases.filter { $0 == current || isDistinct($0) }
      return steps(choices, from: current) {
        $0.apply(to: &$1)
      } words: {
        $0.rawValue
      }
    }
  }

  /// Whether the choice differs from plain "Policy managed apps" for this request: the system's sharing
  /// must be the way, and for OS sharing the device must be enrolled.
  private func isDistinct(_ choice: SendChoice) -> Bool {
    switch choice {
    case .none, .managedApps, .allApps: true
    case .filtering: request.via == .os
    case .osSharing: request.via == .os && request.device.isMDMEnrolled
    }
  }

  func receive() -> [Counterfactual] {
    counterfactuals(.allowedInboundDataTransferSources, on: [.receiver]) { settings in
      let current = ReceiveChoice(of: settings)
      // Incoming org data only marks what comes in; it lets in the same as All apps.
      let choices = ReceiveChoice.allCases.filter { $0 == current || $0 != .incomingOrgData }
      return steps(choices, from: current) {
        $0.apply(to: &$1)
      } words: {
        $0.rawValue
      }
    }
  }
}

extension CounterfactualBuilder {
  /// A change of one policy's settings.
  struct Edit {
    var relation = "="
    var words: String
    var cost = 1
    var apply: (inout Settings) -> Void
  }

  /// The other values of a scale, the nearest first.
  func steps<Value: Equatable>(
    _ values: [Value], from current: Value, _ apply: @escaping (Value, inout Settings) -> Void,
    words: (Value) -> String
  ) -> [Edit] {
    guard let start = values.firstIndex(of: current) else { return [] }
    var edits: [Edit] = []
    for (index, value) in values.enumerated() where index != start {
      edits.append(Edit(words: words(value), cost: abs(index - start)) { apply(value, &$0) })
    }
    return edits.sorted { $0.cost < $1.cost }
  }

  /// A counterfactual for each place that states `setting` for one of `sides`. Sides that share a policy, or the
  /// line that states the setting, share a counterfactual: whoever edits the file changes both.
  func counterfactuals(
    _ setting: Setting, on sides: [Side], _ edits: (Settings) -> [Edit]
  ) -> [Counterfactual] {
    var counterfactuals: [Counterfactual] = []
    var covered: Set<Side> = []
    for side in sides where !covered.contains(side) {
      guard let policy = request.policy(of: side) else { continue }
      let sharing = sides.filter {
        request.policy(of: $0).map { policy.sharesPlace(of: setting, with: $0) } ?? false
      }
      covered.formUnion(sharing)
      let alternatives = edits(policy.settings).map { edit in
        Counterfactual.Alternative(
          relation: edit.relation, words: edit.words, cost: edit.cost, edit: edit.apply
        ) {
          $0.edit(setting, of: policy, edit.apply)
        }
      }
      counterfactuals.append(
        Counterfactual(setting: setting, policy: policy, sides: sharing, alternatives: alternatives)
      )
    }
    return counterfactuals
  }
}
