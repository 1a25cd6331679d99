internal import Cryptography
package import Encodings
internal import GraphDocuments
internal import Model
package import Output

extension HTMLWriter {
  /// Returns a report as one HTML page, with a script that finds rows, columns and answers.
  ///
  /// - Parameter lead: The introduction, one paragraph for each element.
  package static func report(
    title: String, lead: [String] = [], _ body: (inout HTMLWriter) -> Void
  ) -> String {
    page(title: title, lead: lead, style: style, script: filtering, body)
  }

  private static let filtering: Script = {
    let code = "\"use strict\";\n" + elements + filter
    return Script(code, source: source(of: code))
  }()

  /// Returns the source expression, without quotes, with which a content security policy allows the script or style
  /// `text`.
  package static func source(of text: String) -> String {
    "sha256-" + Base64.text(sha256(Array(text.utf8)))
  }

  /// Writes a table with a header for each column. `rows` must state each cell's column in `data-column`, because cells
  /// are stacked on narrow screens.
  ///
  /// - Parameters:
  ///   - topic: The heading above the table; nil if there is none.
  ///   - notes: Small text below the columns' names.
  ///   - foot: Writes the last row; nil if there is none.
  package mutating func table(
    caption: String, of topic: String? = nil, columns: [String], notes: [String] = [],
    foot: ((inout HTMLWriter) -> Void)? = nil, _ rows: (inout HTMLWriter) -> Void
  ) {
    let address = address(of: [topic, caption].compactMap(\.self).joined(separator: " "))
    element("table") { writer in
      writer.addressed("caption", at: address, text: caption)
      writer.element("thead") { writer in
        writer.element("tr") { writer in
          for (number, column) in columns.enumerated() {
            guard notes.indices.contains(number), !notes[number].isEmpty else {
              writer.element("th", [("scope", "col")], text: column)
              continue
            }
            writer.element("th", [("scope", "col")]) { writer in
              writer.plain("\(column)\n")
              writer.element("small", text: notes[number])
            }
          }
        }
      }
      writer.element("tbody") { rows(&$0) }
      if let foot { writer.element("tfoot") { foot(&$0) } }
    }
  }

  /// Writes a table row with a header cell.
  ///
  /// - Parameters:
  ///   - topic: The table's subject, which is part of the row's anchor.
  ///   - note: A small text below the header; nil for none.
  package mutating func row(
    _ head: String, of topic: String, note: String? = nil, _ cells: (inout HTMLWriter) -> Void
  ) {
    let address = address(of: "\(topic) \(head)")
    element("tr", [("id", address)]) { writer in
      writer.element("th", [("scope", "row")]) { writer in
        writer.element("a", [("class", "own"), ("href", "#\(address)")], text: head)
        if let note { writer.element("small", text: note) }
      }
      cells(&writer)
    }
  }

  private static let style = """
    header p:first-of-type { font-size: 1.15em }
    table { margin: 1em 0; table-layout: fixed }
    td, tbody th { border: 1px solid var(--line) }
    td.allowed, td.encrypted, td.blocked { color: inherit;
      background: color-mix(in srgb, var(--outcome) 14%, transparent) }
    td.allowed { --outcome: var(--allowed) } td.encrypted { --outcome: var(--encrypted) }
    td.blocked { --outcome: var(--blocked) }
    sup { line-height: 1; color: var(--faint); margin-left: .2em }
    tfoot { display: table-row-group; font-size: .9em; color: var(--faint) }
    tfoot ol { margin: 0; padding-left: 1.4em }
    .differs { outline: 3px solid var(--encrypted); outline-offset: -3px }
    .bar { display: flex; flex-wrap: wrap; gap: .4em 1em; align-items: center; margin: .5em 0 }
    .out { visibility: hidden }
    [hidden] { display: none !important }
    @media (max-width: 40em) {
      table, caption, tbody, tr, th, td { display: block }
      thead { display: none }
      tr { border-top: 2px solid var(--faint); margin-top: .8em }
      tbody th, td { border: 0 }
      td { margin-top: .2em }
      td:empty, td.out { display: none }
      td::before { content: attr(data-column); display: block; font-size: .85em; color: var(--faint) }
    }
    @media print { body { font-size: 10px } .bar { display: none } }
    """
}

// MARK: - Tables of flows

/// A table of flows on a page. A cell is a symbol and a word; the last row lists each column's reasons once. If a
/// flow's outcome depends on the device state, the flow has a row for each group of states.
struct FlowPageTable {
  var caption: String
  /// The heading above the table; nil if there is none.
  var topic: String?
  var columns: [Column]
  var rows: [Row]
  /// The device states that the columns cover.
  var states: [ManagementState]
  /// Whether to mark each cell that differs from the first column's cell, and to mark its row with
  /// ``PolicyTable/mark``.
  var marksDifferences = false

  struct Column {
    var title: String
    /// Small text below the title; nil for none.
    var note: String?
    /// The file of the column's policy. The page names the file elsewhere, so reasons cite only lines.
    var file: String
  }

  struct Row {
    var title: String
    /// Small text below the title; nil for none.
    var note: String?
    /// The entries, one per column; nil if no such flow exists.
    var entries: [FlowMatrix.Entry?]
  }

  /// A row of the page, for a group of device states that have equal answers in each column.
  private struct Line {
    var states: [ManagementState]
    /// The cells for the first of these device states, one per column.
    var cells: [FlowMatrix.Cell?]
  }

  /// Returns the lines of a row: one if all device states agree, otherwise one for each group of states.
  private func lines(of row: Row) -> [Line] {
    var lines: [Line] = []
    for state in states {
      let cells = row.entries.map { $0?.cells.first { $0.states.contains(state) } }
      if let index = lines.firstIndex(where: { $0.cells.map(\.?.words) == cells.map(\.?.words) }) {
        lines[index].states.append(state)
      } else {
        lines.append(Line(states: [state], cells: cells))
      }
    }
    return lines
  }

  func write(to writer: inout HTMLWriter) {
    var notes = columns.map { FlowMatrixNotes(in: $0.file) }
    for row in rows {
      for (number, entry) in row.entries.enumerated() {
        for cell in entry?.cells ?? [] { _ = notes[number].number(of: cell) }
      }
    }
    writer.table(
      caption: caption, of: topic, columns: ["Flow"] + columns.map(\.title),
      notes: [""] + columns.map { $0.note ?? "" },
      foot: { foot(notes, to: &$0) },
      { writer in
        for row in rows {
          let lines = lines(of: row)
          for line in lines { write(line, of: row, isOnly: lines.count == 1, &notes, to: &writer) }
        }
      })
  }

  private func write(
    _ line: Line, of row: Row, isOnly: Bool, _ notes: inout [FlowMatrixNotes],
    to writer: inout HTMLWriter
  ) {
    let known = line.cells.compactMap { $0?.outcome }
    let isDiffering = marksDifferences && Set(known).count > 1
    let devices = isOnly ? nil : "devices: " + line.states.map(\.word).joined(separator: ", ")
    let head = isDiffering ? "\(PolicyTable.mark) \(row.title)" : row.title
    let note = [row.note, devices].compactMap(\.self).joined(separator: "; ")
    writer.row(
      head, of: [topic, caption].compactMap(\.self).joined(separator: " "),
      note: note.isEmpty ? nil : note
    ) { writer in
      for (number, cell) in line.cells.enumerated() {
        guard let cell, let entry = row.entries[number] else {
          writer.element("td", text: "")
          continue
        }
        let differs = isDiffering && number > 0 && cell.outcome != line.cells[0]?.outcome
        let classes = cell.outcome.rawValue + (differs ? " differs" : "")
        let reasons = entry.cells.filter { !Set($0.states).isDisjoint(with: line.states) }.map {
          String(notes[number].number(of: $0))
        }
        writer.element("td", [("class", classes), ("data-column", columns[number].title)]) {
          writer in
          writer.plain(cell.words)
          if notes[number].texts.count > 1 {
            writer.element("sup", text: reasons.unique.joined(separator: ", "))
          }
        }
      }
    }
  }

  /// Writes the reasons of each column, with the numbers that the column's cells refer to.
  private func foot(_ notes: [FlowMatrixNotes], to writer: inout HTMLWriter) {
    writer.element("tr") { writer in
      writer.element("th", [("scope", "row")], text: "Decided by")
      for (column, notes) in zip(columns, notes) {
        guard notes.texts.count > 1 else {
          writer.element(
            "td", [("data-column", column.title)], text: notes.texts.first ?? "")
          continue
        }
        writer.element("td", [("data-column", column.title)]) { writer in
          writer.element("ol") { writer in
            for text in notes.texts { writer.element("li", text: text) }
          }
        }
      }
    }
  }
}

extension String {
  var withArrows: String { replacing("->", with: "→") }
}

// MARK: - Recipients

/// The users of a tenant who get certain policies, as described in reports.
package struct PolicyRecipients: Sendable, Hashable {
  /// The number of users; nil if the export contains no users.
  package var count: Int?
  /// The UPN of the representative user; nil if the export contains no users.
  package var like: String?
  /// The conditions under which the users get the policies, as clauses.
  package var conditions: [String]
  /// The apps in which the users get the policies; empty if the context makes them clear.
  package var apps: [String]

  package init(count: Int?, like: String?, conditions: [String], apps: [String]) {
    self.count = count
    self.like = like
    self.conditions = conditions
    self.apps = apps
  }

  /// The recipients as text, such as ``2 users like anna@contoso.com in com.contoso.mail, if the user is in `Sales` ``.
  package var text: String {
    let apps = apps.isEmpty ? "" : " in \(ListFormat.first(3, of: apps))"
    let condition = conditions.isEmpty ? "" : ", if \(ListFormat.all(of: conditions))"
    guard let like else { return "a user with a licence\(apps)\(condition)" }
    let others = count.map { $0 == 1 ? "" : "\($0) users like " } ?? ""
    return "\(others)\(like)\(apps)\(condition)"
  }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("count", count)
    writer.member("like", like)
    if !apps.isEmpty { writer.strings("apps", apps) }
    if !conditions.isEmpty { writer.strings("if", conditions) }
  }
}

extension [PolicyRecipients] {
  /// All recipients as one text, such as `anna@contoso.com; 2 users like ben@contoso.com`.
  package var text: String { map(\.text).joined(separator: "; ") }

  /// The sentence about users who get no policy, for the introduction of a page; empty if there are none.
  var lead: [String] {
    isEmpty
      ? []
      : [
        "No policy, so nothing is restricted unless conditional access locks the users out: \(text)"
      ]
  }

  /// ``lead`` as paragraphs of a text.
  var paragraphs: [String] {
    lead.map { $0.wrapped(to: 118, indentedBy: "    ").joinedLines }
  }
}

// MARK: - Legend

/// The legend of a report. It defines the terms that the report uses.
package struct Legend {
  private let words: [(String, meaning: String)]

  /// Creates the legend for a report.
  ///
  /// - Parameter report: The report as text, without the legend.
  package init(of report: some Sequence<String>) {
    let report = report.joined(separator: "\n")
    words = Self.all.filter { word, _ in
      (Self.spellings[word] ?? [word]).contains { report.contains(word: $0) }
    }
  }

  /// The texts that require a term's definition if they occur in the report. For a term without an entry, it is the
  /// term itself.
  private static let spellings = [
    "devices": ManagementState.allCases.map(\.word),
    "?": Outcome.allCases.map { "\($0.rawValue)?" },
  ]

  private static let all = [
    (
      "managed",
      "an account under the policy, enrolled in an app that integrates the Intune App SDK"
    ),
    ("unmanaged", "an app or account that no policy protects"),
    ("personal account", "an account in the managed app that no policy protects"),
    ("other org", "an account of another organisation, under the same policy in its app"),
    ("by the SDK", "the app's own sharing, which the Intune App SDK filters"),
    ("by the system", "sharing that bypasses the SDK, such as the share sheet of iOS"),
    (
      "ways out",
      "kinds of transfers by which a managed account's data can reach an app, an account, storage or a system feature without a policy; open if the receiver can read the data"
    ),
    (
      "kinds of flows",
      "groups of flows with the same channel, parties, answers and settings; comparisons count kinds of flows and include apps with SDK 7.0 or earlier, and tables count single flows in apps with the newest SDK"
    ),
    ("encrypted", "delivered, but the receiver cannot read it"),
    (
      "?",
      "the deciding rule is assumed or contested: no public statement supports it, or statements contradict each other"
    ),
    (
      "devices",
      "unenrolled: not in MDM; no UPN: in MDM, without IntuneMAMUPN in the app's configuration; enrolled: in MDM, with IntuneMAMUPN"
    ),
  ]

  /// Returns the definition of a term as a clause; nil if the legend does not have the term.
  package static func meaning(of term: String) -> String? { all.first { $0.0 == term }?.1 }

  /// The definitions as lines of at most 118 columns; empty if the report uses none of the terms.
  var lines: [String] {
    guard !words.isEmpty else { return [] }
    return ["Terms"] + words.flatMap { "  \($0): \($1)".wrapped(to: 118, indentedBy: "    ") }
  }

  package func write(to writer: inout HTMLWriter) {
    guard !words.isEmpty else { return }
    writer.element("details") { writer in
      writer.element("summary", text: "Terms")
      writer.element("dl") { writer in
        for (word, meaning) in words {
          writer.element("dt", text: word)
          writer.element("dd", text: meaning)
        }
      }
    }
  }
}

extension String {
  /// Returns whether the text contains the phrase as whole words.
  fileprivate func contains(word phrase: String) -> Bool {
    ranges(of: phrase).contains { range in
      let before = range.lowerBound == startIndex ? nil : self[index(before: range.lowerBound)]
      let after = range.upperBound == endIndex ? nil : self[range.upperBound]
      return before?.isLetter != true && after?.isLetter != true
    }
  }
}

// MARK: - Lines

extension [String] {
  /// The lines as text with a final line break. Unprintable characters become U+FFFD, because names in policies could
  /// contain escape sequences for the terminal.
  package var joinedLines: String {
    map { $0.printable(replacing: "\u{FFFD}") }.joined(separator: "\n") + "\n"
  }
}
