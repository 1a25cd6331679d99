internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// What checks of one file look at.
struct SourceContext {
  let source: ParsedSource
  let types: IntegratedTypes
  let receivers: Receivers
  let table: APITable
  let version: SDKVersion
  /// All nodes of the file, in its order: a walk costs far more than a look at each.
  private let nodes: [Syntax]

  /// The context of `source`.
  init(_ source: ParsedSource, types: IntegratedTypes, table: APITable, version: SDKVersion) {
    self.source = source
    self.types = types
    self.table = table
    self.version = version
    nodes = Nodes.all(Syntax.self, in: source.tree)
    receivers = Receivers(nodes, table)
  }

  /// A finding about `node`.
  func finding(
    _ rule: CodeRule, at node: some SyntaxProtocol, _ message: String, suggestion: String? = nil
  ) -> CodeFinding {
    CodeFinding(
      rule, file: source.file, at: source.position(of: node), message, suggestion: suggestion)
  }

  /// All nodes of a kind in the file, in its order.
  func all<Node: SyntaxProtocol>(_ kind: Node.Type) -> [Node] { nodes.compactMap { $0.as(kind) } }

  /// The delegate protocols that the type around `function` conforms to; none outside of types, and in functions.
  func delegates(of function: FunctionDeclSyntax) -> [String] {
    guard function.parent?.is(MemberBlockItemSyntax.self) == true,
      let type = function.enclosingType
    else { return [] }
    return types.delegates(of: type)
  }
}
