import Encodings
import IntuneLint
import Output
import Testing

@Suite struct CodeLintTests {
  @Test func `the API table includes the newest known SDK release`() {
    #expect(APITable.builtIn.newest == SDKVersion("21.7.1"))
  }

  @Test func `SDK versions are compared numerically`() throws {
    #expect(try #require(SDKVersion("9.0.3")) < #require(SDKVersion("10.0")))
    #expect(try #require(SDKVersion("19.7.9")) < #require(SDKVersion("19.7.12")))
    #expect(SDKVersion("20.x") == nil)
    #expect(SDKVersion("") == nil)
  }

  @Test func `findings are sorted by file and position`() throws {
    let text = """
      func f() { IntuneMAMPolicyManager.instance().setProcessIdentity(a)
        IntuneMAMEnrollmentManager.instance().delegate = D() }
      """
    let findings = try Linting.findings(text, text)
    #expect(
      findings.map { "\($0.file):\($0.position?.line ?? 0)" } == [
        "0.swift:1", "0.swift:2", "1.swift:1", "1.swift:2",
      ])
  }

  @Test(arguments: CodeRule.allCases)
  func `the help of each code rule cites an SDK header`(rule: CodeRule) {
    #expect(rule.help.contains("header") || rule.help.contains(".h"))
    #expect(!rule.summary.isEmpty)
  }
}
