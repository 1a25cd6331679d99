/// The difference of two texts as `diff -u` tells it.
enum UnifiedDiff {
  /// How many lines that stay are shown around those that change.
  private static let context = 3

  private enum Line {
    case same, removed, added
  }

  /// Empty for equal texts.
  static func text(of file: String, from old: String, to new: String) -> String {
    let script = script(lines(of: old), lines(of: new))
    let changes = script.indices.filter { script[$0].kind != .same }
    guard !changes.isEmpty else { return "" }
    var hunks: [Range<Int>] = []
    for index in changes {
      let hunk = max(0, index - context)..<min(script.count, index + context + 1)
      if let last = hunks.last, hunk.lowerBound <= last.upperBound {
        hunks[hunks.count - 1] = last.lowerBound..<hunk.upperBound
      } else {
        hunks.append(hunk)
      }
    }
    return "--- \(file)\n+++ \(file) (fixed)\n"
      + hunks.map { self.text(of: $0, in: script) }.joined()
  }

  private static func text(of hunk: Range<Int>, in script: [(kind: Line, text: Substring)])
    -> String
  {
    let before = script[..<hunk.lowerBound]
    let starts = (before.count { $0.kind != .added }, before.count { $0.kind != .removed })
    let lines = script[hunk]
    let counts = (lines.count { $0.kind != .added }, lines.count { $0.kind != .removed })
    let header = "@@ -\(span(starts.0, counts.0)) +\(span(starts.1, counts.1)) @@\n"
    return header
      + lines.map { line in
        let mark = line.kind == .same ? " " : line.kind == .removed ? "-" : "+"
        let end = line.text.last?.isNewline == true ? "" : "\n\\ No newline at end of file\n"
        return mark + line.text + end
      }.joined()
  }

  private static func span(_ start: Int, _ count: Int) -> String {
    let first = count == 0 ? start : start + 1
    return count == 1 ? "\(first)" : "\(first),\(count)"
  }

  /// All lines of both texts, in an order in which one becomes the other.
  private static func script(
    _ old: [Substring], _ new: [Substring]
  ) -> [(kind: Line, text: Substring)] {
    let difference = new.difference(from: old)
    let removed = Set(difference.removals.map(\.place))
    let added = Set(difference.insertions.map(\.place))
    var script: [(kind: Line, text: Substring)] = []
    var (next, target) = (0, 0)
    while next < old.count || target < new.count {
      if removed.contains(next), next < old.count {
        script.append((.removed, old[next]))
        next += 1
      } else if added.contains(target), target < new.count {
        script.append((.added, new[target]))
        target += 1
      } else {
        script.append((.same, old[next]))
        next += 1
        target += 1
      }
    }
    return script
  }

  /// With their ends.
  private static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var rest = text[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(where: \.isNewline).map { rest.index(after: $0) } ?? rest.endIndex
      lines.append(rest[..<end])
      rest = rest[end...]
    }
    return lines
  }
}

extension CollectionDifference.Change {
  fileprivate var place: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
