import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the files that a failing run keeps, and their reproduction of the failure in another
  /// folder.
  @Suite(.timeLimit(.minutes(5))) struct ReproductionTests {
    /// Returns a desk with a scenario that has a failing and a passing case. One of its policies is
    /// in its folder, and the others are elsewhere.
    private static func desk() throws -> (desk: Desk, elsewhere: Workspace) {
      let (desk, elsewhere) = (try Desk(), try Workspace())
      let policy = """
        { "displayName": "P", "allowedOutboundDataTransferDestinations": "managedApps" }
        """
      try desk.folder.makeFolder("team/scenarios")
      try desk.folder.write(policy, to: "team/policy.json")
      try elsewhere.write(policy, to: "more.json")
      try desk.folder.write(
        """
        accounts:
          anna: { upn: anna@contoso.com }
        policies:
          base: { file: ../policy.json, assign: [{ account: anna, apps: [com.contoso.mail] }] }
          more: { file: "\(elsewhere.path("more.json"))", assign: [{ account: anna, apps: [com.contoso.mail] }] }
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
          viewer: { bundle: org.example.viewer }
        cases:
          - name: it's let through
            steps:
              - launch: [mail, viewer]
              - share: { from: mail, to: viewer, text: Figures }
                expect: { verdict: allowed }
          - name: it holds
            steps:
              - launch: [mail, viewer]
              - share: { from: mail, to: viewer, text: Figures }
                expect: { verdict: blocked }
        """, to: "team/scenarios/sharing.yaml")
      return (desk, elsewhere)
    }

    @Test func `a reproduction folder fails like the original run, without its original files`()
      throws
    {
      let (desk, elsewhere) = try Self.desk()
      let ended = try desk.sluice(
        "run", "team/scenarios/sharing.yaml", "--keep-failures", "kept", "--seed", "7",
        "--output-dir",
        "devices", ends: 1)
      #expect(ended.errors.contains("kept/reproduce.sh runs the failed cases again"))
      let moved = try Desk()
      try FileManager.default.moveItem(
        atPath: desk.folder.path("kept"), toPath: moved.folder.path("kept"))
      try FileManager.default.removeItem(atPath: desk.folder.path("team"))
      try FileManager.default.removeItem(atPath: elsewhere.path("more.json"))
      let again = try moved.run(
        moved.folder.path("kept/reproduce.sh"), [], variables: ["SLUICE": Desk.program], ends: 1)
      #expect(again.output.contains("it's let through"))
      #expect(!again.output.contains("it holds"))
      let about = try JSONReader.read(try moved.folder.read("kept/about.json"))
      #expect(about["failures"]?.array?.first?["seed"]?.int == 7)
      #expect(about["failures"]?.array?.count == 1)
      #expect(
        try moved.folder.read("kept/journals/1.jsonl").contains(#""event":"request.decided""#))
    }

    @Test func `secret files are omitted from a reproduction and reported`() throws {
      let (desk, elsewhere) = try Self.desk()
      defer { withExtendedLifetime(elsewhere) {} }
      try desk.folder.makeFolder("team/declarations")
      try desk.folder.write("not a key at all", to: "team/declarations/identity.p12")
      try desk.folder.write(
        #"{ "UserName": "anna", "Password": "Winter" }"#, to: "team/declarations/login.json")
      let scenario = try desk.folder.read("team/scenarios/sharing.yaml")
      try desk.folder.write(
        "device: { mdm: { enrolled: true }, declarations: ../declarations }\n" + scenario,
        to: "team/scenarios/sharing.yaml")
      let ended = try desk.sluice(
        "run", "team/scenarios/sharing.yaml", "--keep-failures", "kept", ends: 1)
      for name in ["identity.p12", "login.json"] {
        #expect(ended.errors.contains("declarations/\(name)"))
      }
      let kept =
        FileManager.default.enumerator(atPath: desk.folder.path("kept"))?
        .compactMap { $0 as? String } ?? []
      #expect(!kept.contains { $0.hasSuffix("identity.p12") || $0.hasSuffix("login.json") })
    }

    @Test func `a reproduction rewrites paths only in keys that name files`() throws {
      let (desk, elsewhere) = try Self.desk()
      let path = elsewhere.path("more.json")
      let scenario = try desk.folder.read("team/scenarios/sharing.yaml")
      try desk.folder.write(
        scenario.replacing("text: Figures", with: #"text: "see \#(path), or not""#),
        to: "team/scenarios/-odd $(name).yaml")
      try desk.folder.makeFolder("far/away")
      try desk.folder.write(try desk.folder.read("team/policy.json"), to: "far/linked.json")
      try desk.folder.link("team/scenarios/there", to: desk.folder.path("far/away"))
      let odd = try desk.folder.read("team/scenarios/-odd $(name).yaml")
      try desk.folder.write(
        odd.replacing("../policy.json", with: "there/../linked.json"),
        to: "team/scenarios/-odd $(name).yaml")
      try FileManager.default.removeItem(atPath: desk.folder.path("team/scenarios/sharing.yaml"))
      let ended = try desk.sluice("run", "team/scenarios", "--keep-failures", "kept", ends: 1)
      #expect(!ended.errors.contains("left out"), "\(ended.errors)")
      let moved = try Desk()
      try FileManager.default.moveItem(
        atPath: desk.folder.path("kept"), toPath: moved.folder.path("kept"))
      try moved.folder.link("program", to: Desk.program)
      let again = try moved.run(
        moved.folder.path("kept/reproduce.sh"), [], variables: ["SLUICE": Desk.program], ends: 1)
      #expect(again.output.contains("1 case: 1 failed"))
      let copies =
        FileManager.default.enumerator(atPath: moved.folder.path("kept"))?
        .compactMap { $0 as? String }.filter { $0.hasSuffix(".yaml") } ?? []
      let copy = try moved.folder.read("kept/\(try #require(copies.first))")
      #expect(copy.contains(#"text: "see \#(path), or not""#))
      #expect(!copy.contains(#"file: "\#(path)""#))
      withExtendedLifetime(elsewhere) {}
    }

    @Test(.serverPrograms)
    func `a reproduction omits hidden files, links out of the folder and link cycles`() throws {
      let (desk, elsewhere) = try Self.desk()
      let declarations = "team/declarations"
      try desk.folder.makeFolder(declarations)
      try desk.folder.write("TOKEN=1", to: "\(declarations)/.env")
      for (name, target) in [
        ("loop", desk.folder.path(declarations)), ("out.json", elsewhere.path("more.json")),
      ] {
        try desk.folder.link("\(declarations)/\(name)", to: target)
      }
      #expect(mkfifo(desk.folder.path("\(declarations)/pipe"), 0o600) == 0)
      try desk.folder.write(
        #"{"customSettings":[{"name":"proxyPASSWORD","value":"x"}]}"#,
        to: "\(declarations)/settings.json")
      let scenario = try desk.folder.read("team/scenarios/sharing.yaml")
      try desk.folder.write(
        scenario + "\n"
          + #"servers: { files: { host: files.contoso.com, folder: "../declarations" } }"# + "\n",
        to: "team/scenarios/sharing.yaml")
      let ended = try desk.sluice("run", "team/scenarios", "--keep-failures", "kept", ends: 1)
      for name in [".env", "loop", "out.json", "pipe", "settings.json"] {
        #expect(ended.errors.contains("declarations/\(name): "), "\(name): \(ended.errors)")
      }
      withExtendedLifetime(elsewhere) {}
    }

    @Test func `a passing run leaves no reproduction, and an existing folder is not overwritten`()
      throws
    {
      let (desk, elsewhere) = try Self.desk()
      try desk.sluice(
        "run", "team/scenarios/sharing.yaml", "--filter", "it holds", "--keep-failures", "kept",
        ends: 0)
      #expect(!desk.folder.has("kept"))
      let refused = try desk.sluice(
        "run", "team/scenarios/sharing.yaml", "--keep-failures", elsewhere.path, ends: 2)
      #expect(refused.errors.contains("already exists"))
      try desk.sluice("run", "-", "--keep-failures", "kept", ends: 64)
    }
  }
}
