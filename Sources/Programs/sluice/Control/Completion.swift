internal import Foundation
internal import JSON
internal import Scenario
internal import Simulation

/// The words that may stand at a place in a line for a running device.
struct Completion: Sendable {
  private let calls: [String]
  /// The keys of each step, by its name.
  private let keys: [String: [String]]
  private let apps: [String]
  private let accounts: [String]

  /// Keys that every step may have.
  private static let common = ["as=", "window=", "repeat=", "expect.verdict=", "expect.end="]

  /// Asks the device for the words.
  ///
  /// - Throws: ``RunError`` where the device has hung up.
  init(_ desk: ControlDesk) throws(RunError) {
    let methods = try desk.result(of: "methods")["result"]
    let steps = (methods?["steps"]?.array ?? []).compactMap(\.string)
    calls = (steps + ControlCall.words + ["exit", "help"]).sorted()
    apps = Self.names(try desk.result(of: "apps")["result"]?["apps"])
    accounts = Self.names(try desk.result(of: "accounts")["result"]?["accounts"])
    let schema = StepSchema.installed
    // The device may be another program, and name a step twice.
    keys = Dictionary(
      steps.map { ($0, schema?.keys(of: $0).map(\.name) ?? []) }, uniquingKeysWith: { $1 })
  }

  private static func names(_ list: JSONValue?) -> [String] {
    (list?.array ?? []).compactMap { $0["name"]?.string }
  }

  /// Words that begin with `word`.
  ///
  /// - Parameter before: the line before `word`.
  func words(for word: String, after before: String) -> [String] {
    guard let call = StepLine.words(before).first else {
      return calls.filter { $0.hasPrefix(word) }
    }
    if call == "help" { return keys.keys.sorted().filter { $0.hasPrefix(word) } }
    if call == "admin" {
      let isFirst = StepLine.words(before).count == 1
      return isFirst ? ControlCall.administration.filter { $0.hasPrefix(word) } : []
    }
    guard let equals = word.firstIndex(of: "=") else {
      let keys = (keys[call] ?? []).map { $0 + "=" } + Self.common
      return (keys + apps).filter { $0.hasPrefix(word) }
    }
    let (head, value) = (word[...equals], word[word.index(after: equals)...])
    return values(beginningWith: value).map { head + $0 }
  }

  /// Values of keys that begin with `word`.
  func values(beginningWith word: some StringProtocol) -> [String] {
    (apps + accounts + ["unset", "unknown", "allowed", "blocked", "encrypted"])
      .filter { $0.hasPrefix(word) }
  }
}
