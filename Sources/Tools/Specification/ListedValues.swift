internal import Diagnostics

/// The only values that a schema allows.
package struct ListedValues: Sendable {
  package let inOrder: [ConfigurationValue]
  private let all: Set<ConfigurationValue>
  let texts: Vocabulary

  init(_ values: [ConfigurationValue]) {
    inOrder = values
    all = Set(values)
    texts = Vocabulary(values.compactMap(\.text))
  }

  func contains(_ value: ConfigurationValue) -> Bool { all.contains(value) }
}
