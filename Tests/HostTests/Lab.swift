import EventLoop
import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

/// Tests that start processes.
@Suite(.ownThreads) struct RealProcesses {}

/// A real device with real guests.
///
/// Deadlines pass only by ``pass(_:)``, so no test depends on the machine's speed.
///
/// ``close()`` checks the invariants at the end of every test. Each request has one decision and
/// one end, and no process, handle or file of the device remains open.
final class Lab {
  let device: Device
  private let folder: String
  private var journal: FollowedJournal
  /// Whether a guest ignores stop requests. In this case, time must pass for it.
  var hasDeafGuests = false

  static let anna = Account(
    upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
    tenantID: "contoso.com")

  static let programs = Repository.programs

  /// Returns the configuration of a device with this repository's programs.
  static func configuration(_ name: String = "lab", in folder: String) -> DeviceConfiguration {
    DeviceConfiguration(
      name: name, folder: folder,
      programs: .init(guest: "\(programs)/sluice-guest", launch: "\(programs)/sluice-launch"))
  }

  /// Creates a device.
  ///
  /// - Parameters:
  /// - policy: Anna's policy for `com.example.managed` and `com.example.hostile`.
  /// - managed: A running ready-made guest to which Anna is signed in.
  /// - apps: Running ready-made guests.
  init(
    policy: Settings? = nil, managed: String? = nil, apps: [String] = [],
    _ adjust: (inout DeviceConfiguration) -> Void = { _ in }
  ) throws {
    folder = NSTemporaryDirectory() + "sluice-lab-\(UUID().uuidString)"
    var configuration = Self.configuration(in: folder)
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
    if let managed { try app(managed, managed: true) }
    for name in apps { try app(name) }
  }

  /// Returns a device that traces its guests' output. ``trace`` reads the output.
  static func tracing(
    apps: [String] = [], _ adjust: (inout DeviceConfiguration) -> Void = { _ in }
  ) throws -> Lab {
    try Lab(apps: apps) {
      $0.trace = .file(tracePath(of: $0.folder))
      adjust(&$0)
    }
  }

  /// Whether the kernel has all Landlock features that confinement uses, as reported by
  /// `sluice-launch`.
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

  /// The guarantees of namespaces on this machine.
  static let promises: Zygote.Promises = {
    let zygote = try? Zygote(
      executable: programs + "/sluice-launch", folder: NSTemporaryDirectory())
    defer { zygote?.close() }
    return zygote?.promises ?? []
  }()

  // MARK: Guests

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

  /// Installs the ready-made guest `managed`, which supports several accounts.
  ///
  /// - Parameter account: The account that is signed in; nil for no additional one.
  func installForSeveralAccounts(
    _ account: Account? = anna, wipe: WipeBehaviour? = nil
  ) throws {
    try device.install(
      AppDescription(
        name: "managed", bundleID: "com.example.managed", integratesSDK: true,
        isMultiIdentity: true, behaviour: Behaviour(wipe: wipe)))
    if let account { try device.accounts.presetSignIn(account, in: "managed") }
  }

  /// Installs and starts a guest with one of the modes of `hostile-guest`.
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

  /// Waits until a guest has written to a file of its container.
  ///
  /// - Returns: The file's content.
  func report(_ name: String, of guest: String) -> String {
    var found: String?
    wait("`\(name)` of \(guest)") {
      found = file(name, of: guest)
      return found?.isEmpty == false
    }
    return found ?? ""
  }

  func launch(_ names: [String]) { finish("launch") { device.guests.launch(names, done: $0) } }

  func stop(_ name: String) { finish("stop") { device.guests.stop([name], done: $0) } }

  func kill(_ name: String) { finish("kill") { device.guests.kill([name], done: $0) } }

  /// Starts an operation, and waits for its completion handler.
  func finish(_ what: String, _ begin: (@escaping () -> Void) throws -> Void) rethrows {
    var isDone = false
    try begin { isDone = true }
    wait(what) { isDone }
  }

  /// Makes a request as `guest`, and waits for the outcome.
  ///
  /// - Returns: The outcome at the guest.
  @discardableResult
  func perform(
    _ request: GuestMessage.Body, as task: TaskContext? = nil, on guest: String
  ) -> String {
    var found: [UInt8]?
    device.driver.perform(request, as: task, on: guest) { found = $0.found }
    wait("\(guest) to have its outcome") { found != nil && !device.wipes.isWiping }
    return String(decoding: found ?? [], as: UTF8.self)
  }

  /// Performs a file operation in the ready-made guest, by default for Anna.
  @discardableResult
  func work(
    _ kind: FileWork.Kind, _ path: String, _ text: String = "",
    as task: TaskContext = TaskContext(thread: anna.upn)
  ) -> (text: String, failure: String?) {
    work(FileWork(kind, FileReference(path), content: Array(text.utf8)), as: task)
  }

  func work(
    _ work: FileWork, as task: TaskContext = TaskContext(thread: anna.upn)
  ) -> (text: String, failure: String?) {
    var done: InstructionResult?
    device.driver.perform(work, as: task, on: "managed") { done = $0 }
    wait("work on a file") { done != nil }
    return (String(decoding: done?.found ?? [], as: UTF8.self), done?.failure)
  }

  /// Makes a request as `guest`, without waiting for the outcome.
  func begin(_ request: GuestMessage.Body, on guest: String) {
    device.driver.perform(request, on: guest) { _ in }
  }

  func share(_ text: String, from sender: String, to receiver: String) {
    perform(.sharing(text, with: receiver), on: sender)
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

  /// Shares with a guest that reads nothing, until its deadline has passed.
  func shareInVain(_ text: String, from sender: String, to receiver: String) {
    let count = decisions.count
    finish("the outcome") { done in
      device.driver.perform(.sharing(text, with: receiver), on: sender) { _ in done() }
      wait("the decision") { decisions.count > count }
      pass(\.delivery)
    }
  }

  /// Shares with an extension that gets the item, until the deadline for its work has passed.
  func shareWithExtension(_ text: String, from sender: String, to receiver: String) {
    finish("the outcome") { done in
      device.driver.perform(.sharing(text, with: receiver), on: sender) { _ in done() }
      wait("the delivery") { ends.contains { $0.end == .delivered } }
      pass(\.extensionRequest)
    }
  }

  // MARK: Time

  /// Measures guests' slices with the machine's clock, as in production.
  ///
  /// The lab's clock stands still. With it, one iteration of the loop would serve everything that
  /// guests send meanwhile. This takes minutes if the guests flood the device.
  func sliceByRealTime() {
    device.services.slices.clock = { DispatchTime.now().uptimeNanoseconds }
  }

  /// Simulates that a deadline passes.
  ///
  /// - Parameter limit: The deadline. All earlier deadlines pass as well.
  func pass(_ limit: KeyPath<DeviceConfiguration.Limits, UInt64>) {
    device.loop.advance(by: device.configuration.limits[keyPath: limit])
  }

  /// Handles events until `condition` holds, while time passes for misbehaving guests.
  func waitAsTimePasses(_ what: String, until condition: () -> Bool) {
    wait(what) {
      device.loop.advance(by: 10)
      return condition()
    }
  }

  // MARK: Events

  var events: [JournalEvent.Kind] {
    device.guests.transaction {}
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

  /// Returns the cause of a guest's last exit, in words.
  func exitText(of guest: String) -> String? {
    events.compactMap { event in
      if case .guestExited(guest, _, let text) = event { text } else { nil }
    }.last
  }

  /// The reasons of cancelled extension requests.
  var cancellations: [String] {
    events.compactMap { event in
      if case .extensionCancelled(_, _, let why) = event { why } else { nil }
    }
  }

  /// The journal's text in its file.
  var journalText: String {
    get throws { try String(contentsOfFile: device.journalPath, encoding: .utf8) }
  }

  /// The output of guests so far, on a device that is ``tracing(apps:_:)``.
  var trace: String { (try? String(contentsOfFile: tracePath, encoding: .utf8)) ?? "" }
  var tracePath: String { Self.tracePath(of: folder) }

  private static func tracePath(of folder: String) -> String {
    folder.replacing("sluice-lab-", with: "sluice-trace-")
  }

  /// Returns the content of a file in a guest's container; nil if the file does not exist.
  func file(_ name: String, of guest: String) -> String? {
    try? String(contentsOfFile: "\(device.containerPath(of: guest))/\(name)", encoding: .utf8)
  }

  /// Returns the texts that a ready-made guest has stored, in the order of arrival.
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

  /// Expects that the device serves other guests normally.
  func expectService(_ location: SourceLocation = #_sourceLocation) throws {
    let number = device.guests.running.count
    try app("witness-a\(number)")
    try app("witness-b\(number)")
    share("still here", from: "witness-a\(number)", to: "witness-b\(number)")
    #expect(inbox(of: "witness-b\(number)") == ["still here"], sourceLocation: location)
  }

  /// Expects that the device serves other guests, and closes it.
  func closeInService(_ location: SourceLocation = #_sourceLocation) throws {
    try expectService(location)
    close(location)
  }

  /// Waits until a guest has exited, and expects exactly one exit with this cause.
  func expectEnd(
    of guest: String, _ cause: String, _ location: SourceLocation = #_sourceLocation
  ) {
    wait("the end of \(guest)") { hasEnded(guest) }
    #expect(exits(of: guest) == [cause], sourceLocation: location)
  }

  /// Does the same as `expectEnd` while time passes.
  func expectEndAsTimePasses(
    of guest: String, _ cause: String, _ location: SourceLocation = #_sourceLocation
  ) {
    waitAsTimePasses("the end of \(guest)") { hasEnded(guest) }
    #expect(exits(of: guest) == [cause], sourceLocation: location)
  }

  private func hasEnded(_ guest: String) -> Bool {
    !device.guests.isRunning(guest) && !exits(of: guest).isEmpty
  }

  /// Stops everything, and checks the invariants at the end of every device.
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
    #expect(Set(decided) == Set(ended), "every decision has an end", sourceLocation: location)
    device.close()
    // Child processes end with the program's namespace, shortly after the program.
    #expect(throws: Never.self, sourceLocation: location) {
      for pid in pids {
        try waitUntil("process group \(pid) has gone") { Glibc.kill(-pid, 0) != 0 }
      }
    }
    #expect(device.loop.handleCount == 0, sourceLocation: location)
    #expect(openFiles == [], "a file is left open", sourceLocation: location)
    try? FileManager.default.removeItem(atPath: folder)
    try? FileManager.default.removeItem(atPath: tracePath)
  }

  /// The paths in the device's folder that this process has open. ``DescriptorTests`` counts other
  /// descriptors.
  private var openFiles: [String] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.filter { $0.hasPrefix(folder) }
  }
}

extension GuestMessage.Body {
  static func sharing(_ item: Item, with destination: String) -> Self {
    .share(Share(destination: destination, item: item))
  }

  static func sharing(_ text: String, with destination: String) -> Self {
    sharing(Item(text: text), with: destination)
  }
}

extension Settings {
  /// Returns settings that encrypt files, or do not.
  static func encrypting(_ encrypts: Bool = true) -> Settings {
    var settings = Settings()
    settings.appDataEncryptionType = encrypts ? .whenDeviceLocked : .useDeviceSettings
    return settings
  }

  /// Settings with "Policy managed apps" for sending and receiving.
  static var managedOnly: Settings {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.allowedInboundDataTransferSources = .managedApps
    return settings
  }
}

/// The events of a growing journal. Each event is read once.
struct FollowedJournal {
  private let path: String
  /// The length in bytes of the lines that were already read.
  private var length: UInt64 = 0
  private(set) var events: [JournalEvent.Kind] = []

  init(of path: String) { self.path = path }

  /// Reads the complete lines that were added since the last call.
  mutating func readOn() {
    guard let file = FileHandle(forReadingAtPath: path),
      (try? file.seek(toOffset: length)) != nil,
      let added = try? file.readToEnd(), let end = added.lastIndex(of: UInt8(ascii: "\n"))
    else { return }
    length += UInt64(end - added.startIndex + 1)
    events += added[..<end].split(separator: UInt8(ascii: "\n")).compactMap {
      try? JournalEvent(line: String(decoding: $0, as: UTF8.self)).kind
    }
  }
}
