internal import ArgumentParser
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

// MARK: - Shells

/// What shells complete by asking running devices.
extension CompletionKind {
  /// The devices that are up, by their names, then folders and files.
  static var runningDevices: CompletionKind {
    .custom { _, _, word in
      endSoon()
      let found = ControlSocket.devices.filter { $0.hasPrefix(word) } + files(beginningWith: word)
      return found.filter(isPlain)
    }
  }

  /// A step for the running device, its keys, apps and accounts.
  static var steps: CompletionKind {
    .custom { words, index, word in
      endSoon()
      let before = stepWords(words.prefix(max(index, 0)))
      guard let control = try? ControlOptions.parse(socketOptions(words)),
        let connection = try? control.connect(),
        let completion = try? Completion(ControlDesk(connection, .text))
      else { return [] }
      // To bash, `=` is a word, and what follows it another one.
      let found =
        if word == "=" {
          completion.values(beginningWith: "")
        } else if before.last == "=" {
          completion.values(beginningWith: word)
        } else {
          completion.words(for: word, after: before.joined(separator: " "))
        }
      return found.filter(isPlain)
    }
  }

  /// Whether shells take a word as it is: bash runs commands that stand in candidates.
  private static func isPlain(_ word: String) -> Bool {
    word.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "._-/=@+:,% ".unicodeScalars.contains(scalar)
    }
  }

  /// Ends this process where devices do not answer: whoever has pressed the key waits.
  private static func endSoon() { alarm(2) }

  /// The words of the step: those behind `ctl`, without options.
  private static func stepWords(_ words: ArraySlice<String>) -> [String] {
    var step = words.drop { $0 != "ctl" }.dropFirst()
    var kept: [String] = []
    while let word = step.popFirst() {
      if !word.hasPrefix("-") {
        kept.append(word)
      } else if !word.contains("=") {
        step = step.dropFirst()
      }
    }
    return kept
  }

  private static func socketOptions(_ words: [String]) -> [String] {
    guard let place = words.firstIndex(of: "--socket"), place + 1 < words.count else { return [] }
    return ["--socket", words[place + 1]]
  }

  private static func files(beginningWith word: String) -> [String] {
    let end = word.lastIndex(of: "/").map(word.index(after:)) ?? word.startIndex
    let folder = String(word[..<end])
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    let found = (names ?? []).map { folder + $0 }
      .filter {
        $0.hasPrefix(word) && (end < word.endIndex || !$0.dropFirst(folder.count).hasPrefix("."))
      }
    return found.sorted()
  }
}
