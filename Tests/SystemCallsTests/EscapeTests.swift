import Foundation
import TestSupport
import Testing

@testable import SystemCalls

/// Attempts to get out of a guest's confinement, by `escape-attempts`.
@Suite struct EscapeTests {
  @Test(arguments: Cage.profiles)
  func `no attempt succeeds`(profile: SystemCallProfile) throws {
    let outcomes = try Cage(profile).carryOutAll()
    #expect(outcomes.count >= 100)
    #expect(outcomes.filter { $0.error == nil }.map(\.attempt) == Cage.allowed(profile))
  }

  @Test(arguments: Cage.profiles, Cage.Layer.allCases)
  func `with one layer off, the others hold what they claim`(
    profile: SystemCallProfile, layer: Cage.Layer
  ) throws {
    let outcomes = try Cage(profile, without: layer).carryOutAll()
    let claimed = outcomes.filter { !$0.layers.subtracting([layer]).isEmpty }
    #expect(
      claimed.filter { $0.error == nil && !Cage.allowed(profile).contains($0.attempt) }
        .map(\.attempt) == [])
  }

  @Test func `where nothing confines, attempts succeed`() throws {
    let outcomes = try Cage(nil, without: .landlock).carryOutAll()
    let succeeded = Set(outcomes.filter { $0.error == nil }.map(\.attempt))
    let real = outcomes.filter { $0.layers == [.landlock] || $0.layers == [.filter] }
      .map(\.attempt)
    // The rest fails on this machine for other reasons: the kernel lacks it, or the user may not.
    #expect(real.filter(succeeded.contains).count >= 50)
  }

  /// Calls that are refused are told so, for programs to say the reason.
  @Test func `calls that are refused fail with a permission's error`() throws {
    let outcomes = try Cage(.program(.strict, .none)).carryOutAll()
    let errors = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.attempt, $0.error) })
    for (attempt, error) in [
      "limit the memory of another process": "EPERM", "share memory (System V)": "EPERM",
      "make a UDP socket": "EAFNOSUPPORT", "make a Unix socket": "EAFNOSUPPORT",
      "change the mode of a file": "EPERM", "watch a folder": "EPERM",
      "add an attribute to a file (setxattrat)": "EPERM", "call by a ring": "ENOSYS",
      "clone by a structure": "ENOSYS", "clone into a user namespace": "EPERM",
      "read a file": "EACCES", "call in the manner of x32": "ENOSYS",
    ] { #expect(errors[attempt] == error, "\(attempt)") }
  }
}

/// A confinement as guests have it, less a layer.
struct Cage {
  enum Layer: String, CaseIterable, Sendable { case landlock, capabilities, limits, filter }

  struct Outcome {
    let attempt: String
    /// The layers that stop it, each by itself.
    let layers: Set<Layer>
    /// The name of the error with which it failed; nil: it succeeded.
    let error: String?
  }

  static let profiles: [SystemCallProfile] = [
    .readyMade, .program(.strict, .none), .program(.strict, .client),
  ]

  /// What a guest may do that reaches servers.
  static func allowed(_ profile: SystemCallProfile) -> [String] {
    profile == .program(.strict, .client) ? ["make a TCP socket"] : []
  }

  private let filter: CompiledFilter?
  private let absent: Layer?

  /// - Parameter profile: nil: system calls are not filtered.
  init(_ profile: SystemCallProfile?, without layer: Layer? = nil) throws {
    filter = layer == .filter ? nil : try profile.map(CompiledFilter.of)
    absent = layer == .filter ? nil : layer
  }

  func carryOutAll() throws -> [Outcome] {
    let workspace = try Workspace()
    for folder in ["container", "outside"] {
      try FileManager.default.createDirectory(
        atPath: workspace.path(folder), withIntermediateDirectories: true)
    }
    try workspace.write("secret", to: "outside/file")
    let victim = try StartedProgram("/bin/sleep", ["1000"])
    defer {
      kill(victim.processIdentifier, SIGKILL)
      victim.waitUntilExit()
    }
    let output = Pipe()
    let attempts = try StartedProgram(
      "\(Repository.programs)/escape-attempts",
      (absent.map { ["--without", $0.rawValue] } ?? [])
        + ["--write", ".", "--memory", "1073741824"] + (filter == nil ? [] : ["--filter-calls"])
        + [
          "--", "\(victim.processIdentifier)", workspace.path("outside/file"),
          workspace.path("outside"),
        ],
      in: workspace.path("container"), output: output.fileHandleForWriting,
      more: filter.map { [nil, $0.descriptor] } ?? [])
    try output.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    attempts.waitUntilExit()
    #expect(attempts.terminationStatus == 0)
    return text.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Outcome(
        attempt: fields[0],
        layers: Set(fields[1].split(separator: ",").compactMap { Layer(rawValue: String($0)) }),
        error: fields[2] == "succeeded" ? nil : fields[2])
    }
  }
}
