/// A value that is passed to another thread. Only one thread at a time uses it.
package struct UncheckedBox<Value>: @unchecked Sendable {
  package let value: Value
  package init(_ value: Value) { self.value = value }
}
