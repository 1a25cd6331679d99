internal import Policy
internal import Transfer

extension PolicyComparison {
  /// The comparison for people. Ends with a line break.
  ///
  /// - Parameters:
  ///   - old: what the first policy is called.
  ///   - new: what the second is called.
  public func text(old: String, new: String) -> String {
    var lines = ["A: \(old)", "B: \(new)", ""]
    if isSameBehaviour { lines += ["Every flow is decided alike.", ""] }
    for change in FlowDifference.Change.allCases {
      let paragraphs = Paragraph.all(flows.filter { $0.change == change })
      guard !paragraphs.isEmpty else { continue }
      lines += [change.title, ""]
      var causes: [SettingDifference]?
      for paragraph in paragraphs.sorted(by: { $0.rank < $1.rank }) {
        if paragraph.causes != causes { lines += paragraph.causes.map { "  \($0.text)" } + [""] }
        causes = paragraph.causes
        lines += paragraph.lines.map { "  " + $0 } + [""]
      }
    }
    lines += balanceLines
    lines += Self.list("Settings that differ without effect on any flow in either policy", inert)
    lines += Self.list("Access requirements and conditional launch", requirements)
    return Array(lines.dropLast()).joinedLines
  }

  private var balanceLines: [String] {
    guard !balanced.isEmpty else { return [] }
    return ["Settings that act together: no flow changes, and yet one policy depends on them", ""]
      + balanced.flatMap { $0.lines + [""] }
  }

  private static func list(_ title: String, _ differences: [SettingDifference]) -> [String] {
    guard !differences.isEmpty else { return [] }
    return [title, ""] + differences.map { "  \($0.text)" } + [""]
  }
}

/// Differences that differ by nothing but their channels, and so share a witness.
private struct Paragraph {
  /// The simplest first; its witness is shown.
  var flows: [FlowDifference]

  /// Where its causes come up first, and where it does itself.
  var rank: (Int, Int)
  var causes: [SettingDifference] { flows[0].causes }

  static func all(_ flows: [FlowDifference]) -> [Paragraph] {
    var paragraphs: [Paragraph] = []
    for flow in flows {
      if let index = paragraphs.firstIndex(where: { $0.flows[0].isAlike(flow) }) {
        paragraphs[index].flows.append(flow)
      } else {
        let number = paragraphs.count
        let first = paragraphs.firstIndex { $0.causes == flow.causes } ?? number
        paragraphs.append(Paragraph(flows: [flow], rank: (first, number)))
      }
    }
    return paragraphs
  }

  var lines: [String] {
    let old = flows[0].old
    let new = flows[0].new
    let channels = flows.map(\.channelText).joined(separator: ", ")
    let head = "  \(flows[0].partiesText): \(channels)".wrapped(to: 116, indentedBy: "      ")
    return head + [
      "    for example \(old.request.endsText)",
      "      \(old.request.detailText)",
      "      A \(old.text)",
      "      B \(new.text)",
      "      \(old.request.decideLine)",
    ]
  }
}

extension FlowDifference {
  fileprivate func isAlike(_ other: FlowDifference) -> Bool {
    partiesText == other.partiesText && old.outcome == other.old.outcome
      && new.outcome == other.new.outcome && causes == other.causes
  }

  fileprivate var partiesText: String { parties.words(on: channel) }

  /// `saveTo (box, egnyte)`.
  fileprivate var channelText: String {
    let shown = 6
    let via = channel.hasTwoPaths && scene.via == .os ? " \(scene.via.words)" : ""
    guard !subjects.isEmpty else { return channel.rawValue + via }
    let rest = subjects.count > shown ? " and \(subjects.count - shown) more" : ""
    return "\(channel.rawValue) (\(subjects.prefix(shown).joined(separator: ", "))\(rest))"
  }
}

extension BalancedDifference {
  fileprivate var lines: [String] {
    let (name, other) = holder == .old ? ("A", "B") : ("B", "A")
    return [
      "  \(setting.text)",
      "    for example \(with.request.endsText)",
      "      \(with.request.detailText)",
      "      \(name) \(with.text)",
      "      \(name) with the value of \(other) \(without.text)",
      "      \(with.request.decideLine)",
    ]
  }
}

extension FlowDifference.Side {
  fileprivate var text: String {
    let assumed = reason.isAssumed ? " (assumed)" : ""
    return "\(outcome.rawValue) by \(reason.rule.rawValue) (\(reason.side.rawValue)): "
      + "\(reason.text)\(assumed)"
  }
}
