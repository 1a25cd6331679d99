internal import GraphDocuments
internal import Model

extension FlowMatrix {
  /// The detail of a table as text.
  public enum Detail: Sendable {
    case outcomes
    /// Also the rules that decided, numbered.
    case reasons
  }
}

extension [FlowMatrix] {
  /// The tables as aligned text, at most 120 columns wide. Ends with a line break.
  public func text(detail: FlowMatrix.Detail = .outcomes) -> String {
    let tables = map { $0.lines(detail: detail).joinedLines }
    return (tables + [Legend.lines.joinedLines]).joined(separator: "\n")
  }
}

extension FlowMatrix {
  /// The states in words; nil where the policy is targeted at all.
  var targets: String? {
    guard states.count < ManagementState.allCases.count else { return nil }
    guard !states.isEmpty else { return "targeted at no iOS device" }
    return "targeted at devices: " + states.map(\.word).joined(separator: ", ")
  }

  fileprivate func lines(detail: Detail) -> [String] {
    var lines = ["\(name) (\(file))"]
    if let targets { lines.append(targets) }
    var notes: FlowMatrixNotes? = detail == .reasons ? FlowMatrixNotes() : nil
    for section in sections {
      lines.append("")
      let rows: [FlowMatrixTable.Row] = section.rows.map { ($0.title, $0.entries) }
      lines += FlowMatrixTable(section.title, columns: section.columns, rows, states, &notes).lines
    }
    if let notes { lines += [""] + notes.lines }
    return lines
  }
}

extension FlowMatrix.Cell {
  /// The deciding rule with its setting, such as `sendNone: Send org data to other apps = None (base.json:16)`.
  var reasonText: String {
    let assumed = reason.isAssumed ? " (assumed)" : ""
    return reason.rule.rawValue + (reason.citation.map { ": \($0)" } ?? "") + assumed
  }
}

extension Outcome {
  /// A sign beside the word, so that neither colour nor text alone carries the meaning.
  var symbol: String {
    switch self {
    case .allowed: "✓"
    case .encrypted: "◆"
    case .blocked: "✗"
    }
  }
}

extension ManagementState {
  /// The state in a word or two.
  var word: String {
    switch self {
    case .unenrolled: "unenrolled"
    case .enrolledWithoutUPN: "no UPN"
    case .enrolled: "enrolled"
    }
  }
}
