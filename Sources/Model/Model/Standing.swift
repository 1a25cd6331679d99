public import Encodings

/// The support of a rule by public sources.
///
/// It results from the source that the rule's row cites and from the public statements in the folders `evidence` and
/// `evidence-open`.
public struct Standing: Sendable, Hashable {
  /// The kind of support, from the weakest to the strongest.
  public enum Level: String, Sendable, CaseIterable, Comparable {
    /// Public statements contradict each other or the rule.
    case contested
    /// No public source is known, so the rule chooses the answer that moves less data.
    case assumed
    /// Users report the behaviour, or logs of devices show it.
    case reported
    /// A maintainer of the software states the rule.
    case maintainer
    /// Published documentation, a header of the SDK or a release note states the rule.
    case documented
    /// The rule concerns only the simulated device, so public sources cannot support it.
    case device

    public static func < (left: Level, right: Level) -> Bool {
      allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
  }

  /// The least standing that a user accepts for the rules behind a verdict.
  public enum Minimum: String, Sendable, CaseIterable {
    case reported, maintainer, documented
    /// The standing is `documented`, and at least one observation on a device agrees with the rule.
    case observed
  }

  public var level: Level
  /// The number of users' reports and devices' logs that agree with the rule.
  public var observations: Int

  public init(_ level: Level, observations: Int = 0) {
    self.level = level
    self.observations = observations
  }

  /// Derives a rule's standing from `source` alone, without public statements. `observations` is 0.
  public init(_ source: RuleSource) {
    level =
      switch source {
      case .assumed: .assumed
      case .issue: .reported
      case .device: .device
      case .overview, .identities, .setting, .header, .release, .document: .documented
      }
    observations = 0
  }

  /// The standing in a few words, such as `documented, observed 3×`.
  public var text: String {
    observations == 0 ? level.rawValue : "\(level.rawValue), observed \(observations)×"
  }

  /// Returns whether the standing is at least `minimum`. Rules of the simulated device itself meet every minimum.
  public func meets(_ minimum: Minimum) -> Bool {
    switch minimum {
    case .reported: level >= .reported
    case .maintainer: level >= .maintainer
    case .documented: level >= .documented
    case .observed: level == .device || level == .documented && observations > 0
    }
  }
}

extension Standing {
  /// Writes the member `standing` into the JSON object that `writer` has begun. Writes `observations`, too, if it is
  /// not 0.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("standing", level.rawValue)
    if observations > 0 { writer.member("observations", observations) }
  }
}

// MARK: - Rules

extension Rule {
  /// The support of the rule by public sources.
  public var standing: Standing { Standing.byEvidence[self] ?? Standing(row.source) }
}

extension Explanation {
  /// The support of the reason by public sources: the rule's standing. If the reason is assumed, the standing is at
  /// most `assumed`.
  public var standing: Standing {
    let standing = rule.standing
    return isAssumed && standing.level > .assumed ? Standing(.assumed) : standing
  }

  /// Returns the remark that texts append to the reason. A deciding reason gets its standing, such as ` (documented)`.
  /// Any other reason gets ` (assumed)` if it is assumed, otherwise an empty string.
  package func remark(isDeciding: Bool) -> String {
    isDeciding ? " (\(standing.text))" : isAssumed ? " (assumed)" : ""
  }

  /// The mark that tables append to the outcome: `?` if the reason is assumed or contested; otherwise empty.
  package var doubt: String { standing.meets(.reported) ? "" : "?" }
}

extension ExplainedVerdict {
  /// The support of the deciding reason by public sources.
  public var standing: Standing {
    decidingIndex.map { reasons[$0].standing } ?? deciding.standing
  }

  /// The index of the deciding reason; nil if there are no reasons.
  package var decidingIndex: Int? { reasons.firstIndex { $0.rule == deciding } }

  /// The reasons that the outcome depends on: their effect equals the outcome. If the outcome is not `allowed`, they
  /// also have the same side as the deciding reason.
  package var decisiveReasons: [Explanation] {
    guard let decidingIndex else { return [] }
    let side = reasons[decidingIndex].side
    return reasons.filter {
      $0.rule.effect == outcome && (outcome == .allowed || $0.side == side)
    }
  }

  /// Writes the verdict as reports contain it: in the journal's format, with the standing of the deciding reason.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      declared(in: &writer)
      standing.writeMembers(to: &writer)
    }
  }
}

extension Standing {
  /// The standings that depend on public statements, from ``table``. The standing of any other rule follows from the
  /// source in the rule's row.
  fileprivate static let byEvidence: [Rule: Standing] = {
    var standings: [Rule: Standing] = [:]
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count == 3, let rule = Rule(rawValue: String(fields[0])),
        let level = Level(rawValue: String(fields[1])), let observations = Int(fields[2])
      else { preconditionFailure("`\(line)` is not a standing") }
      standings[rule] = Standing(level, observations: observations)
    }
    return standings
  }()
}
