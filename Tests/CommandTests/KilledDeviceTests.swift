import Foundation
import Host
import Model
import TestSupport
import Testing

extension RealProcesses {
  /// Tests a persistent device whose host is killed repeatedly: at its start, during sign-ins,
  /// keychain and file writes, and in the middle of a write.
  @Suite struct KilledDeviceTests {
    private static let rounds = 25 * thoroughness

    private let desk: Desk
    private var folder: String { desk.folder.path("phone") }

    init() throws { desk = try Desk() }

    @Test func `decided and ended requests survive repeated kills of the device`() throws {
      try desk.folder.write(Round(0).scenario, to: "first.yaml")
      let made = try desk.sluice("device", "create", "phone", "--scenario", "first.yaml")
      try #require(made.status == 0, "\(made.errors)")
      var generator = SeededGenerator(seed: 20)
      var journal = KilledJournal("\(folder)/journal.jsonl")
      var promises: [Promise] = []
      var kills = 0
      for number in 1...Self.rounds {
        let round = Round(number)
        if try runAndKill(round, &generator) { kills += 1 }
        let kept = try comeUp(round.promises)
        let events = try journal.readOn()
        let fresh = round.promises(keptBy: events)
        check(fresh, kept)
        promises += fresh
      }
      #expect(kills == Self.rounds)
      #expect(promises.count > Self.rounds)
      check(promises, try comeUp(promises))
      #expect(promises.contains { $0.kind == .signedIn } && promises.contains { $0.kind == .item })
      #expect(promises.contains { $0.kind == .file } && promises.contains { $0.kind == .content })
    }

    // MARK: Kills

    /// Runs a round, and kills the host during it.
    ///
    /// - Returns: Whether the host was still running when it was killed.
    private func runAndKill(_ round: Round, _ generator: inout SeededGenerator) throws -> Bool {
      // The range includes the time before the journal is written.
      let growth = Int.random(in: -5_000...16_000, using: &generator)
      let looks = Int.random(in: 0...5_000, using: &generator)
      try desk.folder.write(round.scenario, to: "round.yaml")
      let size = journalSize
      let process = try desk.start(Desk.program, ["run", "round.yaml", "--device", "phone"])
      for _ in 0..<max(0, -growth) { _ = journalSize }
      try waitUntil("the journal has grown by \(growth)") {
        !process.isRunning || journalSize - size >= growth
      }
      for _ in 0..<looks { _ = journalSize }
      let isAlive = process.isRunning
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try waitUntil("its guests are gone") { !Guests(of: folder).areRunning }
      return isAlive && process.terminationReason == .uncaughtSignal
    }

    private var journalSize: Int {
      var status = stat()
      return stat("\(folder)/journal.jsonl", &status) == 0 ? Int(status.st_size) : 0
    }

    // MARK: Restarts

    /// The contents of a device after its restart.
    private struct Kept {
      var inventory: DeviceInventory
      /// The contents of files in the container of `vault`, keyed by path.
      var contents: [String: String]
    }

    /// Restarts the device, and reads files.
    private func comeUp(_ promises: [Promise]) throws -> Kept {
      let programs = Repository.programs
      let device = try Device(
        DeviceConfiguration(
          folder: folder,
          programs: .init(
            guest: "\(programs)/sluice-guest", launch: "\(programs)/sluice-launch")))
      defer { device.close() }
      try device.install(
        AppDescription(name: "vault", bundleID: "org.example.vault", team: "EXAMPLE456"))
      var contents: [String: String] = [:]
      for promise in promises where promise.kind == .content {
        let bytes = device.files.contents(ofFile: promise.name, in: "vault")
        contents[promise.name] = bytes.map { String(decoding: $0, as: UTF8.self) }
      }
      return Kept(inventory: try DeviceFolder(folder).inventory(), contents: contents)
    }

    private func check(_ promises: [Promise], _ kept: Kept) {
      let inventory = kept.inventory
      let signedIn = Set(inventory.apps.flatMap(\.signIns).map(\.account.upn))
      let items = Set(inventory.keychain.flatMap(\.items).map(\.service))
      var files: [String: DeviceInventory.File] = [:]
      for file in inventory.folders.flatMap(\.files) { files[file.path] = file }
      for promise in promises {
        switch promise.kind {
        case .signedIn: #expect(signedIn.contains(promise.name))
        case .item: #expect(items.contains(promise.name))
        case .file: #expect(files[promise.name]?.owner?.upn == promise.value)
        case .content: #expect(kept.contents[promise.name]?.hasPrefix(promise.value) == true)
        }
      }
      // No byte of the organisation's data may ever be stored in plain text.
      for file in files.values where file.path.hasPrefix("org-") && file.size > 0 {
        #expect(file.content == .encrypted, "\(file.path)")
      }
      #expect(inventory.pendingMoves.isEmpty)
    }
  }
}

/// A fact in the journal that must hold after a restart.
private struct Promise: Hashable {
  enum Kind {
    case signedIn, item, file, content
  }

  var kind: Kind
  var name: String
  /// The owner of a file, or the first bytes of its content.
  var value = ""
}

/// A scenario with a sequence of different steps, followed by one repeated step.
private struct Round {
  private let number: Int

  init(_ number: Int) { self.number = number }

  private struct Planned {
    var step: String
    /// The fact that holds after the step's request has ended.
    var ended: Promise?
    /// The fact that holds after the next step has begun.
    var done: Promise?
  }

  private var guest: String { "p\(number)@example.org" }
  private static let line = "One more line of minutes. "

  private var steps: [Planned] {
    var steps = [
      Planned(step: "launch: vault"),
      Planned(
        step: "signIn: { app: vault, account: guest }",
        ended: Promise(kind: .signedIn, name: guest)),
    ]
    for index in 0..<4 {
      let service = "door-\(number)-\(index)"
      steps.append(
        Planned(
          step: "keychainAdd: { app: vault, service: \(service), account: x, value: secret }",
          ended: Promise(kind: .item, name: service)))
      steps.append(write("org-\(number)-\(index).txt", "anna", "anna@contoso.com"))
      steps.append(write("own-\(number)-\(index).txt", "guest", guest))
    }
    return steps
  }

  private func write(_ file: String, _ name: String, _ owner: String) -> Planned {
    let text = "What \(name) wrote into \(file)"
    return Planned(
      step: "writeFile: { app: vault, path: \(file), text: \(text) }\n    as: \(name)",
      ended: Promise(kind: .file, name: file, value: owner),
      done: Promise(kind: .content, name: file, value: text))
  }

  private var minutes: String { "org-minutes-\(number).txt" }

  var scenario: String {
    """
    accounts:
      anna: { upn: anna@contoso.com, objectId: 0f8fad5b-d9cb-469f-a165-70867728950e }
      guest: { upn: \(guest) }
    policies:
      base:
        json: { "displayName": "Base", "appDataEncryptionType": "whenDeviceLocked" }
        assign: [{ account: anna, apps: [org.example.vault] }]
    apps:
      vault: { bundle: org.example.vault, team: EXAMPLE456, sdk: true, multiIdentity: true, signedIn: [anna] }
    steps:
    \(steps.map { "  - \($0.step)" }.joined(separator: "\n"))
      - appendFile: { app: vault, path: \(minutes), text: "\(Self.line)" }
        as: anna
        repeat: 1000000

    """
  }

  /// All promises that a complete round makes.
  var promises: [Promise] {
    steps.flatMap { [$0.ended, $0.done].compactMap(\.self) } + [minutes(lines: 0)]
  }

  private func minutes(lines: Int) -> Promise {
    Promise(kind: .content, name: minutes, value: String(repeating: Self.line, count: lines))
  }

  /// Returns the promises that these events have made.
  func promises(keptBy events: [JournalEvent.Kind]) -> [Promise] {
    let steps = steps
    var kept: [Promise] = []
    var current = 0
    var lines = 0
    for event in events {
      if case .stepBegan(let step, _, _) = event {
        if current > steps.count { lines += 1 }
        if let promise = steps.at(current)?.done { kept.append(promise) }
        current = step
      }
      if case .ended(_, .delivered, _, _) = event {
        if let promise = steps.at(current)?.ended { kept.append(promise) }
      }
    }
    return kept + (lines > 0 ? [minutes(lines: lines)] : [])
  }
}

extension Array {
  /// Returns the step with that number; nil if there is none.
  fileprivate func at(_ number: Int) -> Element? {
    indices.contains(number - 1) ? self[number - 1] : nil
  }
}

/// The journal of a device whose host is killed. It is read incrementally.
private struct KilledJournal {
  private let path: String
  private var offset: UInt64 = 0
  private var sequence = 0
  private var requests: Set<Int> = []

  init(_ path: String) { self.path = path }

  /// Reads the events since the last call. Checks that each event is complete, has the next number,
  /// and decides no request twice.
  mutating func readOn() throws -> [JournalEvent.Kind] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    try file.seek(toOffset: offset)
    let data = try file.readToEnd() ?? Data()
    offset += UInt64(data.count)
    #expect(data.last == UInt8(ascii: "\n"))
    return try String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
      let event = try JournalEvent(line: String(line))
      #expect(event.sequence == sequence + 1)
      sequence = event.sequence
      if case .decided(let decision) = event.kind {
        #expect(requests.insert(decision.request).inserted)
      }
      return event.kind
    }
  }
}
