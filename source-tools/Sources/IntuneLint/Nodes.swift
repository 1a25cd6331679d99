internal import SwiftSyntax

/// The nodes of a kind in a tree.
enum Nodes {
  /// The nodes below `root`, and itself, in the order of the text.
  ///
  /// - Parameter isLeftOut: the nodes below which is not looked.
  static func all<Node: SyntaxProtocol>(
    _: Node.Type, in root: some SyntaxProtocol,
    leavingOut isLeftOut: (Syntax) -> Bool = { _ in false }
  ) -> [Node] {
    var found: [Node] = []
    var rest: [Syntax] = [Syntax(root)]
    while let node = rest.popLast() {
      if let match = node.as(Node.self) { found.append(match) }
      guard node.id == Syntax(root).id || !isLeftOut(node) else { continue }
      // Walking backwards, or counting first, takes several times as long.
      let start = rest.count
      for child in node.children(viewMode: .sourceAccurate) { rest.append(child) }
      rest[start...].reverse()
    }
    return found
  }

  /// Whether the code of `node` runs at another time than the code around it: closures and functions.
  static func isLater(_ node: Syntax) -> Bool {
    node.is(ClosureExprSyntax.self) || node.is(FunctionDeclSyntax.self)
      || node.isProtocol((any DeclGroupSyntax).self)
  }
}
