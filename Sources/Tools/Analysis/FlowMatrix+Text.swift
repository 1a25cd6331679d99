internal import GraphDocuments
internal import Model

extension FlowMatrix {
  /// How much a table as text says.
  public enum Detail: Sendable {
    case outcomes
    /// The rules that decided, too, numbered.
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
  /// The states in words; nil where the policy is for all.
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
  /// `sendNone: Send org data to other apps = None (base.json:16)`.
  var reasonText: String {
    let assumed = reason.isAssumed ? " (assumed)" : ""
    return reason.rule.rawValue + (reason.citation.map { ": \($0)" } ?? "") + assumed
  }
}

extension Outcome {
  /// A sign beside the word, so that neither colour nor reading alone has to tell.
  var symbol: String {
    switch self {
    case .allowed: "✓"
    case .encrypted: "◆"
    case .blocked: "✗"
    }
  }
}

extension ManagementState {
  /// A word or two for the state.
  var word: String {
    switch self {
    case .unenrolled: "unenrolled"
    case .enrolledWithoutUPN: "no UPN"
    case .enrolled: "enrolled"
    }
  }
}
