internal import Encodings
internal import Model

extension Lineage {
  /// The graph in the language of Graphviz: a node for each item at its holder, and for where it began.
  public var dot: String { Self.dotStart + dotBody("") + "}\n" }

  /// The graph as a flowchart of Mermaid.
  public var mermaid: String { Self.mermaidStart + mermaidBody("") + Self.mermaidEnd }

  /// The graphs of several cases in one, each in a frame with its name.
  public static func dot(of cases: [(name: String, lineage: Lineage)]) -> String {
    dotStart
      + cases.enumerated().map { index, one in
        "  subgraph cluster\(index + 1) {\n  label=\(one.name.quotedForGraphviz)\n"
          + one.lineage.dotBody("case\(index + 1)") + "  }\n"
      }.joined() + "}\n"
  }

  /// The flowcharts of several cases in one, each in a frame with its name.
  public static func mermaid(of cases: [(name: String, lineage: Lineage)]) -> String {
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

  /// The nodes and edges.
  ///
  /// - Parameter prefix: what the names of nodes begin with.
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
}
