internal import SwiftSources
internal import SwiftSyntax

extension AdaptingVisitor {
  /// Makes the compiler include the code for an iPhone: `#if os(iOS)` becomes `#if os(Linux)`.
  func adaptPlatform(_ node: IfConfigClauseSyntax) {
    guard let condition = node.condition else { return }
    let tokens = Array(condition.tokens(viewMode: .sourceAccurate))
    for (index, token) in tokens.enumerated().dropFirst(2)
    where token.text == "iOS" && tokens[index - 1].text == "(" && tokens[index - 2].text == "os" {
      edit(.platform, TextEdit(replacing: token, with: "Linux"))
    }
  }

  /// Adds an import of Combine to a file that uses Combine without importing it. On iOS, Foundation re-exports Combine.
  func importCombine(_ node: SourceFileSyntax) {
    let imports = node.statements.compactMap { $0.item.as(ImportDeclSyntax.self) }
    let modules = imports.compactMap { $0.path.first?.name.text }
    guard let first = imports.first, !modules.contains("Combine"), !modules.contains("SwiftUI"),
      node.tokens(viewMode: .sourceAccurate).contains(where: { Self.combine.contains($0.text) })
    else { return }
    edit(.combine, TextEdit(before: first, "import Combine; "))
  }

  /// Types of Combine. A file that uses one of them needs the import.
  private static let combine: Set<String> = [
    "AnyCancellable", "AnyPublisher", "CurrentValueSubject", "ObservableObject",
    "PassthroughSubject", "Published",
  ]
}
