internal import Model

extension Lineage {
  /// The trees of hops as text: a line for where each item began, then one for each hop, with the rule that let it through.
  public var text: String {
    guard !hops.isEmpty else { return "no such data moved\n" }
    var lines: [String] = []
    var seen: Set<Int> = []
    let children = children
    for root in roots {
      let whose = root.owner.isEmpty ? "data of nobody" : "data of \(root.owner)"
      lines.append("\(whose), \(root.origin)")
      add(root, from: nil, indent: "", isLast: true, children, &seen, to: &lines)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func add(
    _ hop: Hop, from source: Hop.Source?, indent: String, isLast: Bool, _ children: [Int: [Hop]],
    _ seen: inout Set<Int>, to lines: inout [String]
  ) {
    let isNew = seen.insert(hop.number).inserted
    let next = isNew ? children[hop.number] ?? [] : []
    let how = source.map(\.certainty.words) ?? ""
    let marks = hop.marks.map { " [\($0)]" }.joined()
    lines.append(
      "\(indent)\(isLast ? "└─" : "├─") \(hop.number) \(hop.operation.rawValue) → \(hop.holder.text)"
        + "\(marks)\(how): \(hop.rule)" + (isNew ? "" : "; see above"))
    let deeper = indent + (isLast ? "   " : "│  ")
    for (index, child) in next.enumerated() {
      let source = child.sources.first { $0.item == hop.number }
      add(
        child, from: source, indent: deeper, isLast: index == next.count - 1, children, &seen,
        to: &lines)
    }
  }
}
