internal import Model

/// A fault whose point has been reached, and the transfer that has reached it.
struct Strike {
  let effect: Fault.Effect
  let point: FaultPoint
  let sender: Guest
  let receiver: Guest
  /// The guest that is hit; nil: none.
  let target: Guest?

  /// The end of the transfer that is not hit; nil where none is.
  var witness: Guest? {
    guard let target else { return nil }
    let other = target === sender ? receiver : sender
    return other === target ? nil : other
  }
}
