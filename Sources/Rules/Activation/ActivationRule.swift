/// The condition for offering an extension: `NSExtensionActivationRule`. An extension without a rule is never offered.
package enum ActivationRule: Sendable, Equatable {
  case dictionary(DictionaryRule)
  case predicate(Predicate)
}
