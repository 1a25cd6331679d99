internal import ArgumentParser
internal import Foundation
internal import Simulation

/// Runs scenarios again whenever something changes that they read.
struct Watch {
  let paths: [String]

  /// In microseconds.
  private static let lookEvery: UInt32 = 250_000

  /// Each run is a process of its own, with the arguments of this one but `--watch`; until interrupted.
  func run() throws -> Never {
    while true {
      let before = WatchedFiles(of: paths)
      try runOnce()
      Failure.print("sluice: waiting for changes; Ctrl-C ends it")
      while WatchedFiles(of: paths) == before { usleep(Self.lookEvery) }
      // Editors write in several steps.
      usleep(Self.lookEvery)
    }
  }

  private func runOnce() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = CommandLine.arguments.dropFirst().filter { $0 != "--watch" }
    try process.run()
    // It has a process group of its own, which a terminal sends nothing to.
    Interruption.pass(on: process.processIdentifier)
    process.waitUntilExit()
    Interruption.pass(on: nil)
  }
}
