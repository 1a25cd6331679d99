internal import ArgumentParser
internal import DeviceControl
internal import Encodings
internal import Foundation
internal import Scenario
internal import Simulation

/// Suggestions for completing a line that is entered for a running device.
struct Completion: Sendable {
  private let calls: [String]
  /// The keys that each step accepts. Keys of the dictionary are names of steps.
  private let keys: [String: [String]]
  private let apps: [String]
  private let accounts: [String]

  /// The keys that are not specific to one kind of step.
  private static let common = ["as=", "window=", "repeat=", "expect.verdict=", "expect.end="]

  /// Asks the device for its steps, apps and accounts.
  init(_ session: ControlSession) throws(RunError) {
    let methods = try session.result(of: "methods")["result"]
    let steps = (methods?["steps"]?.array ?? []).compactMap(\.string)
    calls = (steps + ControlCall.words + ["exit", "help"]).sorted()
    apps = Self.names(try session.result(of: "apps")["result"]?["apps"])
    accounts = Self.names(try session.result(of: "accounts")["result"]?["accounts"])
    let schema = StepSchema.installed
    // The device may run another version. Its list of steps may contain duplicates.
    keys = Dictionary(
      steps.map { ($0, schema?.keys(of: $0).map(\.name) ?? []) }, uniquingKeysWith: { $1 })
  }

  private static func names(_ list: JSONValue?) -> [String] {
    (list?.array ?? []).compactMap { $0["name"]?.string }
  }

  /// Returns the possible completions of `word`, the last word of a line. `before` is the text before it.
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

  /// Returns the possible values of all keys, limited to values that begin with `word`.
  func values(beginningWith word: some StringProtocol) -> [String] {
    (apps + accounts + ["unset", "unknown", "allowed", "blocked", "encrypted"])
      .filter { $0.hasPrefix(word) }
  }
}

// MARK: - Shells

/// Completions of arguments that depend on running devices.
extension CompletionKind {
  /// The completion of an argument that is a running device, a folder or a file. Running devices come first.
  static var runningDevices: CompletionKind {
    .custom { _, _, word in
      endSoon()
      let found = ControlSocket.devices.filter { $0.hasPrefix(word) } + files(beginningWith: word)
      return found.filter(isPlain)
    }
  }

  /// The completion of a step's words: the names of steps, keys, apps and accounts of a running device.
  static var steps: CompletionKind {
    .custom { words, index, word in
      endSoon()
      let before = stepWords(words.prefix(max(index, 0)))
      guard let control = try? ControlOptions.parse(socketOptions(words)),
        let connection = try? control.connect(),
        let completion = try? Completion(ControlSession(connection, .text))
      else { return [] }
      // Bash treats `=` as a separate word, and the value after it as another word.
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

  /// Returns whether shells insert `word` literally. Other candidates are unsafe, because Bash would execute the
  /// commands in them.
  private static func isPlain(_ word: String) -> Bool {
    word.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "._-/=@+:,% ".unicodeScalars.contains(scalar)
    }
  }

  /// Ends this process after 2 seconds: a device may not answer, and a user is waiting for the completion.
  private static func endSoon() { alarm(2) }

  /// Returns the words after `ctl`, without options and their values.
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
