import Model

/// An app PIN or passcode. Its description is masked to keep it out of logs.
package struct PIN: Sendable, Hashable, CustomStringConvertible {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { "••••" }

  /// Generates a PIN that the policy accepts and that is not in `previous`.
  package static func accepted(by settings: Settings, previous: [PIN]) -> PIN {
    // In this alphabet, no three adjacent characters are equal or sequential, for any start and
    // length.
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

/// The rules that decide whether a PIN is acceptable.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", PIN type, Simple PIN, minimum PIN length and previous
/// PIN values.
enum PINRules {
  /// Returns the verdict on a new PIN.
  ///
  /// - Parameter previous: The user's earlier PINs, newest first.
  static func verdict(on pin: PIN, _ settings: Settings, previous: [PIN]) -> Verdict {
    var reasons = weaknesses(of: pin, settings)
    if settings.pinCharacterSet == .numeric, !pin.text.allSatisfy(isDigit) {
      reasons.insert(Reason(.pinNotNumeric, .app, .pinCharacterSet), at: 0)
    }
    if previous.prefix(max(0, settings.previousPinBlockCount)).contains(pin) {
      reasons.append(Reason(.pinUsedBefore, .app, .previousPinBlockCount))
    }
    return Verdict(reasons.isEmpty ? [Reason(.pinAccepted, .app, .pinRequired)] : reasons)
  }

  /// Returns the first reason why the current PIN no longer satisfies the policy; nil if it does. If the policy
  /// requires a numeric PIN, a passcode is accepted too, because a publisher's apps share it, even under different
  /// policies.
  static func weakness(of pin: PIN, _ settings: Settings) -> Reason? {
    weaknesses(of: pin, settings).first
  }

  private static func weaknesses(of pin: PIN, _ settings: Settings) -> [Reason] {
    var reasons: [Reason] = []
    if pin.text.count < max(1, settings.minimumPinLength) {
      reasons.append(Reason(.pinTooShort, .app, .minimumPinLength))
    }
    if settings.pinCharacterSet == .alphanumericAndSymbol {
      reasons += composition(of: pin, settings)
    }
    if settings.simplePinBlocked { reasons += sequences(in: pin) }
    return reasons
  }

  /// Returns the reasons why the passcode's characters are not acceptable. A passcode needs a letter or a symbol or, if
  /// simple PINs are blocked, a number, a letter and a symbol.
  private static func composition(of pin: PIN, _ settings: Settings) -> [Reason] {
    let hasNumber = pin.text.contains(where: isDigit)
    let hasLetter = pin.text.contains { $0.isLetter }
    let hasSymbol = pin.text.contains { !isDigit($0) && !$0.isLetter && !$0.isWhitespace }
    if settings.simplePinBlocked, !(hasNumber && hasLetter && hasSymbol) {
      return [Reason(.pinNeedsNumberLetterAndSymbol, .app, .simplePinBlocked)]
    }
    if !hasLetter, !hasSymbol {
      return [Reason(.pinNeedsLetterOrSymbol, .app, .pinCharacterSet)]
    }
    return []
  }

  /// Returns the reasons if the PIN contains a simple sequence of three characters: `111`, `123` or, although
  /// undocumented, `321`.
  private static func sequences(in pin: PIN) -> [Reason] {
    let characters = Array(pin.text)
    let windows = characters.indices.dropLast(2).map { characters[$0...($0 + 2)] }
    var reasons: [Reason] = []
    if windows.contains(where: { Set($0).count == 1 || climbs($0) }) {
      reasons.append(Reason(.pinSimple, .app, .simplePinBlocked))
    }
    if windows.contains(where: { climbs($0.reversed()) }) {
      reasons.append(Reason(.pinDescending, .app, .simplePinBlocked))
    }
    return reasons
  }

  /// Returns whether the characters are consecutive letters or digits in ascending order, such as `123`.
  private static func climbs(_ characters: some Collection<Character>) -> Bool {
    zip(characters, characters.dropFirst()).allSatisfy { first, second in
      guard let from = first.asciiValue, let to = second.asciiValue, to == from + 1 else {
        return false
      }
      return (isDigit(first) && isDigit(second)) || (first.isLetter && second.isLetter)
    }
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }
}
