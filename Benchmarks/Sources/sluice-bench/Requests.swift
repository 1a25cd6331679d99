internal import ArgumentParser

/// Prints transfers as plain facts with the engine's outcome, for other policy engines to decide.
struct Requests: ParsableCommand {
  func run() throws { print(try ExportedRequests().lines, terminator: "") }
}
