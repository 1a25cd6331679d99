import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the verdicts of `sluice decide` on requests from standard input.
  @Suite struct DecideTests {
    private static let policy = """
      {
        "displayName": "Base",
        "allowedOutboundDataTransferDestinations": "managedApps",
        "apps": [{ "mobileAppIdentifier": { "bundleId": "com.contoso.mail" } }]
      }
      """

    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Self.policy, to: "policy.json")
    }

    private func request(_ id: Int, isManaged: Bool = true) -> String {
      let sender = isManaged ? "com.contoso.mail" : "org.example.mail"
      return """
        {"id":\(id),"sender":{"app":"\(sender)","account":"anna@contoso.com"},\
        "receiver":{"app":"org.example.viewer"}}

        """
    }

    private func decide(_ input: String, ends status: Int32) throws -> Desk.Ended {
      try desk.sluice("decide", "policy.json", input: input, ends: status)
    }

    @Test func `sluice decide answers 10,000 requests in their order`() throws {
      let ended = try decide(
        (1...10_000).map { request($0, isManaged: $0.isMultiple(of: 2)) }.joined(), ends: 0)
      #expect(ended.errors.isEmpty)
      #expect(ended.lines.count == 10_000)
      let starts = (1...10_000).map { id in
        #"{"id":\#(id),"verdict":{"outcome":"\#(id.isMultiple(of: 2) ? "blocked" : "allowed")","#
      }
      #expect(zip(ended.lines, starts).allSatisfy { $0.hasPrefix($1) })
    }

    @Test func `an answer of decide is a line of JSON that cites the policy's line`() throws {
      let ended = try decide(request(1), ends: 0)
      let answer = try ended.json()
      let reason = try #require(answer["verdict"]?["reasons"]?.array?.first)
      #expect(ended.output.hasSuffix("}\n"))
      #expect(reason["rule"]?.string == "sendManagedAppsToUnmanaged")
      #expect(reason["source"]?.string == "policy.json:3")
    }

    @Test func `sluice decide answers the requests before an invalid one, then exits with 2`()
      throws
    {
      let ended = try decide(
        request(1) + request(2) + #"{"id":3,"sneder":1}\#n"# + request(4), ends: 2)
      #expect(ended.lines.map { $0.prefix(7) } == [#"{"id":1"#, #"{"id":2"#])
      #expect(
        ended.errors
          == "-:3:9: error: unknown member `sneder`; did you mean `sender`? [request]\n")
    }

    @Test func `sluice decide skips empty lines but counts them in the line numbers of errors`()
      throws
    {
      let ended = try decide("\n  \n" + request(1) + "\n{}", ends: 2)
      #expect(ended.lines.count == 1)
      #expect(ended.errors == "-:5:1: error: the member `sender` is missing [request]\n")
    }

    @Test func `sluice decide accepts empty input`() throws {
      let ended = try decide("", ends: 0)
      #expect(ended.output.isEmpty && ended.errors.isEmpty)
    }

    @Test func `sluice decide merges several policies`() throws {
      try desk.folder.write(
        Self.policy.replacing("managedApps", with: "none").replacing("Base", with: "Strict"),
        to: "strict.json")
      let ended = try desk.sluice(
        "decide", "policy.json", "strict.json", input: request(1), ends: 0)
      #expect(ended.output.contains(#""decidedBy":"sendNone""#))
    }

    @Test func `sluice decide exits with 2 for an invalid policy before any answer`() throws {
      try desk.folder.write(
        Self.policy.replacing("managedApps", with: "everyone"), to: "policy.json")
      let ended = try decide(request(1), ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.hasPrefix("policy.json:3:46: error: `everyone` is not a value of "))
    }

    @Test func `sluice decide applies an incomplete policy and prints a warning`() throws {
      try desk.folder.write(#"{ "displayName": "Base", "apps": [] }"#, to: "policy.json")
      let ended = try decide(request(1), ends: 0)
      #expect(ended.lines.count == 1)
      #expect(ended.errors.hasPrefix("policy.json:1:26: warning: "))
    }
  }
}
