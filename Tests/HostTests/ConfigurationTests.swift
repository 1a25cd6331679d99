import AppConfiguration
import Foundation
import GraphDocuments
import JSON
import Model
import Policy
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// App configurations on their way to apps.
  @Suite struct ConfigurationTests {
    private static func assignment(
      _ settings: [String: String], to account: Account = Lab.anna
    ) -> AppConfigurationAssignment {
      let document = AppConfigurationDocument(
        displayName: "test", file: "c.json", channel: .managedApps,
        entries: settings.sorted { $0.key < $1.key }.map {
          .init(key: $0.key, value: .text($0.value), position: .init(line: 1, column: 1))
        })
      return AppConfigurationAssignment(
        document: document, account: account,
        apps: ["com.example.managed", "com.example.hostile"])
    }

    /// What the app itself finds.
    private func values(of key: String, on guest: String, in lab: Lab) throws -> [String] {
      var result: Result<ConfigurationAnswer, HostError>?
      let question = ConfigurationQuestion(account: Lab.anna.upn, key: key, query: .all)
      lab.device.driver.lookUp(question, on: guest) { result = $0 }
      lab.wait("an answer") { result != nil }
      return try #require(result).get().values
    }

    private func deliveries(_ lab: Lab) -> [[String]] {
      lab.events.compactMap { event in
        if case .configurationDelivered(_, _, let keys, _) = event { keys } else { nil }
      }
    }

    @Test func `an app that runs hears of a change`() throws {
      let lab = try Lab(policy: .strict) { $0.appConfigurations = [Self.assignment(["a": "1"])] }
      try lab.app("managed", managed: true)
      #expect(try values(of: "a", on: "managed", in: lab) == ["1"])
      lab.device.configurations.assign([Self.assignment(["a": "2", "b": "3"])], to: Lab.anna)
      #expect(try values(of: "a", on: "managed", in: lab) == ["2"])
      lab.device.configurations.assign([], to: Lab.anna)
      #expect(try values(of: "a", on: "managed", in: lab) == [])
      #expect(deliveries(lab) == [["a"], ["a", "b"], []])
      lab.close()
    }

    @Test func `what stays the same is not told again`() throws {
      let lab = try Lab(policy: .strict) { $0.appConfigurations = [Self.assignment(["a": "1"])] }
      try lab.app("managed", managed: true)
      lab.device.configurations.assign([Self.assignment(["a": "1"])], to: Lab.anna)
      #expect(deliveries(lab) == [["a"]])
      lab.close()
    }

    /// However often it changes: one message waits, and the device keeps the latest alone.
    @Test func `a suspended app has the latest, and nothing piles up`() throws {
      let lab = try Lab(policy: .strict)
      try lab.app("managed", managed: true)
      lab.device.guests.suspend("managed")
      let guest = try #require(lab.device.owners.registry["managed"])
      let text = String(repeating: "x", count: 100_000)
      for number in 1...200 {
        lab.device.configurations.assign(
          [Self.assignment(["a": "\(number)", "text": text])], to: Lab.anna)
      }
      #expect(guest.accounts.outdatedConfigurations.count == 1)
      #expect((guest.connection?.backlog ?? 0) < 100_000)
      lab.device.guests.resume("managed")
      #expect(try values(of: "a", on: "managed", in: lab) == ["200"])
      lab.close()
    }

    @Test func `an app that never reads holds nobody up, and little waits for it`() throws {
      let lab = try Lab(policy: .strict) { $0.limits.backlog = 200_000 }
      try lab.hostile("deaf")
      try lab.device.accounts.presetSignIn(Lab.anna, in: "hostile")
      try lab.app("managed", managed: true)
      let guest = try #require(lab.device.owners.registry["hostile"])
      let text = String(repeating: "x", count: 50_000)
      for number in 1...100 {
        lab.device.configurations.assign(
          [Self.assignment(["a": "\(number)", "text": text])], to: Lab.anna)
      }
      #expect((guest.connection?.backlog ?? 0) < 400_000)
      let reader = try #require(lab.device.owners.registry["managed"])
      lab.wait("the one who reads to have the latest") {
        reader.accounts.outdatedConfigurations.isEmpty && reader.connection?.backlog == 0
      }
      #expect(try values(of: "a", on: "managed", in: lab) == ["100"])
      lab.close()
    }

    @Test func `more than fits the welcome follows it`() throws {
      let text = String(repeating: "\u{1}", count: 900_000)
      let lab = try Lab(policy: .strict) {
        $0.appConfigurations = [Self.assignment(["a": "1", "text": text])]
      }
      try lab.app("managed", managed: true)
      #expect(try values(of: "a", on: "managed", in: lab) == ["1"])
      lab.close()
    }

    @Test func `more than a device delivers is not delivered`() throws {
      let text = String(repeating: "x", count: 1_000_000)
      let lab = try Lab(policy: .strict) {
        $0.appConfigurations = (1...3).map { Self.assignment(["a\($0)": text]) }
      }
      try lab.app("managed", managed: true)
      #expect(try values(of: "a1", on: "managed", in: lab) == [])
      #expect(lab.device.configurations.warnings.map(\.code) == [.tooMuch])
      lab.close()
    }

    @Test func `a guest that takes no instructions looks nothing up`() throws {
      let lab = try Lab(policy: .strict)
      try lab.hostile("well-behaved")
      var result: Result<ConfigurationAnswer, HostError>?
      lab.device.driver.lookUp(
        ConfigurationQuestion(account: "a", key: "b"), on: "missing"
      ) { result = $0 }
      #expect(throws: HostError.self) { try #require(result).get() }
      lab.close()
    }
  }
}
