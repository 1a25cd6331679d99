extension PIN {
  /// A PIN that a policy accepts, other than `previous`: the choice of a user who knows the rules.
  public static func accepted(by settings: Settings, previous: [PIN]) -> PIN {
    // No three neighbours are alike or in sequence, wherever one begins and however long one goes on.
    let alphabet = Array(settings.pinCharacterSet == .numeric ? "2580" : "b2#8")
    let length = max(alphabet.count, settings.minimumPinLength)
    var attempt = 0
    while true {
      let count = length + attempt / alphabet.count
      let pin = PIN(String((0..<count).map { alphabet[(attempt + $0) % alphabet.count] }))
      if !previous.contains(pin) { return pin }
      attempt += 1
    }
  }
}
