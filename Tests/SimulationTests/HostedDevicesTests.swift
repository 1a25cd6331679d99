import Foundation
import Host
import Scenario
import TestSupport
import Testing

@testable import Simulation

extension RealProcesses {
  /// Devices that go on in windows of time, in one process or several.
  @Suite struct HostedDevicesTests {
    private static let latency = 3
    private static let devices = 4

    /// A scenario with random steps.
    private static func scenario(_ random: inout SeededGenerator) -> String {
      var text = """
        accounts: { anna: { upn: anna@contoso.com, tenant: contoso.com } }
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
          viewer: { bundle: org.example.viewer }
        links: { latency: PT\(latency)S }
        devices: { phone: { count: \(devices), appleAccount: anna@example.org } }
        steps:
          - { launch: [mail, viewer], on: phone }

        """
      for step in 0..<60 {
        let here = Int.random(in: 1...devices, using: &random)
        let there = here % devices + 1
        let what = [
          "airDrop: { from: viewer, to: phone-\(there), text: drop \(step) }",
          "use: { app: mail, feature: mailComposer, text: mail \(step), to: phone-\(there) }",
          "openReceived: { into: viewer, from: airDrop }",
          "openReceived: { into: mail, from: mail }",
          "copy: { app: viewer, text: copy \(step) }", "paste: { app: viewer }",
          "saveTo: { from: mail, location: oneDriveForBusiness, account: anna, text: file \(step) }",
          "openFrom: { into: mail, location: oneDriveForBusiness, account: anna }",
        ].randomElement(using: &random)
        text += "  - { \(what ?? ""), on: phone-\(here) }\n"
        if step % 4 == 3 {
          text += "  - advance: PT\(Int.random(in: 1...5, using: &random))S\n"
        }
      }
      return text
    }

    /// The journals of all devices of a case that ran on so many hosts.
    private static func journals(
      of prepared: PreparedScenario, _ settings: RunSettings, hosts count: Int
    ) throws -> [String] {
      let folder = "\(settings.folder)/\(count)"
      let hosts = (0..<count).map { _ in
        HostedDevices(
          prepared.cases[0], of: prepared, settings, folder: folder, machineTime: 1_767_225_600)
      }
      for (index, host) in hosts.enumerated() {
        host.forward = { passage in
          for (other, host) in hosts.enumerated() where other != index { host.take(passage) }
        }
        try host.bringUp((0..<devices).filter { $0 % count == index })
      }
      while let next = hosts.compactMap(\.nextTime).min() {
        for host in hosts { host.proceed(until: next + latency - 1) }
      }
      for host in hosts { #expect(host.close().isEmpty) }
      return try prepared.deviceNames.map { try InputFile.text("\(folder)/\($0)/journal.jsonl") }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `on any number of hosts it is as in one process`(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let workspace = try Workspace()
      let text = Self.scenario(&random)
      let settings = RunSettings(
        programs: .installed(in: Repository.programs), folder: workspace.path("devices"))
      let scenario = try ScenarioFiles.read(workspace.write(text, to: "scenario.yaml"))
      let runner = ScenarioRun(settings)
      let prepared = try runner.prepare(scenario)
      // In one go, without windows.
      _ = try runner.run(prepared.cases[0], of: prepared, number: 9)
      let alone = try prepared.deviceNames.map {
        try InputFile.text("\(settings.folder)/9/\($0)/journal.jsonl")
      }
      #expect(alone.contains { $0.contains("item.arrived") })
      for count in [1, 2, Self.devices] {
        #expect(try Self.journals(of: prepared, settings, hosts: count) == alone, "\(count) hosts")
      }
    }

    @Test func `a device goes on in its folder where another host has left it`() throws {
      let text = """
        accounts: { anna: { upn: anna@contoso.com, tenant: contoso.com } }
        policies:
          inside: { json: { displayName: Inside, appGroupType: allApps, allowedOutboundDataTransferDestinations: managedApps } }
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
          viewer: { bundle: org.example.viewer }
        links: { latency: PT1S }
        devices:
          phone: { appsInMemory: 2 }
          desk: { apps: [viewer] }
        steps:
          - { share: { from: mail, to: viewer, text: before }, on: phone, expect: { verdict: allowed } }
          - assign: { account: anna, policy: inside }
          # Another device's.
          - { device: { online: false }, on: desk }
          - { writeFile: { app: mail, path: plan.txt, text: kept }, on: phone }
          - advance: PT1M
          - { share: { from: mail, to: viewer, text: after }, on: phone, expect: { verdict: blocked } }
          - { readFile: { app: mail, path: plan.txt }, on: phone, expect: { received: kept } }
          - { use: { app: viewer, feature: mailComposer, text: late, to: desk }, on: phone }
          - advance: PT1M
        """
      let workspace = try Workspace()
      let settings = RunSettings(
        programs: .installed(in: Repository.programs), folder: workspace.path("devices"))
      let prepared = try ScenarioRun(settings).prepare(
        ScenarioFiles.read(workspace.write(text, to: "scenario.yaml")))
      func host(_ folder: String) throws -> HostedDevices {
        let host = HostedDevices(
          prepared.cases[0], of: prepared, settings, folder: workspace.path(folder),
          machineTime: 1_767_225_600)
        try host.bringUp([0])
        return host
      }
      let first = try host("first")
      first.proceed(until: 1_767_225_600 + 30)
      // What a host leaves that is lost in the midst of the first minute.
      try FileManager.default.copyItem(
        atPath: workspace.path("first"), toPath: workspace.path("second"))
      #expect(first.close().isEmpty)
      let second = try host("second")
      // What a device that is online has to say goes at once.
      var passages = 0
      second.forward = { _ in passages += 1 }
      second.proceed(until: 1_767_225_600 + 86_400)
      #expect(second.nextTime == nil)
      #expect(second.close().isEmpty)
      let events = try JournalFile.read(workspace.path("second/phone/journal.jsonl"))
      let recording = CaseRecording(events: events, duration: .zero)
      var builder = ReportBuilder()
      builder.add(recording, file: prepared.file)
      let result = builder.report.suites[0].cases[0]
      #expect(result.outcome == .passed, "\(result)")
      #expect(result.steps.count == 8)
      #expect(passages == 1)
    }
  }
}
