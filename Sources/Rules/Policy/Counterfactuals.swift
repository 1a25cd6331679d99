import Model

/// Finds the changes that would lead to the other answer, by trying them.
///
/// Every sentence is the result of evaluating the request again with that change made, and nothing else.
enum Counterfactuals {
  /// The maximum number of sentences worth reading.
  static let maximum = 4

  /// The smallest changes by which a request that ended in `outcome` would end otherwise, smallest first.
  /// Single changes or, where none suffices, the fewest together.
  static func sentences(for request: TransferRequest, outcome: Outcome) -> [String] {
    let counterfactuals = CounterfactualBuilder(
      request: request, direction: outcome == .allowed ? .stricter : .looser
    ).all()
    for count in 1...3 {
      let changes = combinations(of: count, from: counterfactuals[...])
        .compactMap { smallestChange(with: $0, to: request, outcome: outcome) }
        .sorted { $0.cost < $1.cost }
      guard changes.isEmpty else {
        var seen: Set<String> = []
        return Array(
          changes.map { $0.sentence(for: outcome) }.filter { seen.insert($0).inserted }.prefix(
            maximum))
      }
    }
    return []
  }

  private struct Change {
    var cost = 0
    var outcome = Outcome.blocked
    var pulls: [(counterfactual: Counterfactual, alternative: Counterfactual.Alternative)] = []

    /// The change and its effect on a request that ended in `outcome`.
    func sentence(for outcome: Outcome) -> String {
      let effect =
        switch (outcome, self.outcome) {
        case (.encrypted, _): "would deliver it readable"
        case (.blocked, _): "would allow it"
        case (.allowed, .encrypted): "would encrypt it"
        case (.allowed, _): "would block it"
        }
      let phrases = pulls.map { $0.counterfactual.phrase(for: $0.alternative) }
      return phrases.joined(separator: " and ") + " " + effect
    }
  }

  /// The cheapest alternatives, one of each counterfactual, that turn the answer; nil where none do.
  private static func smallestChange(
    with counterfactuals: [Counterfactual], to request: TransferRequest, outcome: Outcome
  ) -> Change? {
    var best: Change?
    func pull(_ rest: ArraySlice<Counterfactual>, _ request: TransferRequest, _ change: Change) {
      guard change.cost < best?.cost ?? .max else { return }
      guard let counterfactual = rest.first else {
        let result = evaluate(request).outcome
        guard outcome == .allowed ? result < .allowed : result == .allowed else { return }
        best = change
        best?.outcome = result
        return
      }
      for alternative in counterfactual.alternatives {
        var request = request
        alternative.apply(&request)
        var change = change
        change.cost += alternative.cost
        change.pulls.append((counterfactual, alternative))
        pull(rest.dropFirst(), request, change)
      }
    }
    pull(counterfactuals[...], request, Change())
    return best
  }

  private static func combinations(of count: Int, from counterfactuals: ArraySlice<Counterfactual>)
    -> [[Counterfactual]]
  {
    guard count > 0 else { return [[]] }
    guard let first = counterfactuals.first else { return [] }
    let rest = counterfactuals.dropFirst()
    return combinations(of: count - 1, from: rest).map { [first] + $0 }
      + combinations(of: count, from: rest)
  }
}
