internal import JSON
internal import Policy

/// The JSON in which a device stores what it knows of a publisher's PIN. It contains the PIN: seal it.
extension AccessState {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("pin", current?.pin.text)
      writer.member("setAt", current?.setAt)
      writer.array("earlierPINs") { writer in
        earlierPINs.forEach { writer.string($0.text) }
      }
      writer.member("failedAttempts", failedAttempts)
      writer.member("isResetRequired", isResetRequired)
      writer.member("lastUnlock", lastUnlock)
      writer.member("lastSignIn", lastSignIn)
    }
  }

  /// Reads what ``write(to:)`` wrote; nil for anything else.
  init?(_ json: JSONValue) {
    guard let earlier = json["earlierPINs"]?.array, let failed = json["failedAttempts"]?.int,
      let isResetRequired = json["isResetRequired"]?.bool
    else { return nil }
    var current: CurrentPIN?
    if let pin = json["pin"]?.string, let setAt = json["setAt"]?.int {
      current = CurrentPIN(PIN(pin), setAt: setAt)
    }
    self.init(
      current: current, earlierPINs: earlier.compactMap(\.string).map(PIN.init),
      failedAttempts: failed, isResetRequired: isResetRequired,
      lastUnlock: json["lastUnlock"]?.int, lastSignIn: json["lastSignIn"]?.int)
  }
}
