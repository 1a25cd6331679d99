internal import Foundation

/// The words of a command line.
enum CommandWords {
  /// The path of this program.
  static var program: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "sluice"
  }

  /// The options about where parts are done, and about reports, which are made of all parts together.
  private static let ofWhole = [
    "--on", "--shards", "--image", "--claim", "--format", "--output", "--color",
    "--coverage-output", "--min-coverage",
  ]
  private static let flagsOfWhole = ["--print", "--verbose", "-v", "--coverage"]

  /// The words that each part gets, of those that the whole was given.
  static func ofShards(_ words: some Sequence<String>) -> [String] {
    var kept: [String] = []
    var isValue = false
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      if word == "--" { return kept + [word] + rest }
      if isValue {
        isValue = false
      } else if ofWhole.contains(word) {
        isValue = true
      } else if !flagsOfWhole.contains(word), !ofWhole.contains(where: { word.hasPrefix($0 + "=") })
      {
        kept.append(word)
      }
    }
    return kept
  }
}
