import IntuneLint
import Output
import Testing

@Suite struct AnswerTests {
  @Test(arguments: [
    "if status.statusCode.rawValue == 999 {}", "if 99 != status.statusCode.rawValue {}",
    "switch s.statusCode.rawValue { case 999: f() default: g() }",
    "_ = IntuneMAMEnrollmentStatusCode(rawValue: 1)",
    "if s.statusCode.rawValue == 203 { f() } // accountNotLicensed",
    "switch s.statusCode.rawValue { case 200: f() // IntuneMAMEnrollmentStatusAuthRequired\n default: g() }",
    "switch Int(s.statusCode.rawValue) { case 999: f() default: g() }",
    "if UInt(s.statusCode.rawValue) == 203 {} // AccountNotLicensed",
    "let code = s.statusCode.rawValue; if code == 999 {}",
    "let code = Int(s.statusCode.rawValue); switch code { case 999: f() default: g() }",
    "if s.statusCode.rawValue == 216 { f() } // IntuneMAMEnrollmentStatusAuthRequired",
  ])
  func `an invalid or mislabeled enrollment status number is found`(body: String) throws {
    #expect(try Linting.codes(inFunction: body) == ["statusCodeMeaning:1"])
  }

  @Test(arguments: [
    "if status.statusCode.rawValue == 203 {}", "if s.statusCode.rawValue >= 300 {}",
    "if response.code.rawValue == 999 {}", "if response.statusCode == 404 {}",
    "if s.statusCode.rawValue == 203 { f() } // authRequired",
    "if s.statusCode.rawValue == 203 { f() } // neither authRequired nor nilAccount",
    "if s.statusCode.rawValue == 100, count == 999 {}",
    "let code = response.statusCode; if code == 404 {}",
    "let code = s.statusCode.rawValue; do { let code = 1; if code == 999 {} }",
    "let code = s.statusCode.rawValue; func g() { if code == 999 {} }",
    "if s.statusCode.rawValue == 203 { f() } // AuthRequired",
    "if f(s.statusCode.rawValue) == 999 {}",
    "if s.statusCode.rawValue == 203 { f() } // after the timeout",
  ])
  func `correct status numbers are not reported`(body: String) throws {
    #expect(try Linting.codes(inFunction: body) == [])
  }

  @Test func `status numbers in a file that does not import the SDK are not reported`() throws {
    #expect(try Linting.codes("func f() { if response.statusCode.rawValue == 404 {} }") == [])
  }

  @Test(arguments: [
    ("return true", true), ("false", true), ("wipe(); return true", true),
    ("if x { return true }; return true", true), ("let ok = true; return ok", true),
    ("return wipe()", false), ("if x { return false }; return true", false),
    ("var ok = true; if x { ok = false }; return ok", false),
    ("var ok = true; wipe(&ok); return ok", false),
    ("return wipe { return true }", false),
    ("do { try wipe(); return true } catch { return false }", false),
  ])
  func `a wipe handler with a constant result is found`(body: String, isFound: Bool) throws {
    let text =
      "class D: IntuneMAMPolicyDelegate { func wipeData(forAccountId a: String) -> Bool { \(body) } }"
    #expect(try Linting.codes(text) == (isFound ? ["wipeAlwaysAnswers:1"] : []))
  }

  @Test(arguments: [
    ("true", true), ("return true", true), ("return false", false), ("save(); return true", false),
    ("return restarter.restart()", false),
  ])
  func `a restart handler that only returns true is found`(body: String, isFound: Bool) throws {
    let text = "class D: IntuneMAMPolicyDelegate { func restartApplication() -> Bool { \(body) } }"
    #expect(try Linting.codes(text) == (isFound ? ["restartNotHandled:1"] : []))
  }

  @Test(arguments: [
    ("let p = IntuneMAMPolicyManager.instance().policy(forAccountId: id)", true),
    ("static var s = IntuneMAMPolicyManager.instance().policy()?.isContactSyncAllowed", true),
    (
      "var s = false\n func g() { s = IntuneMAMPolicyManager.instance().policy()!.isPINRequired }",
      true
    ),
    ("var p: Any? { IntuneMAMPolicyManager.instance().policy() }", false),
    ("func g() { let p = IntuneMAMPolicyManager.instance().policy() }", false),
    ("let p = { IntuneMAMPolicyManager.instance().policy() }", false),
    ("let manager = IntuneMAMPolicyManager.instance()", false),
    ("let s = file.policy()", false),
  ])
  func `lint reports a cached policy value in a type that changes the identity`(
    member: String, isFound: Bool
  ) throws {
    let text = "class A { \(member)\n func f() { SWITCH.setUIPolicyAccountId(id) { _ in } } }"
    let switching = text.replacing("SWITCH", with: "IntuneMAMPolicyManager.instance()")
    #expect(try Linting.findings(switching).map(\.rule) == (isFound ? [.cachedPolicyAnswer] : []))
    #expect(try Linting.codes("class A { \(member) }") == [])
  }

  @Test func `a policy value that is updated at identity changes is not reported`() throws {
    let text = """
      class A { var p: Any?
        func load() { p = IntuneMAMPolicyManager.instance().policy() }
        func change() { IntuneMAMPolicyManager.instance().setUIPolicyAccountId(id) { _ in
          self.p = IntuneMAMPolicyManager.instance().policy() } } }
      """
    #expect(try Linting.codes(text) == [])
  }
}
