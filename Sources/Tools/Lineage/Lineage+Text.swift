internal import Encodings
internal import Model

extension Lineage {
  /// The trees of hops as text: a line for where each item began, then one for each hop, with
  /// the rule that let it through.
  public var text: String {
    guard !hops.isEmpty else { return "no such data moved\n" }
    let children = children
    var seen: Set<Int> = []
    var text = ""
    for root in roots {
      let whose = root.owner.isEmpty ? "data of nobody" : "data of \(root.owner)"
      text += "\(whose), \(root.origin)".escapingUnprintable() + "\n"
      var branches = [Branch(hop: root)]
      while let branch = branches.popLast() {
        let isNew = seen.insert(branch.hop.number).inserted
        text += branch.line(isNew: isNew).escapingUnprintable() + "\n"
        if isNew { branches += branch.branches(children[branch.hop.number] ?? []).reversed() }
      }
    }
    return text
  }
}

/// A line of a tree.
private struct Branch {
  var hop: Hop
  /// The item that the line stands below; nil at the root.
  var source: Hop.Source?
  /// The label of that item.
  var parent = ""
  var depth = 0
  var indent = ""
  var isLast = true

  /// The depth from which lines are not indented further: chains may have any number of hops.
  static let deepest = 24

  func line(isNew: Bool) -> String {
    let mark = depth > Self.deepest ? "from \(parent): " : isLast ? "└─ " : "├─ "
    let marks = hop.marks.map { " [\($0)]" }.joined()
    if case .device(let name) = hop.holder {
      return "\(indent)\(mark)\(hop.label) arrived on \(name) by \(hop.operation.rawValue)\(marks)"
        + (isNew ? "" : "; see above")
    }
    return "\(indent)\(mark)\(hop.label) \(hop.operation.rawValue) → \(hop.holder.text)\(marks)"
      + "\(source?.certainty.words ?? ""): \(hop.rule)" + (isNew ? "" : "; see above")
  }

  /// The lines of the hops that came from this one.
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
