internal import Encodings
internal import GraphDocuments
package import Model
internal import Output
package import Policy

/// Several policies side by side, with one row for each flow and one column for each policy.
package struct PolicyTable: Sendable {
  /// The table of each policy. All tables have the same rows.
  private let matrices: [FlowMatrix]
  private let sections: [Section]

  fileprivate struct Section: Sendable {
    var title: String
    var rows: [Row]

    /// The lines of the section. A line with the title precedes each group of rows with this title. A mark shows that
    /// the policies differ on a row.
    fileprivate var lines: [FlowMatrixTable.Row] {
      var lines: [FlowMatrixTable.Row] = []
      var head: String?
      for row in rows {
        if row.title != head {
          lines.append((row.title, row.entries.map { _ in nil }))
          head = row.title
        }
        let mark = row.isDiffering ? PolicyTable.mark : " "
        lines.append(("\(mark) \(row.parties)", row.entries))
      }
      return lines
    }
  }

  fileprivate struct Row: Sendable {
    /// The kind of flow. In a single policy's table, it is the row's title.
    var title: String
    /// The parties. In a single policy's table, they are the column's title.
    var parties: String
    /// One entry for each policy.
    var entries: [FlowMatrix.Entry]
    /// Whether two of the policies decide the flow differently in a device state that both of them target.
    var isDiffering: Bool
  }

  /// Evaluates every flow of the table under each policy.
  ///
  /// - Parameter channels: The channels to show; all by default.
  package init(_ policies: [PolicyDocument], channels: Set<Channel> = Set(FlowMatrix.channels)) {
    self.init(policies.map { FlowMatrix($0, among: policies, channels: channels) })
  }

  /// Joins one matrix per policy. All matrices must have the same rows, so they must have been created with the same
  /// `among` policies and the same channels.
  package init(_ matrices: [FlowMatrix]) {
    self.matrices = matrices
    let first = matrices.first?.sections ?? []
    sections = first.indices.map { [matrices] index in
      Section(title: first[index].title, rows: Self.rows(of: matrices.map { $0.sections[index] }))
    }
  }

  /// The number of flows that at least two of the policies decide differently.
  package var changed: ChangedFlows {
    ChangedFlows(sections.reduce(0) { $0 + $1.rows.count(where: \.isDiffering) }, .flow)
  }

  /// The device states that at least one of the policies targets.
  private var states: [ManagementState] {
    ManagementState.allCases.filter { state in matrices.contains { $0.states.contains(state) } }
  }

  /// The column titles.
  private var letters: [String] { matrices.indices.map(Self.letter) }

  /// Returns the letter of a policy: `A` for the first policy, and `AA` after `Z`.
  package static func letter(_ index: Int) -> String {
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

// MARK: - Text

extension PolicyTable {
  /// Returns the table as aligned text with a final line break.
  ///
  /// - Parameter unprotected: The users of a tenant who get no policy.
  package func text(
    detail: FlowMatrix.Detail = .outcomes, unprotected: [PolicyRecipients] = []
  ) -> String {
    let lines = lines(detail: detail, unprotected: unprotected)
    let legend = Legend(of: lines).lines
    return (lines + (legend.isEmpty ? [] : [""] + legend)).joinedLines
  }

  /// Returns the table without a legend.
  func lines(
    detail: FlowMatrix.Detail = .outcomes, unprotected: [PolicyRecipients] = []
  ) -> [String] {
    var lines = matrices.enumerated().flatMap { index, matrix in
      ["\(Self.letter(index)): \(matrix.name) (\(matrix.file))"]
        + (matrix.targets.map { "   \($0)".wrapped(to: 118, indentedBy: "       ") } ?? [])
    }
    lines.append(summary)
    var notes: FlowMatrixNotes? = detail == .reasons ? FlowMatrixNotes() : nil
    for section in sections {
      lines.append("")
      lines += FlowMatrixTable(section.title, columns: letters, section.lines, states, &notes).lines
    }
    if let notes { lines += [""] + notes.lines }
    lines += unprotected.lead.flatMap { [""] + $0.wrapped(to: 118, indentedBy: "    ") }
    return lines
  }

  var summary: String {
    let changed = changed
    guard changed.count > 0 else { return ChangedFlows.none }
    let (verb, subject) = changed.count == 1 ? ("is", "it is") : ("are", "they are")
    return "\(changed.text) \(verb) decided differently: \(subject) marked with \(Self.mark)"
  }

  /// The mark of a flow that the policies decide differently.
  static let mark = "≠"
}

// MARK: - HTML

extension PolicyTable {
  /// Returns the table as one HTML file. A cell is marked if it differs from the first policy's cell.
  ///
  /// - Parameters:
  ///   - sentences: Sentences about the differences for the beginning of the page.
  ///   - unprotected: The users of a tenant who get no policy.
  package func html(
    beginning sentences: [String] = [], unprotected: [PolicyRecipients] = []
  ) -> String {
    let lead = sentences + [sentence] + unprotected.lead
    let names = matrices.map(\.name).unique
    let title = names.count > 3 ? "\(names.count) policies" : ListFormat.all(of: names)
    return HTMLWriter.report(title: "\(title) compared", lead: lead) {
      writer in
      writer.element("ul") { writer in
        for (letter, matrix) in zip(letters, matrices) {
          let targets = matrix.targets.map { "; \($0)" } ?? ""
          writer.element("li", text: "\(letter): \(matrix.name) (\(matrix.file))\(targets)")
        }
      }
      Legend(of: lines()).write(to: &writer)
      writeDifferences(to: &writer)
      write(to: &writer)
    }
  }

  private var sentence: String { summary.capitalizedStart + "." }

  /// Writes a table of the flows that the policies decide differently; nothing if there are none.
  func writeDifferences(to writer: inout HTMLWriter) {
    let rows = sections.flatMap { section in
      section.rows.filter(\.isDiffering).map { row in
        pageRow(row, note: "\(section.title): \(row.parties)")
      }
    }
    guard !rows.isEmpty else { return }
    table("Decided differently", rows).write(to: &writer)
  }

  func write(to writer: inout HTMLWriter) {
    for section in sections {
      table(section.title, section.rows.map { pageRow($0, note: $0.parties) }).write(to: &writer)
    }
  }

  private func table(_ caption: String, _ rows: [FlowPageTable.Row]) -> FlowPageTable {
    let columns = zip(letters, matrices).map { letter, matrix in
      FlowPageTable.Column(title: letter, note: matrix.name, file: matrix.file)
    }
    return FlowPageTable(
      caption: caption, columns: columns, rows: rows, states: states, marksDifferences: true)
  }

  private func pageRow(_ row: Row, note: String) -> FlowPageTable.Row {
    FlowPageTable.Row(title: row.title, note: note.withArrows, entries: row.entries)
  }
}
