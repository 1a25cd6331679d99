internal import GraphDocuments
public import Model
public import Policy

/// Several policies side by side: a row for each flow, a column for each policy.
public struct PolicyTable: Sendable {
  /// The table of each policy, all with the same rows.
  let matrices: [FlowMatrix]
  let sections: [Section]

  /// Flows of one kind.
  struct Section: Sendable {
    var title: String
    var rows: [Row]
  }

  /// One flow.
  struct Row: Sendable {
    /// The kind of flow, which heads a row in one policy's table.
    var title: String
    /// The parties, which head a column in one policy's table.
    var parties: String
    /// An entry for each policy.
    var entries: [FlowMatrix.Entry]
    /// Whether policies that are targeted at one state of devices decide the flow differently there.
    var isDiffering: Bool
  }

  /// Makes the table of several policies.
  ///
  /// - Parameter channels: the channels to show; by default, all that are in the table.
  public init(_ policies: [PolicyDocument], channels: Set<Channel> = Set(FlowMatrix.channels)) {
    matrices = policies.map { FlowMatrix($0, among: policies, channels: channels) }
    let first = matrices.first?.sections ?? []
    sections = first.indices.map { [matrices] index in
      Section(title: first[index].title, rows: Self.rows(of: matrices.map { $0.sections[index] }))
    }
  }

  /// The number of flows that are decided differently.
  var differenceCount: Int {
    sections.reduce(0) { $0 + $1.rows.count(where: \.isDiffering) }
  }

  /// The states of devices at which any of the policies is targeted.
  var states: [ManagementState] {
    ManagementState.allCases.filter { state in matrices.contains { $0.states.contains(state) } }
  }

  /// The heads of the columns.
  var letters: [String] { matrices.indices.map(Self.letter) }

  /// `A` for the first policy, and so on; after `Z` comes `AA`.
  static func letter(_ index: Int) -> String {
    let last = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(index % 26)))
    return index < 26 ? last : letter(index / 26 - 1) + last
  }

  private static func rows(of sections: [FlowMatrix.Section]) -> [Row] {
    guard let first = sections.first else { return [] }
    return first.rows.indices.flatMap { row in
      first.columns.indices.compactMap { column -> Row? in
        let entries = sections.compactMap { $0.rows[row].entries[column] }
        guard !entries.isEmpty else { return nil }
        return Row(
          title: first.rows[row].title, parties: first.columns[column], entries: entries,
          isDiffering: entries.contains { one in entries.contains(where: one.differs) })
      }
    }
  }
}

extension FlowMatrix.Entry {
  /// Whether the two have different outcomes in a state of devices in which both have one.
  func differs(from other: FlowMatrix.Entry) -> Bool {
    ManagementState.allCases.contains { state in
      guard let mine = outcome(in: state), let others = other.outcome(in: state) else {
        return false
      }
      return mine != others
    }
  }

  private func outcome(in state: ManagementState) -> Outcome? {
    cells.first { $0.states.contains(state) }?.outcome
  }
}
