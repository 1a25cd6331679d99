import JSON
import Simulation
import Testing

/// Requests and the verdicts on them.
@Suite struct DeciderTests {
  private static let mail = #""sender":{"app":"com.contoso.mail","account":"anna@contoso.com"}"#
  private static let open =
    #""sender":{"app":"com.contoso.mail","account":"anna@contoso.com","policy":"Open"}"#
  private static let viewer = #""receiver":{"app":"org.example.viewer"}"#
  private static let notes =
    #""receiver":{"app":"com.contoso.notes","account":"anna@contoso.com"}"#

  struct Request: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var members: [String]
    var verdict: String
    var rule: String

    init(_ name: String, _ members: String..., verdict: String, by rule: String) {
      testDescription = name
      self.members = members
      self.verdict = verdict
      self.rule = rule
    }

    var line: String { "{\(members.joined(separator: ","))}" }
  }

  static let requests = [
    Request(
      "org data to an unmanaged app", mail, viewer,
      verdict: "blocked", by: "sendManagedAppsToUnmanaged"),
    Request(
      "org data to a managed app", mail, notes,
      verdict: "allowed", by: "sendManagedAppsToManaged"),
    Request(
      "through the system", mail, viewer, #""via":"os""#,
      verdict: "encrypted", by: "sendManagedAppsEncrypts"),
    Request(
      "between apps without policy", #""sender":{"app":"a"}"#, viewer,
      verdict: "allowed", by: "noRuleApplied"),
    Request(
      "an app that no policy targets",
      #""sender":{"app":"com.contoso.other","account":"anna@contoso.com"}"#, viewer,
      verdict: "allowed", by: "noRuleApplied"),
    Request(
      "one that the request calls managed",
      #""sender":{"app":"com.contoso.other","account":"anna@contoso.com","managed":true}"#,
      viewer, verdict: "blocked", by: "sendManagedAppsToUnmanaged"),
    Request(
      "one that the request calls unmanaged",
      #""sender":{"app":"com.contoso.mail","account":"anna@contoso.com","managed":false}"#,
      viewer, verdict: "allowed", by: "noRuleApplied"),
    Request(
      "under a policy that the request names",
      #""sender":{"app":"com.contoso.mail","account":"anna@contoso.com","policy":"Open"}"#,
      viewer, verdict: "allowed", by: "sendAllApps"),
    Request(
      "the unknown account", #""sender":{"app":"com.contoso.mail","account":""}"#, viewer,
      verdict: "allowed", by: "noRuleApplied"),
    Request(
      "data of another owner", #""sender":{"app":"com.contoso.mail","account":"me@example.org"}"#,
      #""owner":{"account":"anna@contoso.com"}"#, viewer,
      verdict: "blocked", by: "sendManagedAppsToUnmanaged"),
    Request(
      "from an unmanaged app", #""sender":{"app":"org.example.viewer"}"#, notes,
      verdict: "blocked", by: "receiveManagedAppsFromUnmanaged"),
    Request(
      "a paste", mail, viewer, #""channel":"clipboard""#,
      verdict: "blocked", by: "clipboardManagedAppsToUnmanaged"),
    Request(
      "a paste of a few characters", mail, viewer, #""channel":"clipboard","text":"Room 12b""#,
      verdict: "allowed", by: "clipboardException"),
    Request(
      "a paste of a few too many", mail, viewer, #""channel":"clipboard","text":"Room 12bc""#,
      verdict: "blocked", by: "clipboardManagedAppsToUnmanaged"),
    Request(
      "characters that are counted rather than shown", mail, viewer,
      #""channel":"clipboard","characters":8"#, verdict: "allowed", by: "clipboardException"),
    Request(
      "characters as people see them count as they are encoded", mail, viewer,
      #""channel":"clipboard","text":"👩‍👩‍👧‍👦👩‍👩‍👧‍👦""#,
      verdict: "blocked", by: "clipboardManagedAppsToUnmanaged"),
    Request(
      "a URL with an exempt scheme", mail, #""channel":"openURL","url":"SKYPE:bob""#,
      verdict: "allowed", by: "exemptedScheme"),
    Request(
      "a URL with another", mail, #""channel":"openURL","url":"zoomus:112""#,
      verdict: "blocked", by: "unmanagedScheme"),
    Request(
      "a phone number", mail, #""channel":"openURL","url":"tel:112""#,
      verdict: "allowed", by: "dialerAnyApp"),
    Request(
      "a phone number for the dialer that the policy names", open,
      #""receiver":{"app":"a","schemes":["Call"]}"#,
      #""channel":"openURL","url":"tel:112""#, verdict: "allowed", by: "dialerSpecificApp"),
    Request(
      "a phone number for another dialer", open,
      #""receiver":{"app":"a","schemes":["tel","chat"]}"#,
      #""channel":"openURL","url":"tel:112""#, verdict: "blocked", by: "dialerOtherApp"),
    Request(
      "a phone number for an app of which nothing is known", open, viewer,
      #""channel":"openURL","url":"telprompt:112""#, verdict: "blocked", by: "dialerOtherApp"),
    Request(
      "null as if it were left out", mail, viewer,
      #""owner":null,"via":null,"device":null,"id":null"#,
      verdict: "blocked", by: "sendManagedAppsToUnmanaged"),
  ]

  @Test(arguments: requests) func `a request has one verdict`(request: Request) throws {
    let answer = try Decisions.answer(request.line)
    #expect(answer["verdict"]?["outcome"]?.string == request.verdict)
    #expect(answer["verdict"]?["decidedBy"]?.string == request.rule)
    #expect(answer["verdict"]?["reasons"]?.array?.isEmpty == false)
  }

  @Test(arguments: [#""seven""#, "7", "-7.50e3", #""\u00e9\n""#])
  func `an answer has the name of its request`(id: String) throws {
    let request = Self.requests[0].members.joined(separator: ",")
    let answer = try Decisions.answer("{\(request),\"id\":\(id)}")
    let expected = try JSONReader.read(id)
    #expect(answer["id"]?.string == expected.string)
    #expect(answer.members?.map(\.name) == ["id", "verdict"])
  }

  @Test func `an answer to a request without name has none`() throws {
    let answer = try Decisions.answer(Self.requests[0].line)
    #expect(answer.members?.map(\.name) == ["verdict"])
  }

  @Test func `a number keeps its spelling`() throws {
    var decider = try Decisions.decider()
    let line = "{\(Self.mail),\(Self.viewer),\"id\":1.50E+03}"
    let answer = String(decoding: try decider.answer(line, number: 1), as: UTF8.self)
    #expect(answer.hasPrefix(#"{"id":1.50E+03,"verdict":"#))
    #expect(answer.hasSuffix("}\n"))
  }

  @Test func `a reason cites the file and line that state it`() throws {
    let answer = try Decisions.answer(Self.requests[0].line)
    #expect(answer["verdict"]?["reasons"]?.array?.first?["source"]?.string == "policies.json:5")
  }

  @Test func `a decider gives the same answer whatever it was asked before`() throws {
    var decider = try Decisions.decider()
    let once = try Self.requests.map { try decider.answer($0.line, number: 1) }
    let again = try Self.requests.reversed().map { try decider.answer($0.line, number: 1) }
    #expect(once == again.reversed())
  }
}
