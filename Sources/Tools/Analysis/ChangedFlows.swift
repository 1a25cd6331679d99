internal import Encodings
package import GraphDocuments
package import Model
package import Policy

/// The number of flows that two policies decide differently. Each kind of report has its own unit, because the reports
/// differ in detail.
package struct ChangedFlows: Sendable, Equatable {
  package enum Unit: Sendable, CaseIterable {
    /// A group of requests with the same channel, parties, answers of both policies, and settings that cause the
    /// difference; counted by `sluice policy diff`. The groups also include requests that are not in the tables, for
    /// example requests from apps with an old SDK, or requests that both policies allow with different results.
    case kind
    /// A flow, which is a row and a column of the tables, in all device states together; counted by `sluice matrix
    /// --compare`.
    case flow
    /// A flow in all device states with the same pair of answers; counted by `sluice studio`. A flow with several such
    /// pairs counts several times.
    case answer
  }

  package let unit: Unit
  package let count: Int

  init(_ count: Int, _ unit: Unit) {
    self.count = count
    self.unit = unit
  }

  /// The number with its unit, such as `7 kinds of flows`.
  package var text: String {
    switch unit {
    case .kind: "\(count.counting("kind")) of flows"
    case .flow: count.counting("flow")
    case .answer: count.counting("answer")
    }
  }

  /// The sentence of reports that list no flow.
  static let none = "the policies decide all flows in the same way"
}

/// The tables of two policies with the same rows.
package struct FlowMatrixComparison: Sendable {
  package let before: FlowMatrix
  package let after: FlowMatrix

  /// Evaluates all flows under both policies, in the device states that the second policy targets.
  package init(_ before: PolicyDocument, _ after: PolicyDocument) {
    let matrices = [before, after].map {
      FlowMatrix(
        $0, among: [before, after], channels: Set(FlowMatrix.channels), on: after.states)
    }
    self.before = matrices[0]
    self.after = matrices[1]
  }

  /// An answer that differs between the policies.
  package struct Difference: Sendable {
    package var section: FlowMatrix.Section
    package var row: FlowMatrix.Row
    package var column: String
    package var parties: Parties
    package var states: [ManagementState]
    package var before: Outcome
    package var after: Outcome
  }

  /// Returns the answers to the flow at this section, row and column of the tables; nil if there is no such flow.
  package func answers(_ section: Int, _ row: Int, _ column: Int) -> [FlowMatrix.Answer]? {
    after.sections[section].rows[row].entries[column]?
      .answers(since: before.sections[section].rows[row].entries[column])
  }

  /// The answers that differ, in the order of the tables.
  package var differences: [Difference] {
    after.sections.indices.flatMap { number in
      let section = after.sections[number]
      return section.rows.indices.flatMap { row in
        section.columns.indices.flatMap { column in
          (answers(number, row, column) ?? []).compactMap { answer -> Difference? in
            guard let parties = section.rows[row].entries[column]?.parties,
              let before = answer.before, answer.isChanged
            else { return nil }
            return Difference(
              section: section, row: section.rows[row], column: section.columns[column],
              parties: parties, states: answer.states, before: before,
              after: answer.after.outcome)
          }
        }
      }
    }
  }

  package var changed: ChangedFlows { ChangedFlows(differences.count, .answer) }

  /// The number of all compared answers, whether equal or different.
  package var answerCount: Int {
    after.sections.indices.reduce(0) { sum, number in
      let section = after.sections[number]
      return section.rows.indices.reduce(sum) { sum, row in
        section.columns.indices.reduce(sum) { $0 + (answers(number, row, $1)?.count ?? 0) }
      }
    }
  }
}

extension FlowMatrix {
  /// A policy's answer to a flow in some device states, and another policy's outcome in these states.
  package struct Answer: Sendable {
    package var states: [ManagementState]
    /// The other policy's outcome; nil if its table lacks the device states.
    package var before: Outcome?
    package var after: Cell

    package var isChanged: Bool { after.outcome.isChanged(from: before) }
  }
}

extension FlowMatrix.Entry {
  /// Returns whether the outcomes differ in at least one device state that both entries cover.
  func differs(from other: FlowMatrix.Entry) -> Bool {
    cells.contains { cell in
      cell.states.contains { cell.outcome.isChanged(from: other.outcome(in: $0)) }
    }
  }

  /// Returns the flow's answers under this policy, each with the outcome under the other. Device states in which both
  /// policies answer alike share one element.
  ///
  /// - Parameter other: The flow under the other policy; nil if that policy's table does not have the flow.
  fileprivate func answers(since other: FlowMatrix.Entry?) -> [FlowMatrix.Answer] {
    var answers: [FlowMatrix.Answer] = []
    for cell in cells {
      for state in cell.states {
        let outcome = other?.outcome(in: state)
        if let index = answers.firstIndex(where: { $0.before == outcome && $0.after == cell }) {
          answers[index].states.append(state)
        } else {
          answers.append(FlowMatrix.Answer(states: [state], before: outcome, after: cell))
        }
      }
    }
    return answers
  }

  private func outcome(in state: ManagementState) -> Outcome? {
    cells.first { $0.states.contains(state) }?.outcome
  }
}

extension Outcome {
  /// Returns whether the outcome differs from another policy's outcome; false if `other` is nil.
  fileprivate func isChanged(from other: Outcome?) -> Bool { other != nil && other != self }
}
