internal import Encodings
internal import Model

extension Lineage {
  /// The graph in the language of Graphviz: a node for each item at its holder, and for where it began.
  public var dot: String {
    graph(
      start: "digraph flows {\n  rankdir=LR\n  node [shape=box]\n", end: "}\n",
      node: { name, label, marks in
        let color = marks.contains("unmanaged") ? ", color=red" : ""
        return "  \(name) [label=\(label.quotedForGraphviz)\(color)]\n"
      },
      edge: { from, to, label, isStated in
        "  \(from) -> \(to) [label=\(label.quotedForGraphviz)\(isStated ? ", style=dashed" : "")]\n"
      })
  }

  /// The graph as a flowchart of Mermaid.
  public var mermaid: String {
    graph(
      start: "flowchart LR\n", end: "  classDef unmanaged stroke:#c00,stroke-width:2px\n",
      node: { name, label, marks in
        let style = marks.contains("unmanaged") ? ":::unmanaged" : ""
        return "  \(name)[\"\(label.escapedForMermaid)\"]\(style)\n"
      },
      edge: { from, to, label, isStated in
        "  \(from) \(isStated ? "-.->" : "-->")|\"\(label.escapedForMermaid)\"| \(to)\n"
      })
  }

  private func graph(
    start: String, end: String, node: (String, String, [String]) -> String,
    edge: (String, String, String, Bool) -> String
  ) -> String {
    var text = start
    let known = byNumber
    for hop in hops {
      let label = "\(hop.operation.rawValue)\n\(hop.reason.rule.rawValue)"
      if hop.sources.isEmpty {
        let origin = hop.sender?.text ?? "outside"
        text += node("origin\(hop.number)", origin, [])
        text += edge("origin\(hop.number)", "item\(hop.number)", label, false)
      }
      text += node("item\(hop.number)", "\(hop.holder.text)\n\(hop.label)", hop.marks)
      for source in hop.sources where known[source.item] != nil {
        text += edge(
          "item\(source.item)", "item\(hop.number)", label, source.certainty != .certain)
      }
    }
    return text + end
  }
}
