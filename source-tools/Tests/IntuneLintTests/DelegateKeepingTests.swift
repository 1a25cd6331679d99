import Encodings
import IntuneLint
import Output
import Testing

@Suite struct DelegateKeepingTests {
  private static let manager = "IntuneMAMEnrollmentManager.instance()"

  @Test(arguments: [
    "MANAGER.registerAndEnrollAccountId(id)\nMANAGER.delegate = self",
    "MANAGER.loginAndEnrollAccount(nil)\nif x { MANAGER.delegate = self }",
    "let m = MANAGER; m.loginAndEnrollAccount(nil)\nm.delegate = kept",
  ])
  func `a delegate set after the enrollment request is reported`(body: String) throws {
    #expect(
      try Linting.codes(inFunction: body.replacing("MANAGER", with: Self.manager))
        == ["delegateSetAfterEnrollment:1"])
  }

  @Test(arguments: [
    "MANAGER.delegate = self\nMANAGER.registerAndEnrollAccountId(id)",
    "MANAGER.delegate = self\nMANAGER.registerAndEnrollAccountId(id)\nMANAGER.delegate = other",
    "if x { MANAGER.registerAndEnrollAccountId(id) } else { MANAGER.delegate = self }",
    "MANAGER.registerAndEnrollAccountId(id)\nIntuneMAMPolicyManager.instance().delegate = self",
    "MANAGER.registerAndEnrollAccountId(id)\nview.delegate = self",
  ])
  func `a delegate set before the enrollment request is not reported`(body: String) throws {
    #expect(try Linting.codes(inFunction: body.replacing("MANAGER", with: Self.manager)) == [])
  }

  @Test(arguments: [
    "MANAGER.delegate = Delegate()", "MANAGER.delegate = Delegate.init(view: self)",
    "MANAGER.delegate = Delegate { _ in }",
    "let d = Delegate(); MANAGER.delegate = d",
    "let d = Delegate(); d.view = self; MANAGER.delegate = d",
    "IntuneMAMComplianceManager.instance().delegate = Delegate()",
    "run { let d = Delegate(); MANAGER.delegate = d }",
  ])
  func `an SDK delegate that no object retains is reported`(body: String) throws {
    #expect(
      try Linting.codes(inFunction: body.replacing("MANAGER", with: Self.manager)) == [
        "delegateLost:1"
      ])
  }

  @Test(arguments: [
    "MANAGER.delegate = self", "MANAGER.delegate = kept", "MANAGER.delegate = nil",
    "MANAGER.delegate = makeDelegate()",
    "let d = Delegate(); kept = d; MANAGER.delegate = d",
    "let d = Delegate(); MANAGER.delegate = d; run { d.go() }",
    "let d = Delegate(); d.register(); MANAGER.delegate = d",
    "let d = self.d; MANAGER.delegate = d",
    "IntuneMAMPolicyManager.instance().delegate = Delegate()", "view.delegate = Delegate()",
    "let d = Delegate.shared; MANAGER.delegate = d", "MANAGER.delegate = Delegate.make()",
  ])
  func `retained delegates are not reported`(body: String) throws {
    #expect(try Linting.codes(inFunction: body.replacing("MANAGER", with: Self.manager)) == [])
  }

  @Test(arguments: [
    ("weak var d: D? = D()", ["delegateLost:2"]), ("var d: D? = D()", []), ("weak var d: D?", []),
  ])
  func `a weak property does not retain a delegate`(property: String, expected: [String]) throws {
    let text = """
      class A { \(property)
        func f() { IntuneMAMPolicyManager.instance().delegate = d } }
      """
    #expect(try Linting.codes(text) == expected)
  }

  @Test(arguments: [
    // Another delegate is set.
    ("IntuneMAMPolicyManager.instance().delegate = d", ["delegateNotSet"]),
    // An enrollment would call it.
    (
      "IntuneMAMEnrollmentManager.instance().registerAndEnrollAccountId(id)", ["delegateNotSet"]
    ),
    ("IntuneMAMEnrollmentManager.instance().delegate = d", []),
    // These files may be a part of the app.
    ("print(d)", []),
  ])
  func `an SDK delegate class that no file sets as a delegate is reported`(
    call: String, expected: [String]
  ) throws {
    let found = try Linting.findings(
      "class D: NSObject, IntuneMAMEnrollmentDelegate { let enrolled = true }",
      "import IntuneMAMSwift\nclass App { let d = D(); func start() { \(call) } }")
    #expect(found.map(\.rule.code) == expected)
    #expect(found.allSatisfy { $0.file == "0.swift" && $0.position?.column == 20 })
  }

  @Test func `a refined delegate protocol is not reported as an unset delegate`() throws {
    let text = """
      protocol Own: IntuneMAMEnrollmentDelegate {}
      func f() { IntuneMAMPolicyManager.instance().delegate = d }
      """
    #expect(try Linting.codes(text) == [])
  }
}
