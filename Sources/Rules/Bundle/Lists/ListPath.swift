/// A step down into a property list.
package enum ListStep: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case key(String)
  case index(Int)

  package init(stringLiteral key: String) { self = .key(key) }

  package init(integerLiteral index: Int) { self = .index(index) }
}

/// The way to a value, from the top.
package typealias ListPath = [ListStep]

extension Array<ListStep> {
  /// `NSExtension > NSExtensionAttributes`.
  var text: String {
    map { step in
      switch step {
      case .key(let key): key
      case .index(let index): "item \(index)"
      }
    }.joined(separator: " > ")
  }
}
