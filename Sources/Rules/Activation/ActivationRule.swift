/// When an extension is offered: `NSExtensionActivationRule`. An extension without a rule never is.
package enum ActivationRule: Sendable, Equatable {
  case dictionary(DictionaryRule)
  case predicate(Predicate)
}
