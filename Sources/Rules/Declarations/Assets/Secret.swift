/// A value that no description, dump or interpolation shows.
package struct Secret<Value: Sendable & Hashable>: Sendable, Hashable {
  package var value: Value

  /// Hides `value`.
  package init(_ value: Value) { self.value = value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(hidden)" }

  package var debugDescription: String { description }

  package var customMirror: Mirror { Mirror(self, children: []) }
}
