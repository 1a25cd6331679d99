internal import GraphDocuments
internal import Model

extension [FlowMatrix] {
  /// The tables as comma-separated values (RFC 4180, with line feeds), one line for each cell.
  ///
  /// `location` is the storage location, the URL, the length of the text or the web view's kind;
  /// `enrollment` is `any` where all states of devices that the policy is targeted at agree.
  public func csv() -> String {
    let head = "policy,channel,via,location,from,to,enrollment,outcome,rule,setting,label"
    return ([head] + flatMap(\.lines)).joined(separator: "\n") + "\n"
  }
}

extension FlowMatrix {
  fileprivate var lines: [String] {
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
    let fields = [
      name, row.channel.rawValue, row.via?.rawValue ?? "", row.subject.word ?? "",
      entry.parties.from.rawValue, entry.parties.to.rawValue, enrollment, cell.outcome.rawValue,
      cell.reason.rule.rawValue, cell.reason.setting ?? "", cell.reason.label ?? "",
    ]
    return fields.map(Self.field).joined(separator: ",")
  }

  /// The field, in quotation marks where needed. A text that a spreadsheet would take for a formula gets an apostrophe
  /// before it.
  private static func field(_ text: String) -> String {
    var text = text
    // Scalars, because a line break of two and a comma with an accent are one character each.
    if let first = text.unicodeScalars.first, "=+-@\t\r\n".unicodeScalars.contains(first) {
      text = "'" + text
    }
    let scalars = text.unicodeScalars
    guard scalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
    let parts = scalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map { String($0) }.joined(separator: "\"\"") + "\""
  }
}
