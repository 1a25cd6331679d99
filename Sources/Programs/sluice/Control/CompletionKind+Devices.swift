internal import ArgumentParser
internal import Foundation
internal import Simulation

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
