import Foundation
import Host
import TestSupport
import Testing
import Transfer
import Wire

extension RealProcesses {
  /// A host that is killed while a guest asks for one thing after the other.
  @Suite struct KilledHostTests {
    private static let scenario = """
      apps: { vault: { bundle: org.example.vault, team: EXAMPLE456 } }
      steps:
        - launch: vault
        - keychainAdd: { app: vault, service: door, account: anna, value: secret }
        - keychainQuery: { app: vault, service: door, account: anna }
          repeat: 1000000

      """

    private let desk: Desk
    private var device: String { desk.folder.path("kept/1") }

    init() throws { desk = try Desk() }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `every answer that a guest has got is in the journal`(seed: UInt64) throws {
      try runAndKill(seed)
      let journal = try Journal(device)
      #expect(!answers.isEmpty)
      #expect(journal.answeredQueries >= answers.count)
      #expect(!journal.events.contains(.deviceStopped))
    }

    @Test(arguments: 11...13 as ClosedRange<UInt64>)
    func `the device comes up again, and goes on where it was`(seed: UInt64) throws {
      try runAndKill(seed)
      let before = try Journal(device)
      let known = answers.count
      try queryAgain()
      let after = try Journal(device)
      #expect(answers.count == known + 1)
      #expect(after.events.prefix(before.events.count) == before.events[...])
      #expect(after.events.last == .deviceStopped)
      #expect(after.sequences == Array(1...after.events.count))
      #expect(Set(after.requests).count == after.requests.count)
    }

    // MARK: killing

    /// Kills the host some time after the guest has got some answers; which, the seed says.
    private func runAndKill(_ seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let enough = Int.random(in: 1...200, using: &generator)
      try desk.folder.write(Self.scenario, to: "vault.yaml")
      let process = try desk.start(Desk.program, ["run", "vault.yaml", "--keep", "kept"])
      wait("\(enough) answers") { answers.count >= enough || !process.isRunning }
      usleep(.random(in: 0...5_000, using: &generator))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      wait("the guest to go with its host") { !hasProcesses }
    }

    private func wait(_ what: String, until condition: () -> Bool) {
      for _ in 0..<200_000 {
        if condition() { return }
        usleep(200)
      }
      Issue.record("waited too long for \(what)")
    }

    /// What the guest has kept of what it found in the keychain.
    private var answers: [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "\(device)/Containers/vault/Inbox"))
        ?? []
    }

    /// Whether any process works in the device's folder.
    private var hasProcesses: Bool {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return all.contains { pid in
        let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
        return folder?.hasPrefix(device) ?? false
      }
    }

    // MARK: going on

    /// Brings the device up once more, and lets the guest search the keychain for what it has put there.
    private func queryAgain() throws {
      let programs = Repository.programs
      let device = try Device(
        DeviceConfiguration(
          folder: self.device,
          programs: .init(
            guest: "\(programs)/sluice-guest", launch: "\(programs)/sluice-launch")))
      defer { device.close() }
      try device.install(
        AppDescription(name: "vault", bundleID: "org.example.vault", team: "EXAMPLE456"))
      finish(device) { device.launch(["vault"], done: $0) }
      let key = KeychainKey(group: "", service: "door", account: "anna")
      finish(device) { done in
        device.perform(.keychainQuery(key), on: "vault") { failure in
          #expect(failure == nil)
          done()
        }
      }
      finish(device) { device.stopAll(done: $0) }
    }

    private func finish(_ device: Device, _ begin: (@escaping () -> Void) -> Void) {
      var isDone = false
      begin { isDone = true }
      device.run { isDone }
    }
  }
}
