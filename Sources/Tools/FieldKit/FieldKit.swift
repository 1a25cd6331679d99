package import Model
internal import Output

/// The smallest set of experiments that tells apart the engine and the known alternatives to its open rules.
package struct FieldKit: Sendable {
  /// The chosen experiments, by policy.
  package let experiments: [Experiment]
  /// The alternatives that the experiments tell from the engine, without those that are equal to an earlier one in every
  /// experiment.
  package let alternatives: [Alternative]

  /// Chooses the experiments.
  ///
  /// - Parameters:
  ///   - candidates: The experiments to choose from.
  ///   - rules: The rules to settle; nil for all.
  ///   - missing: What the user lacks. Experiments that need it are left out.
  package init(
    from candidates: [Experiment] = Experiment.all,
    among alternatives: [Alternative] = Alternative.all,
    about rules: Set<Rule>? = nil, without missing: Set<Experiment.Need> = []
  ) {
    let candidates = candidates.filter { missing.isDisjoint(with: $0.needs) }
    var seen: Set<[Outcome]> = [candidates.map(\.verdict.outcome)]
    var rows = Array(seen)
    self.alternatives = alternatives.filter { alternative in
      guard rules?.isDisjoint(with: alternative.rules) != true else { return false }
      let row = candidates.map { alternative.outcome(of: $0.question) }
      guard seen.insert(row).inserted else { return false }
      rows.append(row)
      return true
    }
    let chosen = Self.smallestSet(separating: rows)
    experiments = candidates.indices.filter(chosen.contains).map { candidates[$0] }
  }

  /// Returns the smallest set of columns in which all rows differ. Rows must be different and equally long.
  static func smallestSet(separating rows: [[Outcome]]) -> Set<Int> {
    var needed: [Set<Int>] = []
    for (index, row) in rows.enumerated() {
      for other in rows[..<index] {
        needed.append(Set(row.indices.filter { row[$0] != other[$0] }))
      }
    }
    // A set that contains another one is met with it.
    needed.sort { $0.count < $1.count }
    var minimal: [Set<Int>] = []
    for set in needed where !minimal.contains(where: set.isSuperset) { minimal.append(set) }
    for size in 0... {
      if let chosen = hittingSet(of: minimal[...], atMost: size) { return chosen }
    }
    preconditionFailure("two rows are equal")
  }

  /// Returns a set with an element of each of `sets` and at most `size` elements; nil if there is none.
  private static func hittingSet(of sets: ArraySlice<Set<Int>>, atMost size: Int) -> Set<Int>? {
    guard let first = sets.first else { return [] }
    // Disjoint sets need an element each.
    var taken: Set<Int> = []
    let disjoint = sets.count { set in
      guard taken.isDisjoint(with: set) else { return false }
      taken.formUnion(set)
      return true
    }
    guard disjoint <= size else { return nil }
    for element in first.sorted() {
      let rest = sets.filter { !$0.contains(element) }
      if let chosen = hittingSet(of: rest[...], atMost: size - 1) {
        return chosen.union([element])
      }
    }
    return nil
  }

  // MARK: Facts

  package var policies: [KitPolicy] {
    KitPolicy.all.filter { policy in experiments.contains { $0.policy.name == policy.name } }
  }

  package var needs: [Experiment.Need] {
    Experiment.Need.allCases.filter { need in experiments.contains { $0.needs.contains(need) } }
  }

  /// The open rules that the experiments settle.
  package var rules: [Rule] {
    let settled = Set(alternatives.flatMap(\.rules))
    return Rule.open.filter(settled.contains)
  }

  /// The open rules that no experiment of the kit concerns.
  package var unsettledRules: [Rule] {
    let settled = rules
    return Rule.open.filter { !settled.contains($0) }
  }

  /// Returns what an observation means, in sentences with code in backticks.
  package func meaning(of outcome: Outcome, in experiment: Experiment) -> [String] {
    if outcome == experiment.verdict.outcome {
      return experiment.subjects.map { "Confirms `\($0.rawValue)` (\($0.standing.text))." }
    }
    let found = alternatives.filter { $0.outcome(of: experiment.question) == outcome }
    return found.isEmpty
      ? ["Contradicts Sluice, and no known alternative explains it."]
      : found.map { "Supports: \($0.text)." }
  }
}
