internal import Model
internal import Policy

/// Differences that differ only in their channels, so that they share a witness.
struct FlowParagraph {
  /// The differences, the simplest first; its witness is shown.
  var flows: [FlowDifference]

  /// The number of the first paragraph with the same causes, and the number of this one.
  var rank: (Int, Int)
  var causes: [SettingDifference] { flows[0].causes }

  static func all(_ flows: [FlowDifference]) -> [FlowParagraph] {
    var paragraphs: [FlowParagraph] = []
    for flow in flows {
      if let index = paragraphs.firstIndex(where: { $0.flows[0].isAlike(flow) }) {
        paragraphs[index].flows.append(flow)
      } else {
        let number = paragraphs.count
        let first = paragraphs.firstIndex { $0.causes == flow.causes } ?? number
        paragraphs.append(FlowParagraph(flows: [flow], rank: (first, number)))
      }
    }
    return paragraphs
  }

  /// The parties and the channels.
  var head: String {
    "\(flows[0].partiesText): \(flows.map(\.channelText).joined(separator: ", "))"
  }

  var lines: [String] {
    let old = flows[0].old
    let new = flows[0].new
    return "  \(head)".wrapped(to: 116, indentedBy: "      ") + [
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

  /// The channel with its subjects, such as `saveTo (box, egnyte)`.
  fileprivate var channelText: String {
    let shown = 6
    let via = channel.row.hasTwoPaths && scene.via == .os ? " \(scene.via.words)" : ""
    guard !subjects.isEmpty else { return channel.rawValue + via }
    let rest = subjects.count > shown ? " and \(subjects.count - shown) more" : ""
    return "\(channel.rawValue) (\(subjects.prefix(shown).joined(separator: ", "))\(rest))"
  }
}

extension FlowDifference.Side {
  /// The answer with its reason, such as `blocked by sendNone (sender): …`.
  var text: String {
    let assumed = reason.isAssumed ? " (assumed)" : ""
    return "\(outcome.rawValue) by \(reason.rule.rawValue) (\(reason.side.rawValue)): "
      + "\(reason.text)\(assumed)"
  }
}
