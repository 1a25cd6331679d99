import Cryptography
import EventLoop
import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

/// A real device with real guests, for tests that watch it.
///
/// No deadline passes but by ``pass(_:)``, so that no test depends on how fast the machine is.
///
/// What every test ends with is checked in ``close()``: each request has one decision and one end, and no process, handle
/// or file of the device is left open.
final class Lab {
  let device: Device
  private let folder: String
  private var journal: FollowedJournal
  /// Whether a guest is there that does not stop when it is asked to, so that time has to pass for it.
  var hasDeafGuests = false

  static let anna = Account(
    upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
    tenantID: "contoso.com")

  /// `bin` of this repository, where `make guests` puts the programs.
  static let programs = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("bin").path

  init(
    policy: Settings? = nil, _ adjust: (inout DeviceConfiguration) -> Void = { _ in }
  ) throws {
    folder = NSTemporaryDirectory() + "sluice-lab-\(UUID().uuidString)"
    var configuration = DeviceConfiguration(
      name: "lab", folder: folder,
      programs: .init(
        guest: "\(Self.programs)/sluice-guest", launch: "\(Self.programs)/sluice-launch"))
    configuration.accounts = [Self.anna]
    if let policy {
      configuration.policies = [
        PolicyAssignment(
          document: PolicyDocument(displayName: "lab", file: "lab.json", settings: policy),
          account: Self.anna, apps: ["com.example.managed", "com.example.hostile"])
      ]
    }
    configuration.deadlines = .manual
    adjust(&configuration)
    device = try Device(configuration)
    journal = FollowedJournal(of: device.journalPath)
  }

  /// Whether the kernel has all of Landlock that confinement uses; `sluice-launch` knows.
  static let canConfineFully: Bool = {
    let launch = try? StartedProgram(
      programs + "/sluice-launch",
      [
        "--require-confinement", "--read", "/usr", "--read", "/lib", "--read", "/lib64", "--",
        "/usr/bin/true",
      ])
    launch?.waitUntilExit()
    return launch?.terminationStatus == 0
  }()

  /// The guarantees that namespaces give on this machine.
  static let promises: Zygote.Promises = {
    let zygote = try? Zygote(
      executable: programs + "/sluice-launch", folder: NSTemporaryDirectory())
    defer { zygote?.close() }
    return zygote?.promises ?? []
  }()

  // MARK: guests

  /// Installs and starts a ready-made guest.
  @discardableResult
  func app(_ name: String, bundle: String? = nil, managed: Bool = false) throws -> String {
    try device.install(
      AppDescription(
        name: name, bundleID: bundle ?? "com.example.\(name)", integratesSDK: managed))
    if managed { try device.accounts.presetSignIn(Self.anna, in: name) }
    launch([name])
    return name
  }

  /// Installs and starts a guest that misbehaves in one of the ways of `hostile-guest`.
  @discardableResult
  func hostile(_ mode: String, _ arguments: [String] = [], name: String = "hostile") throws
    -> String
  {
    try install(executable: "\(Self.programs)/hostile-guest", [mode] + arguments, name: name)
    hasDeafGuests = true
    launch([name])
    return name
  }

  func install(executable: String, _ arguments: [String] = [], name: String) throws {
    try device.install(
      AppDescription(
        name: name, bundleID: "com.example.\(name)",
        program: .executable(path: executable, arguments: arguments), integratesSDK: true))
  }

  func launch(_ names: [String]) {
    var isDone = false
    device.guests.launch(names) { isDone = true }
    wait("launch") { isDone }
  }

  func stop(_ name: String) {
    var isDone = false
    device.guests.stop([name]) { isDone = true }
    wait("stop") { isDone }
  }

  func kill(_ name: String) {
    var isDone = false
    device.guests.kill([name]) { isDone = true }
    wait("kill") { isDone }
  }

  /// Lets `guest` make a request, and waits until it has its outcome.
  ///
  /// - Returns: what the guest found.
  @discardableResult
  func perform(
    _ request: GuestMessage.Body, as task: TaskContext? = nil, on guest: String
  ) -> String {
    var found: [UInt8]?
    device.driver.perform(request, as: task, on: guest) { found = $0.found }
    wait("\(guest) to have its outcome") { found != nil && !device.wipes.isWiping }
    return String(decoding: found ?? [], as: UTF8.self)
  }

  func share(_ text: String, from sender: String, to receiver: String) {
    perform(.share(Share(destination: receiver, item: Item(text: text))), on: sender)
  }

  /// Handles events until `condition` holds.
  func wait(_ what: String, until condition: () -> Bool) {
    do {
      try waitUntil(what) {
        device.loop.poll()
        return condition()
      }
    } catch {
      Issue.record(error)
    }
  }

  /// Shares with a guest that takes nothing, until the deadline for that has passed.
  func shareInVain(_ text: String, from sender: String, to receiver: String) {
    let count = decisions.count
    var isDone = false
    device.driver.perform(
      .share(Share(destination: receiver, item: Item(text: text))), on: sender
    ) { _ in isDone = true }
    wait("the decision") { decisions.count > count }
    pass(\.delivery)
    wait("the outcome") { isDone }
  }

  /// Shares with an extension that gets the item, until the deadline for what it does with it has passed.
  func shareWithExtension(_ text: String, from sender: String, to receiver: String) {
    var isDone = false
    device.driver.perform(
      .share(Share(destination: receiver, item: Item(text: text))), on: sender
    ) { _ in isDone = true }
    wait("the delivery") { ends.contains { $0.end == .delivered } }
    pass(\.extensionRequest)
    wait("the outcome") { isDone }
  }

  // MARK: time

  /// Lets a deadline pass.
  ///
  /// - Parameter limit: which of them; everything that is due earlier passes as well.
  func pass(_ limit: KeyPath<DeviceConfiguration.Limits, UInt64>) {
    device.loop.advance(by: device.configuration.limits[keyPath: limit])
  }

  /// Handles events until `condition` holds, while time passes for guests that do not do what they should.
  func waitAsTimePasses(_ what: String, until condition: () -> Bool) {
    wait(what) {
      device.loop.advance(by: 10)
      return condition()
    }
  }

  // MARK: what happened

  var events: [JournalEvent.Kind] {
    device.guests.turn {}
    journal.readOn()
    return journal.events
  }

  var decisions: [RequestDecision] {
    events.compactMap { if case .decided(let decision) = $0 { decision } else { nil } }
  }

  var ends: [(request: Int, end: RequestEnd)] {
    events.compactMap { event in
      if case .ended(let request, let end, _, _) = event { (request, end) } else { nil }
    }
  }

  func exits(of guest: String) -> [String] {
    events.compactMap { event in
      if case .guestExited(guest, let cause, _) = event { cause } else { nil }
    }
  }

  /// Texts that a ready-made guest has kept, in the order of arrival.
  func inbox(of guest: String) -> [String] {
    let container = device.containerPath(of: guest)
    var texts: [String] = []
    while let bytes = FileManager.default.contents(
      atPath: "\(container)/\(InboxFile(of: guest, texts.count + 1))")
    {
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    return texts
  }

  /// Whether the device serves others as if nothing had happened.
  func expectService(_ location: SourceLocation = #_sourceLocation) throws {
    let number = device.guests.running.count
    try app("witness-a\(number)")
    try app("witness-b\(number)")
    share("still here", from: "witness-a\(number)", to: "witness-b\(number)")
    #expect(inbox(of: "witness-b\(number)") == ["still here"], sourceLocation: location)
  }

  /// Stops everything, and checks what must hold at the end of every device.
  func close(_ location: SourceLocation = #_sourceLocation) {
    let pids = device.guests.running.compactMap { device.guests.processIdentifier(of: $0) }
    var isDone = false
    device.guests.stopAll { isDone = true }
    if hasDeafGuests {
      waitAsTimePasses("all guests to stop") { isDone }
    } else {
      wait("all guests to stop") { isDone }
    }
    let decided = decisions.map(\.request)
    let ended = ends.map(\.request)
    #expect(Set(decided).count == decided.count, "one decision each", sourceLocation: location)
    #expect(Set(ended).count == ended.count, "one end each", sourceLocation: location)
    #expect(Set(decided) == Set(ended), "an end for each decision", sourceLocation: location)
    device.close()
    // What a program has started ends with its namespace, a moment after the program.
    #expect(throws: Never.self, sourceLocation: location) {
      for pid in pids {
        try waitUntil("process group \(pid) has gone") { Glibc.kill(-pid, 0) != 0 }
      }
    }
    #expect(device.loop.handleCount == 0, sourceLocation: location)
    #expect(openFiles == [], "a file is left open", sourceLocation: location)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Paths in the device's folder that this process has open. Descriptors of other kinds are counted in
  /// ``DescriptorTests``.
  private var openFiles: [String] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.filter { $0.hasPrefix(folder) }
  }
}

extension Settings {
  /// Policy managed apps, both ways.
  static var managedOnly: Settings {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.allowedInboundDataTransferSources = .managedApps
    return settings
  }
}
