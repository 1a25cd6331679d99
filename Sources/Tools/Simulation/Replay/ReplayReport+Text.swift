internal import Encodings
internal import Model

extension ReplayReport {
  /// What is decided otherwise, by what it amounts to and by the settings that decide, then what was compared.
  public var text: String {
    Difference.Change.allCases.map(section).joined() + summary
  }

  private func section(_ change: Difference.Change) -> String {
    let all = differences.filter { $0.change == change }
    guard !all.isEmpty else { return "" }
    var lines = ["\(change.words): \(Self.count(all.reduce(0) { $0 + $1.count }, "request"))"]
    for reason in all.map(\.reasonText).unique {
      lines.append("  \(reason)")
      lines += all.filter { $0.reasonText == reason }.map { "  \($0.text)" }
    }
    return lines.map { $0.escapingUnprintable() }.joined(separator: "\n") + "\n\n"
  }

  private var summary: String {
    let differing = differences.reduce(0) { $0 + $1.count }
    let found = differing == 0 ? "none is decided otherwise" : "\(differing) otherwise"
    var lines = ["\(Self.count(decided, "transfer")) decided anew, \(found)"]
    switch scope {
    case .all?:
      lines.append(
        "the policies name none of the apps: they are for all in which accounts were under a policy"
      )
    case .named(let others)?:
      let rest = others.isEmpty ? "" : "; under none any more: \(others.joined(separator: ", "))"
      lines.append("the policies are for the apps that they name\(rest)")
    case nil: break
    }
    let kinds = [
      ("not decided, as the journal does not state what was asked", besides.withoutFacts),
      ("no transfers", besides.noTransfers),
      ("refused before any rule was asked", besides.withoutRules),
    ]
    for (words, counts) in kinds where !counts.isEmpty {
      lines.append("\(words): \(Self.list(counts))")
    }
    if isCutOff { lines.append("the last line of the journal is half written, and left out") }
    return lines.map { $0.escapingUnprintable() + "\n" }.joined()
  }

  private static func list(_ counts: [Operation: Int]) -> String {
    counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension ReplayReport.Difference.Change {
  fileprivate var words: String {
    switch self {
    case .refused: "refused now"
    case .encrypted: "encrypted now"
    case .letThrough: "let through now"
    case .otherReasons: "answered alike, for other reasons"
    }
  }
}

extension ReplayReport.Difference {
  /// The setting that decides, its value and its place; the rule's name where it reads no setting.
  fileprivate var reasonText: String {
    let word = now.outcome <= was.outcome ? "" : "was "
    guard let reason, let setting = reason.label ?? reason.setting else {
      return "\(word)\((now.outcome <= was.outcome ? now : was).deciding.rawValue)"
    }
    let value = reason.value.map { " = \($0)" } ?? ""
    return "\(word)`\(setting)`\(value)" + (reason.place.map { " in \($0)" } ?? "")
  }

  fileprivate var text: String {
    let data = owner.map { ", data of \($0)" } ?? ""
    let way = "\(channel.rawValue) \(sender.map { "\($0) → " } ?? "")\(receiver)\(data)"
    return "  \(count)× \(way): \(was.outcome.rawValue) by \(was.deciding.rawValue), "
      + "now \(now.outcome.rawValue) by \(now.deciding.rawValue); line \(line), request \(request)"
  }
}

extension Explanation {
  /// Where the setting is stated, or would be; nil where no file is known.
  fileprivate var place: String? {
    guard let source, source != "absent" else { return nil }
    return source.hasPrefix("absent in ") ? String(source.dropFirst(10)) : source
  }
}

extension [String] {
  /// The texts without those that stand there before.
  fileprivate var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
