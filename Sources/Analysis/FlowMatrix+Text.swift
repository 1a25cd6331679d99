internal import Policy
internal import Transfer

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
    map { $0.text(detail: detail) }.joined(separator: "\n")
  }
}

extension FlowMatrix {
  /// What the states of devices are called, and what that means.
  private static let legend = [
    "Encrypted: delivered, but the receiver cannot read it. Devices: `unenrolled` is not in MDM; `no UPN` is,",
    "but the app's configuration lacks IntuneMAMUPN; `enrolled` has it. Without a word: all the same.",
  ]

  /// The states in words; nil where the policy is for all.
  var targets: String? {
    guard states.count < ManagementState.allCases.count else { return nil }
    guard !states.isEmpty else { return "targeted at no iOS device" }
    return "targeted at devices: " + states.map(\.word).joined(separator: ", ")
  }

  fileprivate func text(detail: Detail) -> String {
    var lines = ["\(name) (\(file))"]
    if let targets { lines.append(targets) }
    var notes: FlowMatrixNotes? = detail == .reasons ? FlowMatrixNotes() : nil
    for section in sections {
      lines.append("")
      lines += FlowMatrixTable(section, states, &notes).lines
    }
    if let notes { lines += [""] + notes.lines }
    lines += [""] + Self.legend
    return lines.joinedLines
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
