import Model
import Policy
import Testing

/// Tests the "Access requirements" at a launch: the PIN, biometrics, the account's credentials, and
/// the state afterwards.
struct LaunchAccessTests {
  typealias F = LaunchFixtures

  static func pin(_ settings: inout Settings) { settings.pinRequired = true }

  static func rules(
    _ offer: AccessOffer = AccessOffer(), _ access: AccessState = F.access(),
    _ edit: (inout Settings) -> Void = { _ in }, device: (inout LaunchRequest) -> Void = { _ in }
  ) -> [Rule] {
    let request = F.request(offering: offer, access: access) {
      pin(&$0)
      edit(&$0)
    }
    return evaluateLaunch(F.with(request, device)).rules
  }

  // MARK: PIN

  @Test func `a launch requires an app PIN to be set and accepts only the right PIN`() {
    #expect(Self.rules(AccessOffer(), AccessState()) == [.pinNotSet])
    #expect(Self.rules() == [.pinAsked])
    #expect(Self.rules(AccessOffer(.pin(PIN("1379")))) == [.pinEntered])
    #expect(Self.rules(AccessOffer(.pin(PIN("1378")))) == [.pinWrong])
  }

  @Test func `signing in with credentials does not replace the app PIN`() {
    #expect(Self.rules(AccessOffer(hasSignedIn: true)) == [.pinAsked])
  }

  @Test(
    arguments: [
      (29 * 60 + 59, Rule.pinRecheckNotDue), (30 * 60, .pinAsked), (-1, .pinAsked),
    ])
  func `within the recheck interval, a launch requests no PIN`(ago: Int, rule: Rule) {
    var access = F.access()
    access.lastUnlock = F.now - ago
    #expect(Self.rules(AccessOffer(), access) { $0.periodOnlineBeforeAccessCheck = 1800 } == [rule])
  }

  @Test func `without a recheck interval, every launch requests the PIN`() {
    #expect(Self.rules(AccessOffer(), F.access(ago: 0)) == [.pinAsked])
  }

  @Test func `a PIN that no longer meets the policy must be changed`() {
    let offer = AccessOffer(.pin(PIN("1379")))
    #expect(Self.rules(offer) { $0.minimumPinLength = 5 } == [.pinOutdated])
    #expect(Self.rules(offer) { $0.pinCharacterSet = .alphanumericAndSymbol } == [.pinOutdated])
    #expect(Self.rules(offer) { $0.simplePinBlocked = true } == [.pinEntered])
    let passcode = AccessOffer(.pin(PIN("k1379")))
    #expect(Self.rules(passcode, F.access("k1379")) == [.pinEntered])
  }

  @Test func `a PIN expires and biometrics time out after a period of one second`() {
    let offer = AccessOffer(.pin(PIN("1379")))
    #expect(Self.rules(offer, F.access(ago: 1)) { $0.periodBeforePinReset = 1 } == [.pinExpired])
    let biometrics = AccessOffer(.biometrics)
    for (ago, rule) in [(0, Rule.biometricsAccepted), (1, .biometricsTimedOut)] {
      let rules = Self.rules(biometrics, F.access(ago: ago)) {
        $0.pinRequiredInsteadOfBiometricTimeout = 1
      } device: {
        $0.device.biometrics = .faceID
      }
      #expect(rules == [rule])
    }
  }

  @Test(arguments: [
    (DevicePosture.Biometrics.touchID, Setting.fingerprintBlocked), (.faceID, .faceIdBlocked),
  ])
  func `the verdict on accepted biometrics cites the setting that could block them`(
    biometrics: DevicePosture.Biometrics, setting: Setting
  ) {
    let request = F.request(offering: AccessOffer(.biometrics), access: F.access(ago: 0)) {
      $0.pinRequired = true
    }
    let verdict = evaluateLaunch(F.with(request) { $0.device.biometrics = biometrics })
    #expect(verdict.reasons == [Reason(.biometricsAccepted, .app, setting)])
  }

  // MARK: Retries

  @Test func `too many wrong PINs reset the PIN or wipe the data, as the policy states`() {
    let wrong = AccessOffer(.pin(PIN("0000")))
    let access = F.access(failedAttempts: 3)
    let edit: (inout Settings) -> Void = { $0.maximumPinRetries = 5 }
    #expect(Self.rules(wrong, access, edit) == [.pinWrong])
    let last = F.access(failedAttempts: 4)
    #expect(Self.rules(wrong, last, edit) == [.pinRetriesExceededResets])
    #expect(Self.rules(AccessOffer(.pin(PIN("1379"))), last, edit) == [.pinEntered])
    let wiping = Self.rules(wrong, last) {
      $0.maximumPinRetries = 5
      $0.appActionIfMaximumPinRetriesExceeded = .wipe
    }
    #expect(wiping == [.pinRetriesExceededWipes])
  }

  @Test func `after too many wrong PINs, only a new PIN is accepted`() {
    var access = F.access()
    let policy = Fixtures.policy {
      $0.pinRequired = true
      $0.maximumPinRetries = 3
    }
    func attempt(_ text: String) -> Verdict {
      let request = F.with(F.request(offering: AccessOffer(.pin(PIN(text))), access: access)) {
        $0.policy = policy
      }
      let verdict = evaluateLaunch(request)
      access.apply(verdict, at: F.now)
      return verdict
    }
    #expect(attempt("0000").rules == [.pinWrong])
    #expect(attempt("0001").rules == [.pinWrong])
    #expect(access.failedAttempts == 2)
    #expect(attempt("0002").launchPrompts == [.newPIN])
    #expect(attempt("1379").rules == [.pinResetRequired])
    let change = PINChange(policy: policy, pin: PIN("2468"), hasSignedIn: true, access: access)
    #expect(evaluatePINChange(change).rules == [.pinAccepted])
    access.set(PIN("2468"), at: F.now)
    #expect(attempt("1379").rules == [.pinWrong])
    #expect(attempt("2468").rules == [.pinEntered])
    #expect(access.failedAttempts == 0)
    #expect(access.earlierPINs == [PIN("1379")])
  }

  @Test func `a wipe for wrong PINs keeps the PIN and resets the timers and the count`() {
    var access = F.access(failedAttempts: 9)
    access.earlierPINs = [PIN("2468")]
    let verdict = Verdict([Reason(.pinRetriesExceededWipes, .app, .maximumPinRetries)])
    let current = access.current
    access.apply(verdict, at: F.now)
    #expect(access == AccessState(current: current, earlierPINs: [PIN("2468")]))
  }

  // MARK: Accounts and releases

  private static let anna = Account(upn: "anna@contoso.com", objectID: "A")
  private static let ben = Account(upn: "ben@contoso.com", objectID: "B")

  /// Returns the account as a user of an app with these managed accounts.
  private static func user(
    _ account: Account, with others: [Account] = [], sdk: Version? = nil
  ) -> PublisherAccess.User {
    PublisherAccess.User(account, among: [account] + others, sdkVersion: sdk)
  }

  @Test func `a PIN belongs to one account and is unaffected by another account's PIN`() {
    var access = PublisherAccess()
    #expect(access.update(Self.user(Self.anna)) { $0.set(PIN("2580"), at: 1) } == 0)
    #expect(access.state(of: Self.user(Self.ben)) == AccessState())
    #expect(access.update(Self.user(Self.ben)) { $0.set(PIN("8025"), at: 2) } == 1)
    #expect(access.state(of: Self.user(Self.anna)).current?.pin == PIN("2580"))
    #expect(access.update(Self.user(Self.anna)) { _ in } == nil)
    #expect(access.entries.map(\.account.upn) == [Self.anna.upn, Self.ben.upn])
  }

  @Test func `accounts of one app share the first PIN until each sets its own`() {
    var access = PublisherAccess()
    let both = Self.user(Self.ben, with: [Self.anna])
    _ = access.update(Self.user(Self.anna, with: [Self.ben])) { $0.set(PIN("2580"), at: 1) }
    #expect(access.state(of: both).current?.pin == PIN("2580"))
    #expect(access.update(both) { $0.failedAttempts = 1 } == 0)
    #expect(access.state(of: Self.user(Self.anna)).failedAttempts == 1)
    #expect(access.state(of: Self.user(Self.ben)) == AccessState())
    _ = access.update(Self.user(Self.ben)) { $0.set(PIN("8025"), at: 2) }
    #expect(access.state(of: both).current?.pin == PIN("8025"))
  }

  @Test func `a PIN is found by its account's object id, even after the account is renamed`() {
    var access = PublisherAccess()
    _ = access.update(Self.user(Self.anna)) { $0.set(PIN("2580"), at: 1) }
    let renamed = Account(upn: "anna.berg@contoso.com", objectID: "a")
    #expect(access.state(of: Self.user(renamed)).current?.pin == PIN("2580"))
    #expect(access.rename(Self.anna, to: renamed) == [0])
    #expect(access.entries.map(\.account.upn) == ["anna.berg@contoso.com"])
    let successor = Account(upn: Self.anna.upn, objectID: "C")
    #expect(access.state(of: Self.user(successor)) == AccessState())
  }

  @Test func `renaming an account to a name with a PIN swaps the two names' PINs`() {
    var access = PublisherAccess()
    let (old, new) = (Account(upn: "anna@contoso.com"), Account(upn: "anna.berg@contoso.com"))
    _ = access.update(Self.user(old)) { $0.set(PIN("2580"), at: 1) }
    _ = access.update(Self.user(new)) { $0.set(PIN("8025"), at: 2) }
    #expect(access.rename(old, to: new) == [0, 1])
    // A restarted device has the same states.
    for access in [access, PublisherAccess(access.entries)] {
      #expect(access.state(of: Self.user(new)).current?.pin == PIN("2580"))
      #expect(access.state(of: Self.user(old)).current?.pin == PIN("8025"))
    }
  }

  @Test(
    arguments: [
      ("7.1.11", "7.1.9", true), ("7.1.11", "7.1.12", false), ("7.1.12", "14.5.9", true),
      ("14.5.9", "14.6", false), ("14.6.0", "21.7.1", true), ("14.6.0", nil, true),
      ("14.5.9", nil, false),
    ])
  func `apps share a PIN if their SDK versions are of the same generation`(
    one: String, other: String?, shares: Bool
  ) {
    var access = PublisherAccess()
    _ = access.update(Self.user(Self.anna, sdk: Version(one))) { $0.set(PIN("2580"), at: 1) }
    let found = access.state(of: Self.user(Self.anna, sdk: other.flatMap { Version($0) }))
    #expect((found.current != nil) == shares)
  }

  // MARK: Biometrics

  @Test(
    arguments: [
      (DevicePosture.Biometrics.none, false, false, Rule.biometricsUnavailable),
      (.touchID, false, true, .biometricsAccepted), (.touchID, true, false, .biometricsBlocked),
      (.faceID, true, false, .biometricsAccepted), (.faceID, false, true, .biometricsBlocked),
    ])
  func `permitted biometrics replace the PIN`(
    kind: DevicePosture.Biometrics, fingerBlocked: Bool, faceBlocked: Bool, rule: Rule
  ) {
    let rules = Self.rules(AccessOffer(.biometrics)) {
      $0.fingerprintBlocked = fingerBlocked
      $0.faceIdBlocked = faceBlocked
    } device: {
      $0.device.biometrics = kind
    }
    #expect(rules == [rule])
  }

  @Test func `biometrics require a PIN to be set`() {
    let rules = Self.rules(AccessOffer(.biometrics), AccessState()) { _ in
    } device: {
      $0.device.biometrics = .faceID
    }
    #expect(rules == [.pinNotSet])
  }

  @Test(
    arguments: [
      (true, true, true, Rule.pinWaived), (true, true, false, .pinAsked),
      (true, false, true, .pinAsked), (false, true, true, .pinAsked),
    ])
  func `a device PIN replaces the app PIN if MDM manages both device and app`(
    hasPIN: Bool, isEnrolled: Bool, hasUPN: Bool, rule: Rule
  ) {
    let rules = Self.rules {
      $0.disableAppPinIfDevicePinIsSet = true
    } device: {
      $0.device.hasPIN = hasPIN
      $0.device.isMDMEnrolled = isEnrolled
      $0.app.hasEnrolledUPN = hasUPN
    }
    #expect(rules == [rule])
  }

  static func rules(
    _ edit: (inout Settings) -> Void, device: (inout LaunchRequest) -> Void
  ) -> [Rule] {
    rules(AccessOffer(), F.access(), edit, device: device)
  }

  // MARK: Credentials

  @Test func `if a policy requires PIN and credentials, the launch requests whichever is missing`()
  {
    func rules(_ offer: AccessOffer) -> [Rule] {
      Self.rules(offer) { $0.organizationalCredentialsRequired = true }
    }
    #expect(rules(AccessOffer()) == [.pinAsked, .credentialsAsked])
    let right = AccessOffer.Unlock.pin(PIN("1379"))
    #expect(rules(AccessOffer(right)) == [.credentialsAsked, .pinEntered])
    #expect(rules(AccessOffer(hasSignedIn: true)) == [.pinAsked, .credentialsGiven])
    #expect(rules(AccessOffer(right, hasSignedIn: true)) == [.pinEntered, .credentialsGiven])
  }

  @Test func `if a policy requires only credentials, they are requested again after the interval`()
  {
    func rules(ago: Int) -> [Rule] {
      let request = F.request(access: AccessState(lastUnlock: F.now, lastSignIn: F.now - ago)) {
        $0.organizationalCredentialsRequired = true
        $0.periodOnlineBeforeAccessCheck = 1800
      }
      return evaluateLaunch(request).rules
    }
    #expect(rules(ago: 1799) == [.credentialsRecheckNotDue])
    #expect(rules(ago: 1800) == [.credentialsAsked])
  }

  // MARK: Timers

  /// A timer of the access requirements, the event that ends it, and the rules before and after its end.
  struct AccessTimer: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var seconds: Int
    var edit: @Sendable (inout Settings, Int) -> Void
    var offer = AccessOffer()
    var running: Rule
    var over: Rule
  }

  static let timers = [
    AccessTimer(
      testDescription: "PIN recheck", seconds: 30 * F.minute,
      edit: {
        $0.pinRequired = true
        $0.periodOnlineBeforeAccessCheck = $1
      }, running: .pinRecheckNotDue, over: .pinAsked),
    AccessTimer(
      testDescription: "credentials recheck", seconds: 30 * F.minute,
      edit: {
        $0.organizationalCredentialsRequired = true
        $0.periodOnlineBeforeAccessCheck = $1
      }, running: .credentialsRecheckNotDue, over: .credentialsAsked),
    AccessTimer(
      testDescription: "PIN reset", seconds: 90 * F.day,
      edit: {
        $0.pinRequired = true
        $0.periodBeforePinReset = $1
      }, offer: AccessOffer(.pin(PIN("1379"))), running: .pinEntered, over: .pinExpired),
    AccessTimer(
      testDescription: "biometrics", seconds: 30 * F.minute,
      edit: {
        $0.pinRequired = true
        $0.pinRequiredInsteadOfBiometricTimeout = $1
      }, offer: AccessOffer(.biometrics), running: .biometricsAccepted, over: .biometricsTimedOut),
  ]

  @Test(arguments: timers)
  func `access timers end at their exact second`(timer: AccessTimer) {
    for (ago, rule) in [
      (timer.seconds - 1, timer.running), (timer.seconds, timer.over),
      (timer.seconds + 1, timer.over),
    ] {
      let request = F.request(offering: timer.offer, access: F.access(ago: ago)) {
        timer.edit(&$0, timer.seconds)
      }
      let rules = evaluateLaunch(F.with(request) { $0.device.biometrics = .faceID }).rules
      #expect(rules == [rule], "after \(ago) seconds")
    }
  }

  // MARK: Inactivity

  @Test func `using one app keeps the publisher's other apps unlocked`() {
    var access = F.access()
    let asking: (inout Settings) -> Void = {
      $0.pinRequired = true
      $0.periodOnlineBeforeAccessCheck = 1800
    }
    let verdict = evaluateLaunch(
      F.request(offering: AccessOffer(.pin(PIN("1379"))), access: access, asking))
    access.apply(verdict, at: F.now)
    access.leaveForeground(after: verdict, at: F.now + 5000)
    let later = F.with(F.request(access: access, asking)) { $0.now = F.now + 6799 }
    #expect(evaluateLaunch(later).rules == [.pinRecheckNotDue])
  }

  @Test func `using an app that requires no PIN does not keep other apps unlocked`() {
    var access = F.access()
    let verdict = evaluateLaunch(F.request(access: access))
    access.apply(verdict, at: F.now)
    access.leaveForeground(after: verdict, at: F.now + 1)
    #expect(access == F.access())
  }

  @Test
  func `if a condition blocks the launch, no PIN is requested and a wrong PIN is not counted`() {
    var access = F.access()
    let verdict = evaluateLaunch(
      F.request(offering: AccessOffer(.pin(PIN("0000"))), access: access) {
        $0.pinRequired = true
        $0.minimumRequiredOsVersion = Version(18)
      })
    #expect(verdict.rules == [.minimumOSVersionBlocks])
    access.apply(verdict, at: F.now)
    #expect(access == F.access())
  }
}
