internal import ArgumentParser
internal import Diagnostics
internal import Encodings
internal import Foundation
internal import Simulation

/// Runs scenarios again whenever a file that they read changes.
struct Watch {
  let paths: [String]

  /// The pause between two looks at the files, in microseconds.
  private static let lookEvery: UInt32 = 250_000

  /// Runs until interrupted. Each run is a process of its own, with the arguments of this one except `--watch`.
  ///
  /// - Throws: the error of Foundation where the process cannot be started.
  func run() throws -> Never {
    while true {
      let before = WatchedFiles(of: paths)
      try runOnce()
      Failure.print("sluice: waiting for changes; Ctrl-C ends it")
      while WatchedFiles(of: paths) == before { usleep(Self.lookEvery) }
      // Editors write in several steps.
      usleep(Self.lookEvery)
      let changes = WatchedFiles(of: paths).changes(since: before)
      Failure.print("sluice: changed: \(Phrase.first(3, of: changes))".escapingUnprintable())
    }
  }

  private func runOnce() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = CommandLine.arguments.dropFirst().filter { $0 != "--watch" }
    try process.run()
    // The child has a process group of its own, to which a terminal sends no signals.
    Interruption.pass(on: process.processIdentifier)
    process.waitUntilExit()
    Interruption.pass(on: nil)
  }
}
