internal import Model

/// Finds rules that no subject can meet, such as `(app.osVersion -eq "17.0") and (app.osVersion -eq "16.0")`.
///
/// The rule is converted to alternatives (`or`), each a list of comparisons that must all be true (`and`). An
/// alternative is impossible if its comparisons of one attribute exclude each other. Comparisons of collections, dates
/// and patterns are not examined. If ``DirectoryRule/canBeMet(by:)`` is false, no subject can meet the rule. If it is
/// true, the rule may still be impossible to meet.
extension DirectoryRule {
  /// Returns whether the subject may meet the rule. Returns false only if no values of the subject's unknown attributes
  /// can meet it.
  package func canBeMet(by subject: some RuleSubject) -> Bool {
    guard let conjunctions = conjunctions(isNegated: false) else { return true }
    return conjunctions.contains { Self.canBeMet($0, by: subject) }
  }

  /// A condition that does not consist of other conditions: a rule without `and`, `or` and `not`.
  fileprivate enum Literal {
    case comparison(RuleComparison, isNegated: Bool)
    /// A rule about a collection, which is not examined.
    case other
  }

  /// The maximum number of alternatives to examine. A rule with more alternatives counts as possible to meet.
  private static let maximumCount = 256

  /// Returns the alternatives of the rule or, if `isNegated`, of its negation. In each alternative, all literals must
  /// be true. Nil if there are more than ``maximumCount`` alternatives.
  private func conjunctions(isNegated: Bool) -> [[Literal]]? {
    switch self {
    case .comparison(let comparison): return [[.comparison(comparison, isNegated: isNegated)]]
    case .elements, .directReports: return [[.other]]
    case .not(let rule): return rule.conjunctions(isNegated: !isNegated)
    case .and(let left, let right):
      return Self.joined(left, right, isNegated, areBothNeeded: !isNegated)
    case .or(let left, let right):
      return Self.joined(left, right, isNegated, areBothNeeded: isNegated)
    }
  }

  private static func joined(
    _ left: DirectoryRule, _ right: DirectoryRule, _ isNegated: Bool, areBothNeeded: Bool
  ) -> [[Literal]]? {
    guard let left = left.conjunctions(isNegated: isNegated),
      let right = right.conjunctions(isNegated: isNegated),
      (areBothNeeded ? left.count * right.count : left.count + right.count) <= maximumCount
    else { return nil }
    return areBothNeeded ? left.flatMap { some in right.map { some + $0 } } : left + right
  }

  private static func canBeMet(_ conjunction: [Literal], by subject: some RuleSubject) -> Bool {
    var open: [RuleAttribute: AttributeConstraint] = [:]
    for case .comparison(let comparison, let isNegated) in conjunction {
      switch comparison.result(for: subject.value(of: comparison.attribute)) {
      case .isMet where isNegated, .isNotMet where !isNegated: return false
      case .isMet, .isNotMet: break
      case .unknown: open[comparison.attribute, default: .init()].add(comparison, isNegated)
      }
    }
    return open.values.allSatisfy(\.canBeMet)
  }
}

/// Comparisons of the same attribute that must all be true.
private struct AttributeConstraint {
  private var comparisons: [(comparison: RuleComparison, isNegated: Bool)] = []

  mutating func add(_ comparison: RuleComparison, _ isNegated: Bool) {
    comparisons.append((comparison, isNegated))
  }

  /// Whether a single value, or null, may satisfy all comparisons.
  var canBeMet: Bool { mayHold(for: .null) || canBeMetByText }

  private func mayHold(for value: RuleValue) -> Bool {
    comparisons.allSatisfy { comparison, isNegated in
      comparison.result(for: value).isMet.map { $0 != isNegated } ?? true
    }
  }

  private var canBeMetByText: Bool {
    for (comparison, isNegated) in comparisons {
      guard comparison.operator.isNegative == isNegated else { continue }
      switch comparison.operand {
      case .null: return false
      case .texts(let texts) where [.eq, .ne, .in, .notIn].contains(comparison.operator):
        // The values are known, so each can be tried.
        return comparison.attribute.kind == .texts || comparison.attribute.kind == .collection
          || texts.contains { mayHold(for: .strings([$0])) }
      case .texts, .pattern, .version, .date, .now: break
      }
    }
    return !haveDisjointVersions && !haveConflictingTexts
  }

  /// Whether no version satisfies all comparisons, as with `-ge 17` and `-lt 16`.
  private var haveDisjointVersions: Bool {
    let versions = comparisons.compactMap { comparison, isNegated in
      if case .version(let version) = comparison.operand {
        (comparison.operator, version, isNegated)
      } else {
        nil as (RuleOperator, Version, Bool)?
      }
    }
    // A value that is not a version meets no comparison, and therefore meets each negation.
    guard
      versions.contains(where: { kind, _, isNegated in !kind.isNegative && !isNegated })
    else { return false }
    var low: (version: Version, isIncluded: Bool)?
    var high: (version: Version, isIncluded: Bool)?
    for (kind, version, isNegated) in versions {
      switch kind.orderBound(isNegated: isNegated) {
      case .atLeast(let isIncluded):
        if low.map({ ($0.version, $0.isIncluded ? 0 : 1) < (version, isIncluded ? 0 : 1) }) ?? true
        {
          low = (version, isIncluded)
        }
      case .atMost(let isIncluded):
        if high.map({ (version, isIncluded ? 1 : 0) < ($0.version, $0.isIncluded ? 1 : 0) }) ?? true
        {
          high = (version, isIncluded)
        }
      case .exactly:
        return !mayHold(for: .strings(["\(version)"]))
      case .none: break
      }
    }
    guard let low, let high else { return false }
    return low.version > high.version
      || low.version == high.version && !(low.isIncluded && high.isIncluded)
  }

  /// Whether no text satisfies all comparisons, because the required and forbidden beginnings, ends or parts conflict.
  private var haveConflictingTexts: Bool {
    var parts: [(place: RuleOperator.TextPlace, text: String)] = []
    var absent: [(place: RuleOperator.TextPlace, text: String)] = []
    for (comparison, isNegated) in comparisons {
      guard comparison.attribute.kind != .collection, comparison.attribute.kind != .texts,
        case .texts(let texts) = comparison.operand, let text = texts.first, texts.count == 1,
        let (place, isPresent) = comparison.operator.textPlace
      else { continue }
      isPresent != isNegated ? parts.append((place, text)) : absent.append((place, text))
    }
    return parts.contains { part in
      parts.contains { other in
        guard part.place == other.place else { return false }
        return switch part.place {
        case .start: !part.text.hasPrefix(other.text) && !other.text.hasPrefix(part.text)
        case .end: !part.text.hasSuffix(other.text) && !other.text.hasSuffix(part.text)
        case .anywhere: false
        }
      }
        || absent.contains { lacking in
          switch lacking.place {
          case .start: part.place == .start && part.text.hasPrefix(lacking.text)
          case .end: part.place == .end && part.text.hasSuffix(lacking.text)
          case .anywhere: part.text.contains(lacking.text) || lacking.text.isEmpty
          }
        }
    }
  }
}

extension RuleOperator {
  fileprivate enum TextPlace {
    case start, end, anywhere
  }

  /// The part of a text that the operator searches for its operand: the start, the end or any part. `isPresent` is true
  /// if the operand must be there, and false if it must not. Nil for other operators.
  fileprivate var textPlace: (place: TextPlace, isPresent: Bool)? {
    switch self {
    case .startsWith: (.start, true)
    case .endsWith: (.end, true)
    case .contains: (.anywhere, true)
    case .notStartsWith: (.start, false)
    case .notEndsWith: (.end, false)
    case .notContains: (.anywhere, false)
    case .eq, .ne, .in, .notIn, .match, .notMatch, .gt, .ge, .lt, .le: nil
    }
  }

  /// The limit that a comparison sets for an ordered value.
  fileprivate enum OrderBound {
    case atLeast(isIncluded: Bool)
    case atMost(isIncluded: Bool)
    case exactly
    case none
  }

  fileprivate func orderBound(isNegated: Bool) -> OrderBound {
    switch (self, isNegated) {
    case (.ge, false), (.lt, true): .atLeast(isIncluded: true)
    case (.gt, false), (.le, true): .atLeast(isIncluded: false)
    case (.le, false), (.gt, true): .atMost(isIncluded: true)
    case (.lt, false), (.ge, true): .atMost(isIncluded: false)
    case (.eq, false), (.ne, true): .exactly
    case (.eq, true), (.ne, false): .none
    case (.startsWith, _), (.notStartsWith, _), (.endsWith, _), (.notEndsWith, _), (.contains, _),
      (.notContains, _), (.match, _), (.notMatch, _), (.in, _), (.notIn, _):
      .none
    }
  }
}
