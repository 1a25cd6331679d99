import EventLoop
import class EventLoop.Pipe
import Foundation
import TestSupport
import Testing

@testable import Host

/// Makes the attempts of `escape-attempts` to escape from a guest's confinement.
@Suite struct EscapeTests {
  @Test(arguments: Cage.profiles)
  func `no escape attempt of a fully confined process succeeds`(profile: SystemCallProfile) throws {
    let outcomes = try Cage(profile).carryOutAll()
    #expect(outcomes.count >= 100)
    #expect(Cage.escapes(outcomes, profile) == [])
  }

  @Test(arguments: Cage.profiles, Cage.Layer.allCases)
  func `with one layer of confinement off, the other layers stop every escape attempt`(
    profile: SystemCallProfile, layer: Cage.Layer
  ) throws {
    let outcomes = try Cage(profile, without: layer).carryOutAll()
    #expect(Cage.escapes(outcomes, profile, without: layer) == [])
  }

  @Test func `without confinement, at least 50 of the escape attempts succeed`() throws {
    let outcomes = try Cage(nil, without: .namespaces).carryOutAll()
    let succeeded = Set(outcomes.filter { $0.error == nil }.map(\.attempt))
    let real = outcomes.filter { $0.layers == [.landlock] || $0.layers == [.filter] }
      .map(\.attempt)
    // The other attempts fail on this machine for other reasons: the kernel lacks the call, or the
    // user lacks the permission.
    #expect(real.filter(succeeded.contains).count >= 50)
  }

  /// Denied calls fail with an error that programs can report.
  @Test func `denied system calls fail with error numbers such as EPERM and ENOSYS`() throws {
    let outcomes = try Cage(.program(.strict, .none)).carryOutAll()
    let errors = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.attempt, $0.error) })
    for (attempt, error) in [
      "limit the memory of another process": "EPERM", "share memory (System V)": "EPERM",
      "make a UDP socket": "EAFNOSUPPORT", "make a Unix socket": "EAFNOSUPPORT",
      "change the mode of a file": "EPERM", "watch a folder": "EPERM",
      "make a filter": "EPERM", "attach a filter to a socket": "EPERM",
      "add an attribute to a file (setxattrat)": "ENOSYS", "call by a ring": "ENOSYS",
      "clone by a structure": "ENOSYS", "clone into a user namespace": "EPERM",
      "read a file": "EACCES", "call in the manner of x32": "ENOSYS",
    ] { #expect(errors[attempt] == error, "\(attempt)") }
  }
}

/// A guest's confinement, optionally without one layer.
struct Cage {
  enum Layer: String, CaseIterable, Sendable {
    case landlock, capabilities, limits, filter, namespaces
  }

  struct Outcome {
    let attempt: String
    /// The layers that stop the attempt. Each layer stops it on its own.
    let layers: Set<Layer>
    /// The name of the error; nil if the attempt succeeded.
    let error: String?
  }

  static let profiles: [SystemCallProfile] = [
    .readyMade, .zygote, .program(.strict, .none), .program(.strict, .client),
  ]

  /// Returns the attempts that guests with a network may perform.
  static func allowed(_ profile: SystemCallProfile) -> [String] {
    profile == .program(.strict, .client) ? ["make a TCP socket"] : []
  }

  /// The calls that the zygote's filter allows, because guests are started with them. Each call
  /// requires capabilities.
  private static let calls = ["change the root", "fork as a zygote does"]

  /// Returns the layers that stop an attempt by guests with `profile`.
  private static func layers(
    of outcome: Outcome, _ profile: SystemCallProfile
  ) -> Set<Layer> {
    profile == .zygote && calls.contains(outcome.attempt)
      ? outcome.layers.subtracting([.filter]) : outcome.layers
  }

  /// Returns the attempts that succeeded although an active layer should stop them.
  static func escapes(
    _ outcomes: [Outcome], _ profile: SystemCallProfile, without layer: Layer? = nil
  ) -> [String] {
    var absent = Set([layer].compactMap(\.self))
    if !hasNamespaces { absent.insert(.namespaces) }
    return outcomes.filter { outcome in
      let layers = layers(of: outcome, profile).subtracting(absent)
      return outcome.error == nil && !allowed(profile).contains(outcome.attempt)
        && (!layers.isEmpty || (outcome.layers.isEmpty && layer == nil))
    }.map(\.attempt)
  }

  /// Whether namespaces give all their guarantees on this machine.
  static let hasNamespaces: Bool = {
    let zygote = try? Self.zygote(NSTemporaryDirectory())
    defer { zygote?.close() }
    return zygote?.promises == [.network, .processes, .execution, .mounts]
  }()

  private static func zygote(_ folder: String) throws -> Zygote {
    try Zygote(executable: "\(Repository.programs)/sluice-launch", folder: folder)
  }

  private let profile: SystemCallProfile?
  private let filter: CompiledFilter?
  private let absent: Layer?

  /// Creates a confinement.
  ///
  /// - Parameter profile: The filter of system calls; nil to disable the filter.
  init(_ profile: SystemCallProfile?, without layer: Layer? = nil) throws {
    self.profile = profile
    filter = layer == .filter ? nil : try profile.map(CompiledFilter.of)
    absent = layer
  }

  func carryOutAll() throws -> [Outcome] {
    let workspace = try Workspace()
    for folder in ["device/container", "device/sibling", "outside"] {
      try FileManager.default.createDirectory(
        atPath: workspace.path(folder), withIntermediateDirectories: true)
    }
    try workspace.write("secret", to: "outside/file")
    try workspace.write("secret", to: "device/sibling/file")
    let victim = try StartedProgram("/bin/sleep", ["1000"])
    defer {
      kill(victim.processIdentifier, SIGKILL)
      victim.waitUntilExit()
    }
    let text = try run(
      options(in: workspace.path("device")) + [
        "--", "\(victim.processIdentifier)", workspace.path("outside/file"),
        workspace.path("outside"), workspace.path("device/sibling/file"),
      ], in: workspace.path("device"))
    return text.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Outcome(
        attempt: fields[0],
        layers: Set(fields[1].split(separator: ",").compactMap { Layer(rawValue: String($0)) }),
        error: fields[2] == "succeeded" ? nil : fields[2])
    }
  }

  private var isAmongNamespaces: Bool { absent != .namespaces && Self.hasNamespaces }

  private func options(in device: String) -> [String] {
    var options: [String] = []
    if let absent, ![.filter, .namespaces].contains(absent) {
      options += ["--without", absent.rawValue]
    }
    options += ["--write", ".", "--memory", "1073741824"]
    if filter != nil { options.append("--filter-calls") }
    guard isAmongNamespaces else { return options }
    // The device does the same for the ready-made guest and for programs.
    return options
      + ([.readyMade, .zygote].contains(profile)
        ? ["--root", "."] : ["--mount-processes", "--view", device])
  }

  /// Runs `escape-attempts` in the container, and returns its output.
  private func run(_ arguments: [String], in device: String) throws -> String {
    let program = "\(Repository.programs)/escape-attempts"
    let zygote = isAmongNamespaces ? try Self.zygote(device) : nil
    defer { zygote?.close() }
    let loop = try EventLoop()
    defer { loop.close() }
    let (output, childEnd) = try Pipe.capture(on: loop)
    defer { output.close() }
    var text: [UInt8] = []
    var exit: ChildProcess.Exit?
    var hasEnded = false
    output.onRead = { text += $0 }
    output.onEnd = { _ in hasEnded = true }
    try output.startReading()
    let process = try ChildProcess(
      ChildProcess.Specification(
        zygote.map { .executableAmong($0, program) } ?? .executable(program),
        arguments: [program] + arguments, directory: "\(device)/container",
        descriptors: [
          .null, .inherited(childEnd), .inherited(STDERR_FILENO), .null,
          filter.map { .inherited($0.descriptor) } ?? .null,
        ]), on: loop
    ) { exit = $0 }
    close(childEnd)
    loop.run { exit != nil && hasEnded }
    process.close()
    #expect(exit == .status(0))
    return String(decoding: text, as: UTF8.self)
  }
}
