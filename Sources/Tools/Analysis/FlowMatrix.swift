internal import Encodings
package import GraphDocuments
package import Model
internal import Output
package import Policy

/// One policy's answers to every kind of flow, as a table for administrators.
package struct FlowMatrix: Sendable {
  package var name: String
  package var file: String
  /// The device states that the policy targets. Cells cover only these states.
  package var states: [ManagementState]
  package var sections: [Section]
  /// The users of a tenant who get the policy; empty if the policy does not come from a tenant.
  package var recipients: [PolicyRecipients] = []
  private let channels: Set<Channel>
  private let builder: FlowMatrixBuilder

  /// A group of rows with the same columns.
  package struct Section: Sendable {
    package var title: String
    /// The parties for each column, such as `managed -> own account`.
    package var columns: [String]
    package var rows: [Row]

    fileprivate func write(
      _ states: [ManagementState], of policy: String, in file: String,
      to writer: inout HTMLWriter
    ) {
      FlowPageTable(
        caption: title, topic: policy,
        columns: columns.map { .init(title: $0.withArrows, file: file) },
        rows: rows.map { .init(title: $0.title, entries: $0.entries) }, states: states
      ).write(to: &writer)
    }
  }

  package struct Row: Sendable {
    package var title: String
    package var channel: Channel
    /// The sharing path; nil if the channel does not distinguish paths.
    package var via: SharingPath?
    package var subject: Scene.Subject
    /// The entries, one per column. An entry is nil if the row has no flow with the column's parties.
    package var entries: [Entry?]

    fileprivate func writeMembers(to writer: inout JSONWriter) {
      writer.member("title", title)
      writer.member("channel", channel.rawValue)
      writer.member("via", via?.rawValue)
      switch subject {
      case .none: break
      case .text(let length): writer.member("characters", length)
      case .url(let url, let opener):
        writer.member("url", url)
        writer.member("opener", opener.scheme)
      case .location(let location): writer.member("location", location.rawValue)
      case .page: writer.member("webView", subject.word)
      case .screenWithoutControl: writer.member("appConfiguration", subject.word)
      }
      let answers = entries.compactMap(\.self).flatMap { entry in
        entry.cells.map { (entry.parties, $0) }
      }
      writer.objects("cells", of: answers) { writer, answer in
        let (parties, cell) = answer
        writer.member("from", parties.from.rawValue)
        writer.member("to", parties.to.rawValue)
        writer.strings("enrollment", cell.states.map(\.rawValue))
        writer.member("outcome", cell.outcome.rawValue)
        writer.member(named: "reason") { cell.reason.write(to: &$0) }
        cell.reason.standing.writeMembers(to: &writer)
      }
    }
  }

  /// The answers to a flow between two parties, in each device state.
  package struct Entry: Sendable {
    package var parties: Parties
    /// One cell for each distinct answer, in the order of the device states.
    package var cells: [Cell]
  }

  /// An answer, with the device states in which it applies.
  package struct Cell: Sendable, Equatable {
    package var states: [ManagementState]
    package var outcome: Outcome
    /// The reason that decides the answer.
    package var reason: Explanation

    /// The outcome as a symbol and a word, followed by ``Explanation/doubt``.
    var words: String { "\(outcome.symbol) \(outcome.rawValue)\(reason.doubt)" }

    /// Returns the deciding rule with its setting and standing, such as `sendNone: Send org data to other apps = None
    /// (base.json:16) (documented)`. If the line is in `file`, which the report names elsewhere, only `line 16` is
    /// cited.
    func reasonText(in file: String?) -> String {
      reason.rule.rawValue + (reason.citation(in: file).map { ": \($0)" } ?? "")
        + reason.remark(isDeciding: true)
    }
  }

  /// Evaluates every flow in the table under a policy.
  ///
  /// - Parameters:
  ///   - policies: All policies whose tables are shown together and therefore need the same rows; nil if only one
  ///     policy is shown.
  ///   - channels: The channels to show; all by default.
  ///   - known: The device states to show; nil for all states that the policy targets.
  package init(
    _ document: PolicyDocument, among policies: [PolicyDocument]? = nil,
    channels: Set<Channel> = Set(Channel.allCases), on known: [ManagementState]? = nil
  ) {
    name = document.displayName
    file = document.file
    states = known ?? document.states
    self.channels = channels
    builder = FlowMatrixBuilder(
      policy: document.effective, states: states, shown: (policies ?? [document]).map(\.settings))
    sections = builder.sections(channels)
  }

  /// The kinds of transfers by which a managed account's data can leave the protection of policies, on the table's
  /// channels and in its device states.
  package var waysOut: WaysOut {
    let senders = states.map { WayOut.Sender(under: builder.policy, in: $0) }
    return WaysOut(
      WayOut.all(among: builder.shown, channels: channels), for: senders, .devices)
  }

  /// The channels that the table can show. No policy decides `contactRead`.
  package static let channels = Channel.allCases.filter { $0 != .contactRead }

  /// The level of detail of a table in text form.
  package enum Detail: Sendable {
    case outcomes
    /// Includes the deciding rules, as numbered notes.
    case reasons
  }

  /// Text about the users who get the policy or, if ``recipients`` is empty, about the targeted device states. Nil if the
  /// policy then targets all states.
  var targets: String? {
    if !recipients.isEmpty { return "for \(recipients.text)" }
    guard states.count < ManagementState.allCases.count else { return nil }
    guard !states.isEmpty else { return "targeted at no iOS device" }
    return "targeted at devices: " + states.map(\.word).joined(separator: ", ")
  }

  fileprivate func lines(detail: Detail) -> [String] {
    var lines = ["\(name) (\(file))"]
    if let targets { lines += targets.wrapped(to: 118, indentedBy: "    ") }
    var notes: FlowMatrixNotes? = detail == .reasons ? FlowMatrixNotes() : nil
    for section in sections {
      lines.append("")
      let rows: [FlowMatrixTable.Row] = section.rows.map { ($0.title, $0.entries) }
      lines += FlowMatrixTable(section.title, columns: section.columns, rows, states, &notes).lines
    }
    let ways = waysOut
    if !ways.ways.isEmpty { lines += ["", ways.summary] + ways.lines }
    if let notes { lines += [""] + notes.lines }
    return lines
  }

  fileprivate func write(to writer: inout HTMLWriter, withHeadline: Bool) {
    writer.addressed("h2", at: writer.address(of: name), text: name)
    writer.element("p", text: [file, targets].compactMap(\.self).joined(separator: "; "))
    for text in withHeadline ? headline : [] { writer.element("p", text: text) }
    waysOut.write(to: &writer)
    for section in sections { section.write(states, of: name, in: file, to: &writer) }
  }
}

extension PolicyDocument {
  /// The device states that the policy targets.
  package var states: [ManagementState] {
    ManagementState.allCases.filter { targeting.levels?.contains($0.level) ?? true }
  }
}

// MARK: - Text

extension [FlowMatrix] {
  /// Returns the tables as aligned text with a final line break.
  ///
  /// - Parameter unprotected: The users of a tenant who get no policy.
  package func text(
    detail: FlowMatrix.Detail = .outcomes, unprotected: [PolicyRecipients] = []
  ) -> String {
    let tables = map { $0.lines(detail: detail).joinedLines } + unprotected.paragraphs
    let legend = Legend(of: tables).lines
    return (tables + (legend.isEmpty ? [] : [legend.joinedLines])).joined(separator: "\n")
  }
}

extension Outcome {
  /// A symbol that stands beside the word, so neither colour nor text alone carries the meaning.
  package var symbol: String {
    switch self {
    case .allowed: "✓"
    case .encrypted: "◆"
    case .blocked: "✗"
    }
  }
}

extension ManagementState {
  var word: String {
    switch self {
    case .unenrolled: "unenrolled"
    case .enrolledWithoutUPN: "no UPN"
    case .enrolled: "enrolled"
    }
  }
}

/// A table of flows as aligned text.
struct FlowMatrixTable {
  private(set) var lines: [String] = []

  typealias Row = (title: String, entries: [FlowMatrix.Entry?])

  /// Formats the rows as lines.
  ///
  /// - Parameter notes: Collects the reasons that cells refer to by number. If nil, reasons are omitted.
  init(
    _ title: String, columns: [String], _ rows: [Row], _ states: [ManagementState],
    _ notes: inout FlowMatrixNotes?
  ) {
    let heads = columns.map { $0.split(separator: " -> ", maxSplits: 1) }
    var table = [[title, ""] + heads.map { $0.first.map(String.init) ?? "" }]
    if heads.contains(where: { $0.count > 1 }) {
      table.append(["", ""] + heads.map { $0.count > 1 ? "-> \($0[1])" : "" })
    }
    let headCount = table.count
    for row in rows { table += Self.cells(of: row, states, &notes) }
    lines = TextColumns.lines(table)
    let width = lines.map(\.count).max() ?? 0
    lines.insert(String(repeating: "-", count: width), at: headCount)
  }

  /// Returns one line if all device states agree; otherwise one line for each group of states with equal answers.
  private static func cells(
    of row: Row, _ states: [ManagementState], _ notes: inout FlowMatrixNotes?
  ) -> [[String]] {
    var groups: [(states: [ManagementState], cells: [String])] = []
    for state in states {
      var cells: [String] = []
      for entry in row.entries {
        let cell = entry?.cells.first { $0.states.contains(state) }
        cells.append(cell.map { text(of: $0, &notes) } ?? "")
      }
      if let index = groups.firstIndex(where: { $0.cells == cells }) {
        groups[index].states.append(state)
      } else {
        groups.append(([state], cells))
      }
    }
    return groups.enumerated().map { index, group in
      let device = groups.count == 1 ? "" : group.states.map(\.word).joined(separator: ", ")
      return [index == 0 ? row.title : "", device] + group.cells
    }
  }

  private static func text(of cell: FlowMatrix.Cell, _ notes: inout FlowMatrixNotes?) -> String {
    guard let number = notes?.number(of: cell) else { return cell.words }
    return "\(cell.words) [\(number)]"
  }
}

/// The numbers of the reasons in a table. Equal reasons share a number, in the order of their first use.
struct FlowMatrixNotes {
  private var numbers: [String: Int] = [:]
  private(set) var texts: [String] = []
  private let file: String?

  /// Creates an empty list of notes.
  ///
  /// - Parameter file: A file that the report names elsewhere, so notes cite only its lines; nil for none.
  init(in file: String? = nil) { self.file = file }

  mutating func number(of cell: FlowMatrix.Cell) -> Int {
    let text = cell.reasonText(in: file)
    if let number = numbers[text] { return number }
    texts.append(text)
    numbers[text] = texts.count
    return texts.count
  }

  var lines: [String] {
    texts.enumerated().flatMap { index, text in
      "[\(index + 1)] \(text)".wrapped(to: 118, indentedBy: "     ")
    }
  }
}

extension String {
  /// Breaks the text at spaces into lines of at most `width` characters, and indents all lines but
  /// the first. A longer word gets its own line.
  package func wrapped(to width: Int, indentedBy indent: String) -> [String] {
    var lines: [String] = []
    var line: String?
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      guard let start = line else {
        line = String(word)
        continue
      }
      if start.count + 1 + word.count > width {
        lines.append(start)
        line = indent + word
      } else {
        line = "\(start) \(word)"
      }
    }
    return lines + [line ?? ""]
  }
}

// MARK: - CSV

extension [FlowMatrix] {
  /// Returns the tables as comma-separated values (RFC 4180, with line feeds). A flow has one line if all device states
  /// agree; otherwise one line for each device state.
  ///
  /// The column `location` contains the storage location, the URL, the length of the text, the kind of web view or the
  /// app configuration. The column `enrollment` contains `any` if all targeted device states agree. The column `for`
  /// exists only if a policy comes from a tenant.
  package func csv() -> String {
    let head = "policy,channel,via,location,from,to,enrollment,outcome,rule,setting,label,standing"
    let last = contains { !$0.recipients.isEmpty } ? ",for" : ""
    return ([head + last] + flatMap(\.csvLines)).joined(separator: "\n") + "\n"
  }
}

extension FlowMatrix {
  fileprivate var csvLines: [String] {
    sections.flatMap(\.rows).flatMap { row in
      row.entries.compactMap(\.self).flatMap { entry in
        entry.cells.flatMap { cell in
          let isAny = cell.states == states
          return (isAny ? ["any"] : cell.states.map(\.rawValue)).map { enrollment in
            line(row, entry, enrollment, cell)
          }
        }
      }
    }
  }

  private func line(_ row: Row, _ entry: Entry, _ enrollment: String, _ cell: Cell) -> String {
    let fields =
      [
        name, row.channel.rawValue, row.via?.rawValue ?? "", row.subject.word ?? "",
        entry.parties.from.rawValue, entry.parties.to.rawValue, enrollment, cell.outcome.rawValue,
        cell.reason.rule.rawValue, cell.reason.setting ?? "", cell.reason.label ?? "",
        cell.reason.standing.level.rawValue,
      ] + (recipients.isEmpty ? [] : [recipients.text])
    return fields.map(Self.field).joined(separator: ",")
  }

  /// Quotes the field if necessary. If a spreadsheet would interpret the text as a formula, a
  /// leading apostrophe is added.
  private static func field(_ text: String) -> String {
    var text = text
    // Scalars are compared, because CR LF is a single character, and so is a comma with a combining
    // accent.
    if let first = text.unicodeScalars.first, "=+-@\t\r\n".unicodeScalars.contains(first) {
      text = "'" + text
    }
    let scalars = text.unicodeScalars
    guard scalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
    let parts = scalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map { String($0) }.joined(separator: "\"\"") + "\""
  }
}

// MARK: - JSON

extension [FlowMatrix] {
  /// Returns the tables as one JSON object with a final line break; see `docs/schema/matrix.schema.json`.
  ///
  /// - Parameters:
  ///   - notice: The parts of the policies that were not read; nil if everything was read.
  ///   - unprotected: The users of a tenant who get no policy.
  package func json(notice: String? = nil, unprotected: [PolicyRecipients] = []) -> String {
    JSONWriter.objectLine { writer in
      writer.member("notice", notice)
      if !unprotected.isEmpty {
        writer.objects("unprotected", of: unprotected) { $1.writeMembers(to: &$0) }
      }
      writer.objects("policies", of: self) { writer, matrix in
        writer.member("policy", matrix.name)
        writer.member("file", matrix.file)
        if !matrix.recipients.isEmpty {
          writer.objects("for", of: matrix.recipients) { $1.writeMembers(to: &$0) }
        }
        writer.strings("enrollment", matrix.states.map(\.rawValue))
        writer.objects("sections", of: matrix.sections) { writer, section in
          writer.member("title", section.title)
          writer.objects("rows", of: section.rows) { $1.writeMembers(to: &$0) }
        }
        matrix.waysOut.writeMember(to: &writer)
      }
    }
  }
}

// MARK: - HTML

extension [FlowMatrix] {
  /// Returns the tables as one HTML page.
  ///
  /// - Parameter unprotected: The users of a tenant who get no policy.
  package func html(unprotected: [PolicyRecipients] = []) -> String {
    let title = count == 1 ? "What \(self[0].name) allows" : "What \(count) policies allow"
    let lead = (count == 1 ? self[0].headline : []) + unprotected.lead
    return HTMLWriter.report(title: title, lead: lead) { writer in
      Legend(of: flatMap { $0.lines(detail: .outcomes) }).write(to: &writer)
      for matrix in self { matrix.write(to: &writer, withHeadline: count > 1) }
    }
  }
}

extension FlowMatrix {
  /// The summary of the table's ways out as a sentence; empty if the table has no ways out.
  fileprivate var headline: [String] {
    let ways = waysOut
    guard !ways.ways.isEmpty else { return [] }
    return [
      "Org data to unmanaged apps, storage without an account and the system: \(ways.summary)."
    ]
  }
}
