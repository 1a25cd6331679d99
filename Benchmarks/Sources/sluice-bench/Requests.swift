internal import ArgumentParser

/// Prints transfers as plain facts with the engine's verdict, as input for other policy engines.
struct Requests: ParsableCommand {
  func run() throws { print(try ExportedRequests().lines, terminator: "") }
}
