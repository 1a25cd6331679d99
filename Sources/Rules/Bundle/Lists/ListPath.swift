/// A step down into a property list.
package enum ListStep: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case key(String)
  case index(Int)

  /// Creates a step to the value of a key.
  package init(stringLiteral key: String) { self = .key(key) }

  /// Creates a step to an element.
  package init(integerLiteral index: Int) { self = .index(index) }
}

/// The path to a value, from the top.
package typealias ListPath = [ListStep]

extension Array<ListStep> {
  /// The path as text: `NSExtension > NSExtensionAttributes`.
  var text: String {
    map { step in
      switch step {
      case .key(let key): key
      case .index(let index): "item \(index)"
      }
    }.joined(separator: " > ")
  }
}
