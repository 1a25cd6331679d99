/// One run of a callback, or of the file itself: a coroutine in the script, and the closures that wait for its end.
final class ScriptTask {
  let pointer: OpaquePointer
  /// Confirms the delivery; nil where there was none, or it is confirmed.
  private var receipt: (() -> Void)?
  private let onEnd: (ScriptValue) -> Void
  /// The bytes with which the script is to be resumed.
  var next: [UInt8]?
  var isAdvancing = false

  init(
    _ pointer: OpaquePointer, onEnd: @escaping (ScriptValue) -> Void = { _ in },
    receipt: (() -> Void)? = nil
  ) {
    self.pointer = pointer
    self.receipt = receipt
    self.onEnd = onEnd
  }

  /// Confirms the delivery, so that its sender goes on.
  func confirm() {
    receipt?()
    receipt = nil
  }

  func end(_ value: ScriptValue) {
    confirm()
    onEnd(value)
  }
}
