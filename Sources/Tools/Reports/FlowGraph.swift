internal import Encodings
package import Model

/// A graph of the flows in journals: sender, receiver, number of requests and outcome.
package struct FlowGraph {
  private var nodes = NodeTable()
  private var edges: [Edge: Int] = [:]

  private struct Edge: Hashable {
    var from: Int
    var to: Int
    var outcome: Outcome
  }

  package init() {}

  package mutating func add(_ events: [JournalEvent]) {
    for case .decided(let decision) in events.map(\.kind) {
      guard let (from, to) = Node.ends(of: decision) else { continue }
      let edge = Edge(
        from: nodes.number(of: from), to: nodes.number(of: to), outcome: decision.verdict.outcome)
      edges[edge, default: 0] += 1
    }
  }

  /// The graph in Graphviz's DOT language. Managed apps have double frames, and unmanaged apps have dashed frames.
  package var dot: String {
    var text = "digraph flows {\n  rankdir=LR\n  node [shape=box]\n"
    for (number, node) in nodes.nodes.enumerated() {
      let style =
        switch node.column {
        case .managed: "peripheries=2"
        case .unmanaged: "style=dashed"
        case .outside: "shape=oval"
        }
      text += "  n\(number) [label=\(node.text.quotedForGraphviz), \(style)]\n"
    }
    for (edge, count) in ordered {
      let style =
        switch edge.outcome {
        case .allowed: "color=darkgreen"
        case .encrypted: "color=darkorange, style=dotted"
        case .blocked: "color=red, style=dashed"
        }
      let label = "\(count) \(edge.outcome.rawValue)".quotedForGraphviz
      text += "  n\(edge.from) -> n\(edge.to) [label=\(label), \(style)]\n"
    }
    return text + "}\n"
  }

  package var mermaid: String {
    var text = "flowchart LR\n"
    for (number, node) in nodes.nodes.enumerated() {
      let label = node.text.escapedForMermaid
      let frame =
        switch node.column {
        case .managed: ("[[\"", "\"]]")
        case .unmanaged: ("[\"", "\"]:::unmanaged")
        case .outside: ("([\"", "\"])")
        }
      text += "  n\(number)\(frame.0)\(label)\(frame.1)\n"
    }
    for (edge, count) in ordered {
      let arrow =
        switch edge.outcome {
        case .allowed: "-->"
        case .encrypted: "-.->"
        case .blocked: "-.-x"
        }
      text += "  n\(edge.from) \(arrow)|\"\(count) \(edge.outcome.rawValue)\"| n\(edge.to)\n"
    }
    return text + "  classDef unmanaged stroke-dasharray:5 3\n"
  }

  private var ordered: [(key: Edge, value: Int)] {
    edges.sorted {
      ($0.key.from, $0.key.to, $0.key.outcome.rawValue)
        < ($1.key.from, $1.key.to, $1.key.outcome.rawValue)
    }
  }
}
