internal import Activation
internal import Encodings
internal import Model
internal import Output
internal import Policy

/// A share sheet, with every destination on the device, whether shown or hidden.
package struct Sheet: Sendable {
  package var sharing: Sharing
  /// The destinations: first the shown destinations, then the hidden destinations. Each group is ordered by kind, and
  /// then by installation. The order of kinds is Open-In actions, share extensions, apps, action extensions, system
  /// actions.
  package var destinations: [SheetDestination]

  /// Creates a sheet, and decides the visibility of every destination.
  package init(_ sharing: Sharing, apps: [SheetApp], extensions: [SheetExtension]) {
    let builder = SheetBuilder(sharing, apps: apps, extensions: extensions)
    self.sharing = sharing
    let kinds = SheetDestination.Kind.allCases
    var groups: [[SheetDestination]] = Array(repeating: [], count: 2 * kinds.count)
    func add(_ destination: SheetDestination) {
      let place = kinds.firstIndex(of: destination.kind) ?? 0
      groups[destination.visibility == .hidden ? kinds.count + place : place].append(destination)
    }
    for one in extensions { add(builder.destination(one)) }
    for app in apps { add(builder.destination(app)) }
    for action in BuiltInAction.allCases { add(builder.destination(action)) }
    destinations = groups.flatMap(\.self)
  }

  /// Returns the destinations with this name, title or bundle id. Case is ignored.
  package func destinations(named name: String) -> [SheetDestination] {
    let key = name.lowercased()
    return destinations.filter { destination in
      [destination.name, destination.title, destination.bundleID ?? ""].contains {
        $0.lowercased() == key
      }
    }
  }

  // MARK: Text

  /// Returns the sheet as an aligned table, followed by a sentence for each reason, with a final line break.
  package func text() -> String {
    var lines = [sharing.headline]
    if let offer = sharing.offer { lines.append(offer) }
    lines.append("")
    lines += table
    lines.append("")
    return (lines + notes).joinedLines
  }

  private var table: [String] {
    var rows = [["Destination", "Kind", "", "Why"]]
    for destination in destinations {
      rows.append([
        destination.title, destination.kindText,
        "\(destination.visibility.symbol) \(destination.visibility.text)", destination.why,
      ])
    }
    var lines = TextColumns.lines(rows)
    lines.insert(String(repeating: "-", count: lines.map(\.count).max() ?? 0), at: 1)
    return lines
  }

  /// The explanations of all reasons in the table, without duplicates.
  private var notes: [String] {
    destinations.flatMap { destination in
      destination.causes.map { "\($0.code): \(destination.sentence(for: $0))" }
    }.unique
  }

  // MARK: Explanation

  /// Returns all facts about one destination as text: its findings, the activation rule as a tree,
  /// and the policies' verdict. It ends with a line break.
  package func explanation(of destination: SheetDestination) -> String {
    var lines = ["\(destination.title): \(destination.visibility.text)"]
    let bundle = destination.bundleID.map { " (\($0))" } ?? ""
    lines.append("  \(destination.kind.title) \(destination.name)\(bundle)")
    lines.append("  \(sharing.headline)")
    if let offer = sharing.offer { lines.append("  \(offer)") }
    lines += destination.findingLines
    if let rule = destination.rule {
      let tree = rule.explain(sharing.offeredItems, types: sharing.types)
      lines += ["", "Activation rule; > marks the deciding parts:"] + tree.lines(indent: "  ")
    }
    lines += ["", "Policies:"]
    let verdict = destination.transfer.explained.text(on: destination.transfer.request)
    lines += verdict.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      $0.isEmpty ? "" : "  \($0)"
    }
    return lines.joinedLines
  }
}

extension SheetDestination {
  fileprivate var findingLines: [String] {
    guard !findings.isEmpty else { return [] }
    return [""]
      + findings.map { finding in
        let mark =
          switch finding.effect {
          case .hides: "✗"
          case .offers: "✓"
          case .remark: "·"
          }
        return "\(mark) \(finding.code): \(finding.text)"
      }
  }
}

extension ActivationExplanation {
  /// Returns the tree with one line for each part, such as `> fails  any of these`.
  fileprivate func lines(indent: String) -> [String] {
    let detail = detail.map { ": \($0)" } ?? ""
    let own = "\(indent)\(decides ? ">" : " ") \(verdict.text)  \(text)\(detail)"
    return [own] + parts.flatMap { $0.lines(indent: indent + "  ") }
  }
}

extension ActivationExplanation.Verdict {
  fileprivate var text: String {
    switch self {
    case .holds: "holds"
    case .fails: "fails"
    case .counts(let count, let total): "\(count) of \(total)"
    }
  }
}

// MARK: - JSON

extension Sheet {
  /// Returns the sheet as one JSON object with a final line break; see `docs/schema/share-sheet.schema.json`.
  package func json() -> String {
    JSONWriter.objectLine { writer in
      writer.object("sharing") { sharing.writeMembers(to: &$0) }
      writer.array("destinations", of: destinations) { write($1, to: &$0) }
    }
  }

  private func write(_ destination: SheetDestination, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", destination.name)
      writer.member("title", destination.title)
      writer.member("kind", destination.kind.rawValue)
      writer.member("bundle", destination.bundleID)
      writer.member("visibility", destination.visibility.rawValue)
      writer.strings("why", destination.causes.map(\.code))
      writer.objects("findings", of: destination.findings) { writer, finding in
        writer.member("code", finding.code)
        writer.member("effect", finding.effect.rawValue)
        writer.member("text", finding.text)
      }
      if let rule = destination.rule {
        let tree = rule.explain(sharing.offeredItems, types: sharing.types)
        writer.object("activation") { tree.writeMembers(to: &$0) }
      }
      writer.member("channel", destination.transfer.request.channel.rawValue)
      writer.member(named: "verdict") { destination.transfer.explained.write(to: &$0) }
    }
  }
}

extension Sharing {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("from", senderName)
    writer.member("bundle", sender.app.bundleID)
    writer.member("account", sender.identity.accountID)
    writer.member("managed", sender.isManaged)
    writer.member("via", via.rawValue)
    writer.member("twins", usesTwins)
    writer.objects("contents", of: contents) { writer, content in
      writer.member("file", content.fileName)
      writer.strings("types", content.types)
    }
  }
}

extension ActivationExplanation {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("text", text)
    writer.member("verdict", verdict.text)
    writer.member("detail", detail)
    writer.member("decides", decides)
    writer.member("line", line)
    writer.member("column", column)
    writer.objects("parts", of: parts) { $1.writeMembers(to: &$0) }
  }
}
