import Model
@testable import Policy
import Testing

/// Tests the PINs that a policy accepts.
struct LaunchPINRulesTests {
  static func rules(
    _ pin: String, previous: [String] = [], _ edit: (inout Settings) -> Void = { _ in }
  ) -> [Rule] {
    var settings = Settings()
    edit(&settings)
    return PINRules.verdict(on: PIN(pin), settings, previous: previous.map { PIN($0) }).rules
  }

  @Test(
    arguments: [
      ("1235", [Rule.pinSimple]), ("1112", [.pinSimple]), ("1122", [.pinAccepted]),
      ("1234", [.pinSimple]), ("9891", [.pinAccepted]), ("4321", [.pinDescending]),
      ("7890", [.pinSimple]), ("8901", [.pinAccepted]), ("1357", [.pinAccepted]),
      ("5123321", [.pinSimple, .pinDescending]), ("12", [.pinAccepted]),
    ])
  func `simple PINs are recognised by three consecutive digits`(pin: String, rules: [Rule]) {
    #expect(Self.rules(pin) { $0.simplePinBlocked = true } == rules)
    #expect(Self.rules(pin) == [.pinAccepted])
  }

  @Test(
    arguments: [
      ("1379", [Rule.pinNeedsLetterOrSymbol]), ("1a79", [.pinAccepted]), ("1!79", [.pinAccepted]),
      ("abcd", [.pinAccepted]), ("13 79", [.pinNeedsLetterOrSymbol]),
    ])
  func `a passcode needs at least one letter or symbol`(pin: String, rules: [Rule]) {
    #expect(Self.rules(pin) { $0.pinCharacterSet = .alphanumericAndSymbol } == rules)
  }

  @Test(
    arguments: [
      ("1a!7", [Rule.pinAccepted]), ("1a79", [.pinNeedsNumberLetterAndSymbol]),
      ("a!bx", [.pinNeedsNumberLetterAndSymbol]), ("1!79", [.pinNeedsNumberLetterAndSymbol]),
      ("abc1!", [.pinSimple]), ("!!!a1", [.pinSimple]), ("cBa1!", [.pinAccepted]),
      ("()*a1", [.pinAccepted]), ("cba1!", [.pinDescending]), ("/01a", [.pinAccepted]),
      ("89:a", [.pinAccepted]), ("@AB1", [.pinAccepted]), ("yz{1", [.pinAccepted]),
    ])
  func `if simple PINs are blocked, a passcode needs a digit, a letter and a symbol`(
    pin: String, rules: [Rule]
  ) {
    let found = Self.rules(pin) {
      $0.pinCharacterSet = .alphanumericAndSymbol
      $0.simplePinBlocked = true
    }
    #expect(found == rules)
  }

  @Test(arguments: [Settings.PINCharacters.numeric, .alphanumericAndSymbol], [0, 4, 6, 9])
  func `a generated PIN is accepted after any earlier PINs`(
    characters: Settings.PINCharacters, minimum: Int
  ) {
    var settings = Settings()
    settings.pinCharacterSet = characters
    settings.minimumPinLength = minimum
    settings.simplePinBlocked = true
    settings.previousPinBlockCount = 24
    var previous: [PIN] = []
    for _ in 0..<24 {
      let pin = PIN.accepted(by: settings, previous: previous)
      #expect(PINRules.verdict(on: pin, settings, previous: previous).rules == [.pinAccepted])
      previous.insert(pin, at: 0)
    }
  }

  @Test func `the first generated PIN is 2580`() {
    #expect(PIN.accepted(by: Settings(), previous: []) == PIN("2580"))
  }

  @Test func `a numeric PIN consists of ASCII digits`() {
    #expect(Self.rules("13a9") == [.pinNotNumeric])
    #expect(Self.rules("١٢٣٤") == [.pinNotNumeric])
  }

  @Test func `a PIN shorter than the minimum length is rejected, and so is an empty PIN`() {
    #expect(Self.rules("1379") { $0.minimumPinLength = 4 } == [.pinAccepted])
    #expect(Self.rules("137") { $0.minimumPinLength = 4 } == [.pinTooShort])
    #expect(Self.rules("") == [.pinTooShort])
  }

  @Test func `recent PINs cannot be reused`() {
    let previous = ["1111", "2222", "3333"]
    #expect(
      Self.rules("2222", previous: previous) { $0.previousPinBlockCount = 2 } == [.pinUsedBefore])
    #expect(
      Self.rules("3333", previous: previous) { $0.previousPinBlockCount = 2 } == [.pinAccepted])
    #expect(Self.rules("1111", previous: previous) == [.pinAccepted])
  }

  @Test func `the current PIN counts as the most recently used PIN`() {
    let access = AccessState(current: .init(PIN("1379"), setAt: 0), earlierPINs: [PIN("2468")])
    func rules(_ pin: String, count: Int, hasSignedIn: Bool = true) -> [Rule] {
      let policy = Fixtures.policy { $0.previousPinBlockCount = count }
      return evaluatePINChange(
        PINChange(policy: policy, pin: PIN(pin), hasSignedIn: hasSignedIn, access: access)
      ).rules
    }
    #expect(rules("1379", count: 1) == [.pinUsedBefore])
    #expect(rules("2468", count: 1) == [.pinAccepted])
    #expect(rules("2468", count: 2) == [.pinUsedBefore])
    #expect(rules("9999", count: 0, hasSignedIn: false) == [.pinChangeNeedsSignIn])
  }

  @Test func `an unmanaged account may set any PIN`() {
    let change = PINChange(policy: nil, pin: PIN(""), hasSignedIn: false, access: AccessState())
    #expect(evaluatePINChange(change).rules == [.noRuleApplied])
  }

  @Test func `a PIN is never printed`() {
    #expect(!"\(PIN("1379"))".contains("1379"))
    #expect(!String(reflecting: PIN("1379")).contains("1379"))
    #expect(!"\(LaunchFixtures.access("1379"))".contains("1379"))
  }
}
