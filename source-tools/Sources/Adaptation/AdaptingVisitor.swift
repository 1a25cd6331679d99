internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Collects the changes to a file.
final class AdaptingVisitor: SyntaxVisitor {
  let source: ParsedSource
  let declarations: KnownDeclarations
  private(set) var edits: [TextEdit] = []
  private(set) var counts: [Rewriting: Int] = [:]
  private(set) var warnings: [Diagnostic] = []
  private(set) var optionalRequirements: [OptionalRequirement] = []

  init(_ source: ParsedSource, _ declarations: KnownDeclarations) {
    self.source = source
    self.declarations = declarations
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    adapt(node) ? .skipChildren : .visitChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    adaptOutlet(node)
    return .visitChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    adapt(node) ? .skipChildren : .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    adapt(node)
    return .visitChildren
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let module = ImportedModule(node) else { return .skipChildren }
    if let advice = module.advice {
      warn(node, advice, rule: "unknownModule")
    } else if node.path.count > 1, node.importKindSpecifier == nil {
      edit(.submodule, TextEdit(replacing: node.path, with: module.name))
    }
    return .skipChildren
  }

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    adaptPlatform(node)
    return .visitChildren
  }

  override func visit(_ node: SourceFileSyntax) -> SyntaxVisitorContinueKind {
    importCombine(node)
    return .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    checkDrawing(node)
    return .visitChildren
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    adapt(node)
    return .visitChildren
  }

  override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
    if node.name.text == "dynamic" {
      warn(
        node, "`dynamic` has no effect without Objective-C: key-path observers are not notified",
        rule: "dynamicMember")
    }
    return .visitChildren
  }

  /// Warns if a file that imports SwiftUI declares an app, scene, view or view modifier. Only the
  /// first one is reported.
  private func checkDrawing(_ node: StructDeclSyntax) {
    let parents = node.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
    guard importsSwiftUI, !hasDrawing,
      let parent = parents.first(where: { ["App", "Scene", "View", "ViewModifier"].contains($0) })
    else { return }
    hasDrawing = true
    warn(
      node.name,
      "`\(node.name.text)` is a SwiftUI `\(parent)`, and Sluice does not draw: leave out this file",
      rule: "drawing")
  }

  private lazy var importsSwiftUI = source.tree.statements.contains { statement in
    statement.item.as(ImportDeclSyntax.self)?.path.first?.name.text == "SwiftUI"
  }
  private var hasDrawing = false

  func edit(_ kind: Rewriting, _ new: TextEdit...) {
    counts[kind, default: 0] += 1
    edits += new
  }

  func add(_ requirement: OptionalRequirement) { optionalRequirements.append(requirement) }

  func warn(_ node: some SyntaxProtocol, _ message: String, rule: String) {
    warnings.append(source.warning(at: node, message, rule: rule))
  }
}
