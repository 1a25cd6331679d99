internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// The input for checks that examine a single file.
struct SourceContext {
  let source: ParsedSource
  let types: IntegratedTypes
  let receivers: Receivers
  let table: APITable
  let sdk: SDKChoice
  /// All nodes of the file, in the order of the source. They are cached, because a loop over an
  /// array is far faster than a walk through the tree.
  private let nodes: [Syntax]

  init(_ source: ParsedSource, types: IntegratedTypes, table: APITable, sdk: SDKChoice) {
    self.source = source
    self.types = types
    self.table = table
    self.sdk = sdk
    nodes = Nodes.all(Syntax.self, in: source.tree)
    receivers = Receivers(nodes, table)
  }

  var version: SDKVersion { sdk.version }

  func finding(
    _ rule: CodeRule, at node: some SyntaxProtocol, _ message: String, suggestion: String? = nil
  ) -> CodeFinding {
    CodeFinding(
      rule, file: source.file, at: source.position(of: node), message, suggestion: suggestion)
  }

  func all<Node: SyntaxProtocol>(_ kind: Node.Type) -> [Node] { nodes.compactMap { $0.as(kind) } }

  /// Returns the delegate protocols to which the type around `function` conforms. Empty for a free
  /// or nested function.
  func delegates(of function: FunctionDeclSyntax) -> [String] {
    guard function.parent?.is(MemberBlockItemSyntax.self) == true,
      let type = function.enclosingType
    else { return [] }
    return types.delegates(of: type)
  }
}
