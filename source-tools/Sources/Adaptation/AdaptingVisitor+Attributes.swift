internal import SwiftSources
internal import SwiftSyntax

extension AdaptingVisitor {
  /// Attributes that only affect Objective-C or Interface Builder.
  private static let removed: Set<String> = [
    "objc", "objcMembers", "nonobjc", "IBAction", "IBOutlet", "IBInspectable", "IBDesignable",
    "IBSegueAction", "GKInspectable",
  ]

  /// Removes or replaces an attribute.
  ///
  /// - Returns: Whether it is an Objective-C attribute.
  func adapt(_ node: AttributeSyntax) -> Bool {
    let name = node.attributeName.trimmedDescription
    switch name {
    case _ where Self.removed.contains(name):
      edit(.attribute, TextEdit(removingWithSpaces: node))
    case "UIApplicationMain", "NSApplicationMain":
      edit(.entryPoint, TextEdit(replacing: node, with: "@main"))
      checkEntry(node)
    case "main":
      checkEntry(node)
      return false
    case "NSManaged":
      warn(
        node, "`@NSManaged` needs Core Data, which implements the property at run time",
        rule: "managedProperty")
    case "convention" where node.arguments?.trimmedDescription.hasPrefix("block") == true:
      warn(node, "`@convention(block)` needs Objective-C blocks", rule: "block")
    default:  // open: any other name
      return false
    }
    return true
  }

  /// Reports an entry point, unless its file is the first one with an entry point.
  private func checkEntry(_ node: AttributeSyntax) {
    guard let first = declarations.entries.first, first != source.file else { return }
    warn(
      node, "`\(first)` also has an entry point: leave out one of the two files",
      rule: "secondEntry")
  }
}

extension TextEdit {
  /// Removes `node`, and the spaces between it and the rest of its line.
  fileprivate init(removingWithSpaces node: some SyntaxProtocol) {
    let edit = TextEdit(replacing: node, with: "")
    var end = edit.range.upperBound
    loop: for piece in node.trailingTrivia {
      switch piece {
      case .spaces, .tabs: end += piece.sourceLength.utf8Length
      default:  // open: any other piece
        break loop
      }
    }
    self.init(edit.range.lowerBound..<end, "")
  }
}
