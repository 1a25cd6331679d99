/// A value that is passed to another thread. Only one thread uses it at a time.
package struct UncheckedBox<Value>: @unchecked Sendable {
  package let value: Value
  package init(_ value: Value) { self.value = value }
}
