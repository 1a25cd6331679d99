import Encodings
import Model
import Replay
import Testing

/// Tests the coverage of apps' code by calls of the SDK.
struct CodeCoverageTests {
  private static let handled = """
    [{"declaration":"enrollmentRequest(with:)","file":"Delegate.swift","line":7},
     {"declaration":"newPoliciesReceived","file":"Delegate.swift","line":10},
     {"declaration":"noPolicyReceived","file":"Delegate.swift","line":10},
     {"declaration":"IntuneMAMPolicyDidChange","file":"A.swift","line":2},
     {"declaration":"IntuneMAMPolicyDidChange","file":"B.swift","line":3},
     {"declaration":"IntuneMAMPolicyDidChange","file":"B.swift","line":3},
     {"declaration":"IntuneMAMAllowedAccountsDidChange","file":"B.swift","line":4},
     {"declaration":"wipeData(forAccountId:)","file":"Policy.swift","line":5},
     {"declaration":"addAccountId(_:completionHandler:)","file":"Policy.swift","line":9}]
    """

  private static let events: [JournalEvent.Kind] = [
    .guestStarted(guest: "mail", app: "com.contoso.mail", team: nil), .guestReady(guest: "mail"),
    .guestStarted(guest: "notes", app: "com.contoso.notes", team: nil), .guestReady(guest: "notes"),
    .accountEnrolled(app: "com.contoso.mail", account: "anna", policies: ["Base"]),
    .enrollmentAnswered(
      app: "com.contoso.mail", account: "anna", request: "enrollment", status: .newPoliciesReceived),
    .enrollmentAnswered(
      app: "com.contoso.mail", account: "anna", request: "policy", status: .policiesHaveNotChanged),
    .enrollmentAnswered(
      app: "com.contoso.notes", account: "anna", request: "enrollment", status: .noPolicyReceived),
    .delegateAsked(guest: "mail", call: "add", account: "anna", isAccepted: true),
    .delegateAsked(guest: "other", call: "restart", account: "anna", isAccepted: true),
  ]

  private func coverage(
    of apps: [String] = ["com.contoso.mail"], cases: Int = 1
  ) throws -> CodeCoverage {
    var coverage = CodeCoverage(of: apps, handling: try JSONReader.read(Self.handled))
    for _ in 0..<cases {
      coverage.add(
        Self.events.enumerated().map { JournalEvent(sequence: $0 + 1, time: 0, kind: $1) })
    }
    return coverage
  }

  @Test func `the coverage text lists each SDK call, made or handled, with its code positions`()
    throws
  {
    #expect(
      try coverage().text == """
        Calls of the SDK that the code handles: 4 of 7 were made
          enrollmentRequest(with:)            made 1  Delegate.swift:7
          policyRequest(with:)                made 1  not handled
          wipeData(forAccountId:)             never   Policy.swift:5
          addAccountId(_:completionHandler:)  made 1  Policy.swift:9
          IntuneMAMPolicyDidChange            made 1  A.swift:2, B.swift:3
          IntuneMAMAllowedAccountsDidChange   never   B.swift:4
          newPoliciesReceived                 made 1  Delegate.swift:10
          policiesHaveNotChanged              made 1  not handled
          noPolicyReceived                    never   Delegate.swift:10
        Neither handled nor made: unenrollRequest(with:), \
        accountId(_:hasComplianceStatus:withErrorMessage:andErrorTitle:), restartApplication(), \
        blockAccountId(_:reason:completionHandler:), \
        identitySwitchRequired(forAccountId:reason:completionHandler:), IntuneMAMWipeDidComplete, \
        IntuneMAMDataProtectionDidChange, IntuneMAMAppConfigDidChange

        """)
  }

  @Test func `coverage counts SDK calls in all cases and apps together`() throws {
    let text = try coverage(of: ["com.contoso.mail", "com.contoso.notes"], cases: 2).text
    #expect(text.hasPrefix("Calls of the SDK that the code handles: 5 of 7 were made\n"))
    #expect(text.contains("noPolicyReceived                    made 2  Delegate.swift:10\n"))
    // The journal does not have the start of the guest `other`, whose app is therefore unknown.
    #expect(text.contains("restartApplication(), "))
  }

  @Test func `coverage counts only SDK calls to apps that run the code`() throws {
    let text = try coverage(of: []).text
    #expect(text.hasPrefix("Calls of the SDK that the code handles: 0 of 7 were made\n"))
  }

  @Test func `coverage JSON lists all delegate methods and notifications`() throws {
    var writer = JSONWriter()
    try writer.object(coverage().write)
    let calls = try #require(try JSONReader.read(writer.text)["calls"]?.array)
    let names = calls.compactMap { $0["name"]?.string }
    #expect(Set(names).isSuperset(of: SDKCall.declarations))
    let change = try #require(calls.first { $0["name"]?.string == "IntuneMAMPolicyDidChange" })
    #expect(change["count"]?.int == 1)
    #expect(change["handled"]?.array?.compactMap { $0["line"]?.int } == [2, 3])
    let wipe = try #require(calls.first { $0["name"]?.string == "IntuneMAMWipeDidComplete" })
    #expect(wipe["count"]?.int == 0 && wipe["handled"]?.array?.isEmpty == true)
    let accounts = calls.first { $0["name"]?.string == "IntuneMAMAllowedAccountsDidChange" }
    #expect(accounts?["count"]?.int == 0 && accounts?["handled"]?.array?.count == 1)
  }

  @Test func `coverage lists the policies that took part in no decision`() throws {
    var coverage = Coverage(of: ["Base", "Strict", "Open"])
    #expect(
      coverage.text.contains(
        "\nPolicies: 0 of 3 took part in a decision; these did not: Base, Open, Strict\n"))
    coverage.add([
      JournalEvent(
        sequence: 1, time: 0,
        kind: .policyStated(
          policy: "1", documents: ["Base", "Strict"], settings: RecordedObject(json: "{}")))
    ])
    #expect(
      coverage.text.contains(
        "\nPolicies: 2 of 3 took part in a decision; these did not: Open\n"))
    let policies = try JSONReader.read(coverage.json)["policies"]?.array ?? []
    #expect(policies.compactMap { $0["name"]?.string } == ["Base", "Open", "Strict"])
    #expect(policies.compactMap { $0["tookPart"]?.bool } == [true, false, true])
    #expect(!Coverage().text.contains("Policies:"))
  }

  @Test func `coverage survives a round trip through JSON`() throws {
    let coverage = try coverage(cases: 0)
    let facts = JSONWriter.objectLine(coverage.writeMembers)
    #expect(CodeCoverage(try JSONReader.read(facts)) == coverage)
  }
}
