/// One run of a callback, or of the file itself: a coroutine in the script, and what waits for its end here.
final class ScriptTask {
  let pointer: OpaquePointer
  /// Confirms what came in; nil where nothing did, or it is confirmed.
  private var receipt: (() -> Void)?
  private let onEnd: (ScriptValue) -> Void
  /// What the script is to be resumed with.
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

  /// Lets the sender of what came in go on.
  func confirm() {
    receipt?()
    receipt = nil
  }

  func end(_ value: ScriptValue) {
    confirm()
    onEnd(value)
  }
}
