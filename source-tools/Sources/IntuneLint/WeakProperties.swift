internal import SwiftSources
internal import SwiftSyntax

/// The weak properties whose initial value is a new object. Nothing retains this object. An example
/// is `weak var delegate = Delegate()`.
struct WeakProperties {
  /// The qualified names, such as `Type.property`.
  private var names: Set<String> = []

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

  /// Returns whether an expression refers to one of the properties. It may begin with `self.`.
  func hold(_ value: ExprSyntax) -> Bool {
    let text = value.trimmedDescription
    let name = text.hasPrefix("self.") ? String(text.dropFirst(5)) : text
    return names.contains("\(value.enclosingType ?? "").\(name)")
  }
}
