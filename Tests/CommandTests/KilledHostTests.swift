import Foundation
import Host
import Model
import TestSupport
import Testing
import Wire

extension RealProcesses {
  /// Tests a host that is killed while a guest sends requests, one at a time.
  @Suite struct KilledHostTests {
    private static let scenario = """
      apps:
        vault: { bundle: org.example.vault }
        source: { bundle: org.example.source, provides: secret }
      steps:
        - launch: [vault, source]
        - import: { into: vault, from: source }
          repeat: 1000000

      """

    private let desk: Desk
    private var device: String { desk.folder.path("kept/1") }

    init() throws { desk = try Desk() }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `after the host is killed, its journal has every answer that a guest received`(
      seed: UInt64
    ) throws {
      try runAndKill(seed)
      let journal = try Journal(device)
      #expect(!answers.isEmpty)
      #expect(journal.answeredImports >= answers.count)
      #expect(!journal.events.contains(.deviceStopped))
    }

    @Test(arguments: 11...13 as ClosedRange<UInt64>)
    func `a device restarts after its host was killed, and its journal continues`(seed: UInt64)
      throws
    {
      try runAndKill(seed)
      let before = try Journal(device)
      let known = answers.count
      try importAgain()
      let after = try Journal(device)
      #expect(answers.count == known + 1)
      #expect(after.events.prefix(before.events.count) == before.events[...])
      #expect(after.events.last == .deviceStopped)
      #expect(after.sequences == Array(1...after.events.count))
      #expect(Set(after.requests).count == after.requests.count)
    }

    // MARK: Kills

    /// Kills the host some time after the guest's first answers. The seed determines the time.
    private func runAndKill(_ seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let enough = Int.random(in: 1...200, using: &generator)
      try desk.folder.write(Self.scenario, to: "vault.yaml")
      let process = try desk.start(Desk.program, ["run", "vault.yaml", "--output-dir", "kept"])
      try waitUntil("\(enough) answers are there") {
        answers.count >= enough || !process.isRunning
      }
      for _ in 0..<Int.random(in: 0...50, using: &generator) { _ = answers.count }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      try waitUntil("the guests have gone with their host") { !Guests(of: device).areRunning }
    }

    /// The results of its imports that the guest has stored.
    private var answers: [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "\(device)/Containers/vault/Inbox"))
        ?? []
    }

    // MARK: Continuation

    /// Restarts the device, and lets the guest import again.
    private func importAgain() throws {
      let programs = Repository.programs
      let device = try Device(
        DeviceConfiguration(
          folder: self.device,
          programs: .init(
            guest: "\(programs)/sluice-guest", launch: "\(programs)/sluice-launch")))
      defer { device.close() }
      try device.install(AppDescription(name: "vault", bundleID: "org.example.vault"))
      try device.install(
        AppDescription(
          name: "source", bundleID: "org.example.source",
          behaviour: Behaviour(provides: Item(text: "secret"))))
      finish(device) { device.guests.launch(["vault", "source"], done: $0) }
      finish(device) { done in
        device.driver.perform(.import(source: "source", via: .sdk), on: "vault") { performance in
          #expect(performance.failure == nil)
          done()
        }
      }
      finish(device) { device.guests.stopAll(done: $0) }
    }

    private func finish(_ device: Device, _ begin: (@escaping () -> Void) -> Void) {
      var isDone = false
      begin { isDone = true }
      device.run { isDone }
    }
  }
}
