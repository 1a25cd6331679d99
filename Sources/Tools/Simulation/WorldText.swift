internal import Diagnostics
internal import Foundation
internal import Scenario

/// The text of a scenario without its cases: a world, to which others can be added.
struct WorldText {
  /// Whole lines of YAML; no empty ones at the end.
  private(set) var lines: String

  /// The world of `scenario`, which was read from `text`.
  ///
  /// - Throws: ``RunError`` where the scenario's cases are not a block of its own.
  init(_ text: String, of scenario: Scenario) throws(RunError) {
    let all = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    // Elements of a list may stand at the beginning of a line, too.
    let isKey = { (line: Substring) in
      line.first.map { !$0.isWhitespace && !"#-".contains($0) } ?? false
    }
    guard
      let start = all.firstIndex(where: { $0.hasPrefix("cases:") || $0.hasPrefix("steps:") })
    else {
      throw RunError(
        .file(scenario.file),
        "its `cases` or `steps` do not begin a line; write it in YAML's block style", rule: "cases")
    }
    let end = all[(start + 1)...].firstIndex(where: isKey) ?? all.endIndex
    var kept = Array(all[..<start] + all[end...])
    while kept.last?.allSatisfy(\.isWhitespace) == true { kept.removeLast() }
    lines = kept.joined(separator: "\n") + "\n"
  }

  /// The same world, whose users answer rightly what they are asked.
  var answered: WorldText {
    var world = self
    world.lines.replace(/(?m)(?<key>[\s{,]prompts:\s*)["']?asked["']?(?=\s*([,}#]|$))/) {
      "\($0.key)answered"
    }
    return world
  }

  /// The same world with other paths in place of those by which the scenario names its files.
  func relocated(_ scenario: Scenario, _ path: (String) -> String) -> WorldText {
    var world = self
    for name in scenario.namedFiles {
      world.lines = world.lines.replacingPath(name, with: path(name))
    }
    return world
  }
}

extension String {
  /// The text of a scenario with another path where one of its keys has `path`.
  func replacingPath(_ path: String, with other: String) -> String {
    let keys = "file|path|executable|profile|declarations|folder"
    let escaped = NSRegularExpression.escapedPattern(for: path)
    let place =
      "((?:^|[\\s{,\"'])(?:\(keys))[\"']?\\s*:\\s*[\"']?)\(escaped)(?=[\"']?\\s*(?:[,}#\\]]|$))"
    guard let pattern = try? NSRegularExpression(pattern: place, options: .anchorsMatchLines) else {
      preconditionFailure("a path without meaning to regular expressions is one")
    }
    return pattern.stringByReplacingMatches(
      in: self, range: NSRange(startIndex..., in: self),
      withTemplate: "$1" + NSRegularExpression.escapedTemplate(for: other))
  }
}
