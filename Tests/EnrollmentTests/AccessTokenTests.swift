import Encodings
import Enrollment
import Model
import Testing

/// Tests the decisions on requests for tokens: the rules of each policy, and the conditions that they cite.
@Suite struct TokenDecisionTests {
  private static let anna = Account(
    upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
    tenantID: "contoso.com")

  /// A policy, and the rules of a decision on a token for Microsoft Graph, each with its conditions.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var state = "enabled"
    var users = #"{"includeUsers": ["All"]}"#
    var applications = #"{"includeApplications": ["All"]}"#
    var platforms = "null"
    var more = ""
    let grounds: [(rule: Rule, conditions: [String])]

    init(_ name: String, grounds: [(rule: Rule, conditions: [String])]) {
      testDescription = name
      self.grounds = grounds
    }

    func with<Value>(_ path: WritableKeyPath<Row, Value>, _ value: Value) -> Row {
      var row = self
      row[keyPath: path] = value
      return row
    }

    /// Returns the same row for a policy that reports its result only.
    var reported: Row { with(\.state, "enabledForReportingButNotEnforced") }
  }

  /// Whether this resource is Microsoft Graph is unknown.
  private static let office = #"{"includeApplications": ["Office365"]}"#
  private static let inGroup = #"{"includeUsers": [], "includeGroups": ["g"]}"#
  private static let outsideGroup = #"{"includeUsers": ["All"], "excludeGroups": ["g"]}"#
  private static let risk = #", "signInRiskLevels": ["high"]"#

  private static let rows = [
    Row("a policy that applies blocks", grounds: [(.conditionalAccessBlocks, [])]),
    Row(
      "a condition that is not simulated is assumed to be met",
      grounds: [(.conditionalAccessBlocks, []), (.conditionTakenAsMet, ["signInRiskLevels"])]
    ).with(\.more, risk),
    Row("a policy for another platform does not apply", grounds: [(.tokenUnconditional, [])])
      .with(\.platforms, #"{"includePlatforms": ["android"]}"#),
    Row(
      "a policy for resources that may include this one is assumed not to",
      grounds: [(.conditionTakenAsNotMet, ["includeApplications"])]
    ).with(\.applications, office),
    Row(
      "an account is assumed to be in no group, regardless of the other conditions",
      grounds: [(.tokenUnconditional, []), (.conditionTakenAsNotMet, ["includeGroups"])]
    ).with(\.users, inGroup).with(\.more, risk),
    Row(
      "no group excludes a named account, and the other conditions are assumed to be met",
      grounds: [
        (.conditionalAccessBlocks, []),
        (.conditionTakenAsMet, ["excludeGroups", "signInRiskLevels"]),
      ]
    ).with(\.users, outsideGroup).with(\.more, risk),
    Row(
      "a report-only policy that applies is named",
      grounds: [(.tokenUnconditional, []), (.conditionalAccessReports, [])]
    ).reported,
    Row(
      "a report-only policy cites no conditions",
      grounds: [(.tokenUnconditional, []), (.conditionalAccessReports, [])]
    ).reported.with(\.users, outsideGroup).with(\.more, risk),
    Row(
      "a report-only policy for another platform is not named",
      grounds: [(.tokenUnconditional, [])]
    ).reported.with(\.platforms, #"{"includePlatforms": ["android"]}"#),
    Row(
      "a report-only policy for resources that may include this one is not named",
      grounds: [(.tokenUnconditional, [])]
    ).reported.with(\.applications, office),
    Row("a report-only policy for a group is not named", grounds: [(.tokenUnconditional, [])])
      .reported.with(\.users, inGroup),
    Row("a disabled policy is not named", grounds: [(.tokenUnconditional, [])])
      .with(\.state, "disabled").with(\.more, risk),
  ]

  @Test(arguments: rows)
  func `a token decision names the rules and conditions of the conditional access policy`(row: Row)
    throws
  {
    let policy = try ConditionalAccessTests().policy(
      state: row.state, users: row.users, applications: row.applications, platforms: row.platforms,
      more: row.more, grant: #"{"builtInControls": ["block"]}"#)
    let decision = ConditionalAccess([.init(name: "a", policies: [policy])]).decide(
      TokenRequest(account: Self.anna, resource: "https://graph.microsoft.com"))
    #expect(decision.verdict.reasons.map(\.rule) == row.grounds.map(\.rule))
    #expect(decision.grounds.map(\.rule) == row.grounds.map(\.rule))
    #expect(decision.grounds.map(\.conditions) == row.grounds.map(\.conditions))
    for ground in decision.grounds {
      #expect(
        ground.policy?.displayName
          == (ground.rule == .tokenUnconditional ? nil : policy.displayName))
    }
    let isBlocked = row.grounds.contains { $0.rule == .conditionalAccessBlocks }
    #expect(decision.verdict.outcome == (isBlocked ? .blocked : .allowed))
    #expect(decision.status == (isBlocked ? -50000 : 0))
  }
}

/// Tests the JSON of tokens and keys.
@Suite struct AccessTokenTests {
  @Test func `access tokens use base64url without padding`() {
    // The vectors are from RFC 4648, section 10. Two more bytes need the URL-safe alphabet.
    let vectors = [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
      ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
    ]
    for (plain, text) in vectors { #expect(Base64.textForURL(plain.utf8) == text) }
    #expect(Base64.textForURL([0xFB, 0xFF]) == "-_8")
  }

  @Test(arguments: [
    (
      Account(upn: "anna@contoso.com", objectID: "abc", tenantID: "contoso.com"), ["ProtApp", "x"],
      #"""
      {"iss":"https://login.sluice.invalid/contoso.com","aud":"https://graph.microsoft.com",\#
      "sub":"abc","oid":"abc","tid":"contoso.com","upn":"anna@contoso.com",\#
      "appid":"com.contoso.mail","iat":1767225600,"nbf":1767225600,"exp":1767229200,\#
      "xms_cc":["ProtApp","x"]}
      """#
    ),
    (
      Account(upn: "anna@example.org"), [],
      #"""
      {"iss":"https://login.sluice.invalid/consumers","aud":"https://graph.microsoft.com",\#
      "sub":"anna@example.org","upn":"anna@example.org",\#
      "appid":"com.contoso.mail","iat":1767225600,"nbf":1767225600,"exp":1767229200}
      """#
    ),
  ])
  func `a JSON Web Token has a header, the claims of its account and app, and a signature`(
    account: Account, capabilities: [String], claims: String
  ) {
    let token = AccessToken(
      account: account, resource: "https://graph.microsoft.com", client: "com.contoso.mail",
      capabilities: capabilities, issuedAt: 1_767_225_600)
    var input: [UInt8] = []
    let text = token.signed(keyID: "iPhone") { bytes in
      input = bytes
      return [1, 2, 3]
    }
    #expect(text == String(decoding: input, as: UTF8.self) + ".AQID")
    let parts = text.split(separator: ".").map { String(decoding: Self.bytes($0), as: UTF8.self) }
    #expect(parts.count == 3)
    #expect(parts.first == #"{"typ":"JWT","alg":"ES256","kid":"iPhone"}"#)
    #expect(parts.dropFirst().first == claims)
  }

  @Test func `a token key's JSON Web Key contains the coordinates x and y`() {
    let keys = TokenKeySet(keyID: "iPhone", publicKey: [4] + Array(1...64))
    #expect(
      keys.json == #"""
        {"keys":[{"kty":"EC","crv":"P-256","use":"sig","alg":"ES256","kid":"iPhone",\#
        "x":"AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA",\#
        "y":"ISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0-P0A"}]}
        """#)
  }

  /// Decodes the text bit by bit, independently of the product.
  private static func bytes(_ text: Substring) -> [UInt8] {
    let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let bits = text.flatMap { character -> [UInt8] in
      let value = alphabet.firstIndex(of: character) ?? 0
      return (0..<6).map { UInt8(value >> (5 - $0) & 1) }
    }
    return (0..<bits.count / 8).map { byte in
      bits[byte * 8..<byte * 8 + 8].reduce(0) { $0 << 1 | $1 }
    }
  }
}
