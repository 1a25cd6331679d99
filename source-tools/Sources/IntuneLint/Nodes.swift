internal import SwiftSyntax

enum Nodes {
  /// Returns the nodes of a kind among `root` and its descendants, in the order of the source.
  ///
  /// - Parameter isLeftOut: Returns whether to skip the descendants of a node.
  static func all<Node: SyntaxProtocol>(
    _: Node.Type, in root: some SyntaxProtocol,
    leavingOut isLeftOut: (Syntax) -> Bool = { _ in false }
  ) -> [Node] {
    var found: [Node] = []
    var rest: [Syntax] = [Syntax(root)]
    while let node = rest.popLast() {
      if let match = node.as(Node.self) { found.append(match) }
      guard node.id == Syntax(root).id || !isLeftOut(node) else { continue }
      // Iterating backwards, or counting first, would be several times slower.
      let start = rest.count
      for child in node.children(viewMode: .sourceAccurate) { rest.append(child) }
      rest[start...].reverse()
    }
    return found
  }

  /// Returns whether `node` is a closure, function or type. Its code runs later than the code around it.
  static func isLater(_ node: Syntax) -> Bool {
    node.is(ClosureExprSyntax.self) || node.is(FunctionDeclSyntax.self)
      || node.isProtocol((any DeclGroupSyntax).self)
  }
}
