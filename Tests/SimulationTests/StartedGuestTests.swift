import Foundation
import Scenario
import TestSupport
import Testing

extension RealProcesses {
  /// Guests that are started by what they are sent, or are not open when they are.
  @Suite struct StartedGuestTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func failures(_ text: String) throws -> [String] {
      let result = try Stage().play(workspace.write(text, to: "scenario.yaml")).result
      #expect(result.outcome == .passed || !result.steps.flatMap(\.failures).isEmpty)
      return result.steps.flatMap(\.failures)
    }

    @Test func `a program that is launched to open something, and knows no launch, comes to rest`()
      throws
    {
      let hello = try String(contentsOfFile: Repository.path("examples/hello.py"), encoding: .utf8)
      let answer = try #require(hello.range(of: "        elif ask := received.get(10)"))
      let program = try workspace.write(String(hello[..<answer.lowerBound]), to: "own.py")
      try Executable.make(program)
      #expect(
        try failures(
          """
          apps:
            own: { bundle: org.example.own, executable: \(program) }
            viewer: { bundle: org.example.viewer }
          steps:
            - launch: viewer
            - { share: { from: viewer, to: own, text: Hello }, expect: { end: delivered } }
            - wait: idle
            - { stop: own, expect: { exit: stopped } }
          """) == [])
    }

    @Test func `a line of an app is waited for that another program starts, and of no other`()
      throws
    {
      let sender = try workspace.write(
        """
        app.launched(function()
          device.pause(300)
          app.share { to = "receiver", text = "one" }
        end)
        """, to: "sender.lua")
      let receiver = try workspace.write(
        "app.received(function() print(\"it has come\") end)", to: "receiver.lua")
      let apps = """
        apps:
          sender: { bundle: org.example.sender, executable: \(sender) }
          receiver: { bundle: org.example.receiver, executable: \(receiver) }
          viewer: { bundle: org.example.viewer }
        """
      let wait = "wait: { said: { app: receiver, text: it has come } }"
      #expect(try failures("\(apps)\nsteps:\n  - launch: sender\n  - \(wait)\n") == [])
      let alone = try failures("\(apps)\nsteps:\n  - launch: viewer\n  - \(wait)\n")
      #expect(alone.count == 1 && alone[0].hasSuffix("and does not run"), "\(alone)")
    }

    @Test func `what an app whose account is not open was to do fails at once, and says why`()
      throws
    {
      let failures = try failures(
        """
        device: { prompts: asked }
        accounts:
          anna: { upn: anna@contoso.com, tenant: contoso.com }
        policies:
          pin:
            json: { displayName: PIN, pinRequired: true }
            assign: [{ account: anna, apps: [com.contoso.mail] }]
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
        steps:
          - concurrently: [{ launch: mail }, { copy: { app: mail, text: a } }]
        """)
      #expect(failures.contains { $0.contains("the account of `mail` is not open") }, "\(failures)")
    }
  }
}
