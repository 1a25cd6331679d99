/// A value passed to another thread, used by only one thread at a time.
package struct UncheckedBox<Value>: @unchecked Sendable {
  package let value: Value
  package init(_ value: Value) { self.value = value }
}
