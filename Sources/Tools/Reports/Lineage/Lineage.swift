internal import Encodings
package import Model
internal import Output

/// The movements of data with their sources. The graph is acyclic, because an item's sources precede it.
package struct Lineage: Sendable, Equatable {
  /// The hops, in request order.
  package private(set) var hops: [Hop]
  /// The names of all guests, and all bundle ids, in the journal.
  private let names: Set<String>
  /// The UPNs of all accounts in the journal.
  private let accounts: Set<String>
  /// The current UPNs of renamed accounts, by former UPN in lower case.
  private let renamed: [String: String]

  /// Creates the lineage of items on one device.
  ///
  /// - Parameter events: All events of the device's journal, in order.
  package init(_ events: [JournalEvent]) {
    var builder = LineageBuilder()
    for event in events { builder.add(event) }
    self.init(builder.hops, of: [builder])
  }

  init(_ hops: [Hop], of builders: [LineageBuilder]) {
    self.hops = hops
    names = builders.reduce(into: []) { $0.formUnion($1.names) }
    accounts = builders.reduce(into: []) { $0.formUnion($1.accounts) }
    renamed = builders.reduce(into: [:]) { $0.merge($1.renamed) { first, _ in first } }
  }

  var byNumber: [Int: Hop] {
    Dictionary(hops.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// For each item number, the hops that have the item as a source.
  var children: [Int: [Hop]] {
    var children: [Int: [Hop]] = [:]
    for hop in hops {
      for source in hop.sources { children[source.item, default: []].append(hop) }
    }
    return children
  }

  package var roots: [Hop] { hops.filter(\.sources.isEmpty) }
}

// MARK: - Queries

/// A filter for chains of hops, by the data's owner and the destination.
package struct FlowQuery: Sendable, Equatable {
  /// The owner's UPN or the part before `@`, ignoring case; nil means any owner.
  package var owner: String?
  /// The name of a guest, a bundle id, a system feature or a storage location; nil means any destination.
  package var destination: String?
  package var reach: Reach

  /// The destinations that chains must reach.
  package enum Reach: Sendable {
    case anywhere
    /// Endpoints at which no policy protects a managed account's data.
    case unmanaged
  }

  package init(
    owner: String? = nil, destination: String? = nil, reach: Reach = .anywhere
  ) {
    self.owner = owner
    self.destination = destination
    self.reach = reach
  }

  func isMet(by hop: Hop) -> Bool {
    if let destination, !hop.holder.isNamed(destination) { return false }
    return reach == .anywhere || hop.isUnmanaged
  }

  func isOwner(_ upn: String) -> Bool {
    guard let owner else { return true }
    return Self.isNamed(upn, owner)
  }

  /// Returns whether `name` is the account's UPN, or the part before `@`.
  private static func isNamed(_ upn: String, _ name: String) -> Bool {
    Account(upn: upn).matches(identifier: name)
      || upn.prefix { $0 != "@" }.lowercased() == name.lowercased()
  }
}

extension Lineage {
  /// Returns the reason why a query cannot match, as a clause: its owner or destination is not in the journal
  /// and is probably misspelt.
  ///
  /// Returns nil if both are known.
  package func objection(to query: FlowQuery) -> String? {
    if let destination = query.destination, !knows(destination) {
      let known = names.union(names.map(\.withoutCount)).union(Channel.names)
        .union(StorageLocation.allCases.map(\.rawValue))
      let hint = Suggestion.nearest(to: destination, among: known.sorted())
      return "no guest, app or place of the journal is called `\(destination)`\(hint)"
    }
    let owners = accounts.union(hops.map(\.owner)).union(renamed.keys).filter { !$0.isEmpty }
    if let owner = query.owner, !owners.contains(where: query.isOwner) {
      let short = owners.map { String($0.prefix { $0 != "@" }) }
      let hint = Suggestion.nearest(to: owner, among: (owners.union(short)).sorted())
      return "no account of the journal is called `\(owner)`\(hint)"
    }
    return nil
  }

  private func knows(_ destination: String) -> Bool {
    destination == "pasteboard" || destination.contains("/")
      || Operation(rawValue: destination) != nil || StorageLocation(rawValue: destination) != nil
      || names.contains { $0.isGuest(of: destination) }
      || hops.contains { $0.holder.isNamed(destination) }
  }

  /// Returns the hops of all chains that match the query, from their origins to their destinations.
  package func chains(_ query: FlowQuery) -> Lineage {
    let hops = byNumber
    // Includes accounts that had the queried name before a rename.
    let present = Set(renamed.filter { query.isOwner($0.key) }.map { $0.value.lowercased() })
    // Hops follow their sources. One forward pass propagates owners, one backward pass collects the chains.
    var hasOwner: [Int: Bool] = [:]
    for hop in self.hops {
      hasOwner[hop.number] =
        query.isOwner(hop.owner) || present.contains(hop.owner.lowercased())
        || hop.sources.contains { hasOwner[$0.item] == true }
    }
    var wanted: Set<Int> = []
    for hop in self.hops.reversed() {
      guard
        wanted.contains(hop.number) || query.isMet(by: hop) && hasOwner[hop.number] == true
      else { continue }
      wanted.insert(hop.number)
      for source in hop.sources where hops[source.item] != nil { wanted.insert(source.item) }
    }
    var chosen = self
    chosen.hops.removeAll { !wanted.contains($0.number) }
    return chosen
  }

  // MARK: Text

  /// The hops as trees in text form. A tree begins with a line about the data's owner and origin. Each further line is
  /// a hop with the rule that allowed it.
  package var text: String {
    guard !hops.isEmpty else { return "no such data moved\n" }
    return trees.map { tree in
      tree.title.escapingUnprintable() + "\n"
        + tree.branches.map { $0.line.escapingUnprintable() + "\n" }.joined()
    }.joined()
  }

  /// The hops that come from one origin, in the order of their lines.
  fileprivate struct Tree {
    /// The owner of the data and its origin.
    var title: String
    var branches: [Branch] = []
  }

  fileprivate var trees: [Tree] {
    let children = children
    var seen: Set<Int> = []
    return roots.map { root in
      let whose = root.owner.isEmpty ? "data without an owner" : "data of \(root.owner)"
      var tree = Tree(title: "\(whose), \(root.origin)")
      var open = [Branch(hop: root)]
      while var branch = open.popLast() {
        branch.isNew = seen.insert(branch.hop.number).inserted
        tree.branches.append(branch)
        if branch.isNew { open += branch.branches(children[branch.hop.number] ?? []).reversed() }
      }
      return tree
    }
  }

  /// Returns the legend below the texts of lineages: a heading and each rule with its explanation, in alphabetical
  /// order. The legend is empty if no hop has a rule.
  package static func legend(of lineages: some Sequence<Lineage>) -> String {
    var rules: Set<String> = []
    for hop in lineages.lazy.flatMap(\.hops) where !hop.isArrival {
      rules.insert("  \(hop.reason.rule): \(hop.reason.rule.text(for: hop.reason.side))\n")
    }
    return rules.isEmpty ? "" : "\nRules\n" + rules.sorted().joined()
  }
}

extension Hop {
  /// Whether the data arrived from another device. The text of such a hop has no rule.
  fileprivate var isArrival: Bool {
    if case .device = holder { true } else { false }
  }
}

private struct Branch {
  var hop: Hop
  /// The source of the hop that is the parent line's item; nil at the root.
  var source: Hop.SourceItem?
  /// The label of the parent line's item.
  var parent = ""
  var depth = 0
  var indent = ""
  var isLast = true
  /// Whether this is the first line about the hop. Later lines only refer to the first one.
  var isNew = true

  /// The depth at which indentation stops, because chains may have any number of hops.
  static let deepest = 24

  var line: String {
    let mark = depth > Self.deepest ? "from \(parent): " : isLast ? "└─ " : "├─ "
    let marks = hop.marks.map { " [\($0)]" }.joined()
    let rule = hop.isArrival ? "" : "\(source?.certainty.words ?? ""): \(hop.rule)"
    return indent + mark + movement + marks + rule + (isNew ? "" : "; see above")
  }

  /// Returns the lines of the hops that have this line's item as a source.
  func branches(_ children: [Hop]) -> [Branch] {
    let deeper = depth < Self.deepest ? indent + (isLast ? "   " : "│  ") : indent
    return children.enumerated().map { index, child in
      Branch(
        hop: child, source: child.sources.first { $0.item == hop.number }, parent: hop.label,
        depth: depth + 1,
        indent: deeper, isLast: index == children.count - 1)
    }
  }
}

// MARK: - Page

extension Lineage {
  /// The number of movements. An arrival on another device is part of the movement that sent the item.
  var movementCount: Int { hops.count { !$0.isArrival } }

  /// Writes the trees for the page, as an array.
  ///
  /// - Parameter row: Returns the row of a hop's request in the request table; nil for an arrival.
  func writeTrees(_ row: (Hop) -> Int?, to writer: inout JSONWriter) {
    writer.objects("trees", of: trees) { writer, tree in
      writer.member("title", tree.title.capitalizedStart)
      writer.objects("rows", of: tree.branches) { $1.write(row($1.hop), to: &$0) }
    }
  }
}

extension Branch {
  fileprivate func write(_ row: Int?, to writer: inout JSONWriter) {
    writer.member("depth", min(depth, Self.deepest))
    writer.member("text", (depth > Self.deepest ? "from \(parent): " : "") + movement)
    writer.strings("marks", hop.marks)
    writer.member("row", row)
    if !isNew { writer.member("seen", true) }
    guard !hop.isArrival else { return }
    let setting = hop.reason.setting.map { " by \($0)" } ?? ""
    writer.member("rule", hop.reason.rule.rawValue + setting)
    writer.member("source", hop.reason.source)
    writer.member("certainty", source?.certainty.words ?? "")
    writer.member("why", hop.reason.rule.text(for: hop.reason.side))
  }

  /// The hop's number, its operation and its holder.
  fileprivate var movement: String {
    if case .device(let name) = hop.holder {
      return "\(hop.label) arrived on \(name) by \(hop.operation.rawValue)"
    }
    return "\(hop.label) \(hop.operation.rawValue) → \(hop.holder.text)"
  }
}

// MARK: - Graphs

extension Lineage {
  /// The graph in Graphviz's DOT language, with a node for each item at its holder and for each origin.
  package var dot: String { Self.dotStart + dotBody("") + "}\n" }

  package var mermaid: String { Self.mermaidStart + mermaidBody("") + Self.mermaidEnd }

  /// Returns one graph of several cases. Each case is a frame with the case's name.
  package static func dot(of cases: [(name: String, lineage: Lineage)]) -> String {
    dotStart
      + cases.enumerated().map { index, one in
        "  subgraph cluster\(index + 1) {\n  label=\(one.name.quotedForGraphviz)\n"
          + one.lineage.dotBody("case\(index + 1)") + "  }\n"
      }.joined() + "}\n"
  }

  /// Returns one flowchart of several cases. Each case is a frame with the case's name.
  package static func mermaid(of cases: [(name: String, lineage: Lineage)]) -> String {
    mermaidStart
      + cases.enumerated().map { index, one in
        "  subgraph case\(index + 1)[\"\(one.name.escapedForMermaid)\"]\n"
          + one.lineage.mermaidBody("case\(index + 1)") + "  end\n"
      }.joined() + mermaidEnd
  }

  private static let dotStart = "digraph flows {\n  rankdir=LR\n  node [shape=box]\n"
  private static let mermaidStart = "flowchart LR\n"
  private static let mermaidEnd = "  classDef unmanaged stroke:#c00,stroke-width:2px\n"

  private func dotBody(_ prefix: String) -> String {
    graph(
      prefix,
      node: { name, label, marks in
        let color = marks.contains("unmanaged") ? ", color=red" : ""
        return "  \(name) [label=\(label.quotedForGraphviz)\(color)]\n"
      },
      edge: { from, to, label, isStated in
        "  \(from) -> \(to) [label=\(label.quotedForGraphviz)\(isStated ? ", style=dashed" : "")]\n"
      })
  }

  private func mermaidBody(_ prefix: String) -> String {
    graph(
      prefix,
      node: { name, label, marks in
        let style = marks.contains("unmanaged") ? ":::unmanaged" : ""
        return "  \(name)[\"\(label.escapedForMermaid)\"]\(style)\n"
      },
      edge: { from, to, label, isStated in
        "  \(from) \(isStated ? "-.->" : "-->")|\"\(label.escapedForMermaid)\"| \(to)\n"
      })
  }

  /// Returns the statements for the graph's nodes and edges.
  ///
  /// - Parameter prefix: The prefix of node names.
  private func graph(
    _ prefix: String, node: (String, String, [String]) -> String,
    edge: (String, String, String, Bool) -> String
  ) -> String {
    var text = ""
    let known = byNumber
    for hop in hops {
      let label = "\(hop.operation.rawValue)\n\(hop.reason.rule.rawValue)"
      let item = "\(prefix)item\(hop.number)"
      if hop.sources.isEmpty {
        let origin = hop.sender?.text ?? "outside"
        text += node("\(prefix)origin\(hop.number)", origin, [])
        text += edge("\(prefix)origin\(hop.number)", item, label, false)
      }
      text += node(item, "\(hop.holder.text)\n\(hop.label)", hop.marks)
      for source in hop.sources where known[source.item] != nil {
        text += edge("\(prefix)item\(source.item)", item, label, source.certainty != .certain)
      }
    }
    return text
  }

  // MARK: JSON

  /// The hops as JSON, `{"hops": […]}`, in request order.
  package var json: String {
    JSONWriter.line { writer in writer.object { writeHops(to: &$0) } }
  }

  /// Returns one case's hops as JSON, with the names of the journal and the case.
  ///
  /// - Parameters:
  ///   - journal: The path of the case's journal, or of the folder with its devices' journals.
  ///   - suite: The scenario's name; nil if the journal has no case or several.
  ///   - name: The case's name; nil if `suite` is nil.
  package func json(of journal: String, suite: String?, case name: String?) -> String {
    JSONWriter.line { writer in
      writer.object { writer in
        writer.member("journal", journal)
        writer.member("suite", suite)
        writer.member("case", name)
        writeHops(to: &writer)
      }
    }
  }

  private func writeHops(to writer: inout JSONWriter) {
    writer.objects("hops", of: hops) { $1.writeMembers(to: &$0) }
  }
}

extension Hop {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("item", number)
    writer.member("device", requestID?.device)
    writer.member("request", requestID?.request)
    writer.member("time", Timestamp.text(time))
    writer.member("event", event)
    writer.member("operation", operation.rawValue)
    writer.objects("from", of: sources) { writer, source in
      writer.member("item", source.item)
      writer.member("certainty", source.certainty.rawValue)
    }
    if let sender { writer.object("sender") { sender.writeMembers(to: &$0) } }
    writer.object("holder") { holder.write(to: &$0) }
    writer.member("owner", owner)
    writer.member("managed", isManaged)
    writer.member("encrypted", isEncrypted)
    writer.member("unmanaged", isUnmanaged)
    writer.member("rule", reason.rule.rawValue)
    writer.member("setting", reason.setting)
    writer.member("source", reason.source)
  }
}

extension Holder {
  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .app(let participant): participant.writeMembers(to: &writer)
    case .pasteboard: writer.member("place", "pasteboard")
    case .file(let path): writer.member("file", path)
    case .device(let name): writer.member("device", name)
    case .outside(let place, let account):
      writer.member("place", place)
      writer.member("account", account)
    }
  }
}
