internal import SwiftSources
internal import SwiftSyntax

extension AdaptingVisitor {
  /// Attributes that only affect Objective-C or Interface Builder.
  private static let removed: Set<String> = [
    "objc", "objcMembers", "nonobjc", "IBAction", "IBOutlet", "IBInspectable", "IBDesignable",
    "IBSegueAction", "GKInspectable",
  ]

  /// Removes or replaces an attribute, or warns about it.
  ///
  /// - Returns: Whether the attribute is specific to Objective-C or to Apple's frameworks.
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

  /// Gives an outlet a view of its own, because no storyboard connects it. Outlets of classes other than ``views``
  /// remain nil.
  ///
  /// For example, `@IBOutlet weak var label: UILabel!` becomes `var label: UILabel! = UILabel()`.
  func adaptOutlet(_ node: VariableDeclSyntax) {
    guard
      node.attributes.contains(where: {
        $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "IBOutlet"
      }),
      node.bindings.count == 1, let binding = node.bindings.first, binding.initializer == nil,
      binding.accessorBlock == nil,
      let type = binding.typeAnnotation?.type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self),
      Self.views.contains(type.wrappedType.trimmedDescription)
    else { return }
    let value = TextEdit(after: type, " = \(type.wrappedType.trimmedDescription)()")
    if let weak = node.modifiers.first(where: { $0.name.text == "weak" }) {
      edit(.outlet, TextEdit(removingWithSpaces: weak), value)
    } else {
      edit(.outlet, value)
    }
  }

  /// The classes of `ios-modules` whose outlets get a view.
  private static let views: Set<String> = [
    "UIActivityIndicatorView", "UIButton", "UIControl", "UIImageView", "UILabel", "UINavigationBar",
    "UITextField", "UITextView", "UIView",
  ]

  /// Warns about an entry point if another file already has one. That file is the first of
  /// ``KnownDeclarations/entries``.
  private func checkEntry(_ node: AttributeSyntax) {
    guard let first = declarations.entries.first, first != source.file else { return }
    warn(
      node, "`\(first)` also has an entry point: leave out one of the two files",
      rule: "secondEntry")
  }
}

extension TextEdit {
  /// Removes `node` and the spaces that follow it on its line.
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
