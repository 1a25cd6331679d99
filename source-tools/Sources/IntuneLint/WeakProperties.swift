internal import SwiftSources
internal import SwiftSyntax

/// Weak properties that are given a new object, which nobody keeps: `weak var delegate = Delegate()`.
struct WeakProperties {
  /// The names, behind the name of their type and a dot.
  private var names: Set<String> = []

  /// The properties of a file.
  init(_ context: SourceContext) {
    for variable in context.all(VariableDeclSyntax.self)
    where variable.parent?.is(MemberBlockItemSyntax.self) == true
      && variable.modifiers.contains(where: { $0.name.text == "weak" })
    {
      for binding in variable.bindings
      where LostDelegateCheck.isMade(by: binding.initializer?.value) {
        names.insert("\(variable.enclosingType ?? "").\(binding.pattern.trimmedDescription)")
      }
    }
  }

  /// Whether an expression is one of the properties, by its name or behind `self`.
  func hold(_ value: ExprSyntax) -> Bool {
    let text = value.trimmedDescription
    let name = text.hasPrefix("self.") ? String(text.dropFirst(5)) : text
    return names.contains("\(value.enclosingType ?? "").\(name)")
  }
}
