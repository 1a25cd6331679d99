internal import Foundation
internal import Output
package import Scenario

/// The text of a scenario without its cases, to which other cases can be added.
package struct WorldText {
  /// Complete lines of YAML, without empty lines at the end.
  package private(set) var lines: String
  private let file: String

  /// Creates the text of `scenario` without its cases. `text` is the whole text of the scenario.
  ///
  /// - Throws: ``RunError`` if the scenario's cases do not form a separate block, or if their removal changes the
  ///   meaning of the rest.
  package init(_ text: String, of scenario: Scenario) throws(RunError) {
    let all = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    // Elements of a list may begin in the first column, too.
    let isKey = { (line: Substring) in
      line.first.map { !$0.isWhitespace && !"#-".contains($0) } ?? false
    }
    guard
      let start = all.firstIndex(where: { $0.hasPrefix("cases:") || $0.hasPrefix("steps:") })
    else {
      throw RunError(
        .file(scenario.file),
        "`cases` or `steps` must be at the beginning of a line; write the scenario in YAML's block style",
        rule: "cases")
    }
    let end = all[(start + 1)...].firstIndex(where: isKey) ?? all.endIndex
    var kept = Array(all[..<start] + all[end...])
    while kept.last?.allSatisfy(\.isWhitespace) == true { kept.removeLast() }
    lines = kept.joined(separator: "\n") + "\n"
    file = scenario.file
    guard Scenario.isSameWorld(text, as: lines + Self.anyCase) else {
      throw RunError(
        .file(file),
        "`cases` or `steps` cannot be removed: the rest of the scenario uses an anchor in them, or `...` follows them",
        rule: "cases")
    }
  }

  /// A placeholder case. With it, the text is a valid scenario.
  private static let anyCase = "\ncases:\n  - name: any\n    steps:\n      - wait: idle\n"

  /// A copy of the text in which devices with `prompts: asked` have `prompts: answered`, so all prompts get correct
  /// answers.
  package var answered: WorldText {
    var world = self
    world.lines.replace(/(?m)(?<key>[\s{,]prompts:\s*)["']?asked["']?(?=\s*([,}#]|$))/) {
      "\($0.key)answered"
    }
    return world
  }

  /// Returns a copy in which each path of the scenario is replaced by the result of `path`.
  ///
  /// - Throws: ``RunError`` if the replacement changes anything but the paths.
  package func relocated(
    _ scenario: Scenario, _ path: (String) -> String
  ) throws(RunError) -> WorldText {
    var world = self
    let paths = scenario.namedFiles.map { ($0, path($0)) }
    world.lines = world.lines.replacingPaths(Dictionary(paths) { first, _ in first })
    let (text, other) = (lines + Self.anyCase, world.lines + Self.anyCase)
    guard Scenario.isSameWorld(text, as: other, naming: path) else {
      throw RunError(
        .file(file),
        "the scenario's paths cannot be rewritten for another folder; write to the scenario's own folder",
        rule: "paths")
    }
    return world
  }
}

extension String {
  /// Returns a scenario's text with other paths. A path is replaced where it is the value of a key that names a file or
  /// folder. The keys of `paths` are the old paths, and the values are the new paths.
  package func replacingPaths(_ paths: [String: String]) -> String {
    guard !paths.isEmpty else { return self }
    let keys = Scenario.fileKeys.sorted().joined(separator: "|")
    // Longest first, because one path may be a prefix of another.
    let names = paths.keys.sorted { $0.count > $1.count }
      .map(NSRegularExpression.escapedPattern).joined(separator: "|")
    let place =
      "((?:^|[\\s{,\"'])(?:\(keys))[\"']?\\s*:\\s*[\"']?)(\(names))(?=[\"']?\\s*(?:[,}#\\]]|$))"
    guard let pattern = try? NSRegularExpression(pattern: place, options: .anchorsMatchLines) else {
      preconditionFailure("an escaped path is a valid regular expression")
    }
    let text = NSMutableString(string: self)
    for match in pattern.matches(in: self, range: NSRange(startIndex..., in: self)).reversed() {
      let name = text.substring(with: match.range(at: 2))
      text.replaceCharacters(in: match.range(at: 2), with: paths[name] ?? name)
    }
    return text as String
  }
}
