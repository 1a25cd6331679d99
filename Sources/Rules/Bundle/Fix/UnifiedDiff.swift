/// The difference between two texts in the format of `diff -u`.
enum UnifiedDiff {
  /// The number of unchanged lines around each change.
  private static let context = 3

  private enum Line {
    case same, removed, added
  }

  private struct Entry {
    var kind: Line
    var text: Substring
  }

  /// The difference between the two texts; empty if they are equal.
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
    var text = "--- \(file)\n+++ \(file) (fixed)\n"
    // `before` and `after` count the lines of each text before the hunk.
    var (before, after, end) = (0, 0, 0)
    for hunk in hunks {
      for line in script[end..<hunk.lowerBound] {
        before += line.kind == .added ? 0 : 1
        after += line.kind == .removed ? 0 : 1
      }
      let lines = script[hunk]
      let counts = (lines.count { $0.kind != .added }, lines.count { $0.kind != .removed })
      text += "@@ -\(span(before, counts.0)) +\(span(after, counts.1)) @@\n"
      text += lines.map(self.text(of:)).joined()
      (before, after, end) = (before + counts.0, after + counts.1, hunk.upperBound)
    }
    return text
  }

  private static func text(of line: Entry) -> String {
    let mark = line.kind == .same ? " " : line.kind == .removed ? "-" : "+"
    let end = line.text.last?.isNewline == true ? "" : "\n\\ No newline at end of file\n"
    return mark + line.text + end
  }

  private static func span(_ start: Int, _ count: Int) -> String {
    let first = count == 0 ? start : start + 1
    return count == 1 ? "\(first)" : "\(first),\(count)"
  }

  // MARK: Comparison

  /// The maximum number of line pairs to compare. All lines of larger sections count as changed.
  private static let limit = 1 << 20

  /// The lines of both texts, in an order that converts one text to the other. Anchors are unchanged lines;
  /// the sections between them are compared line by line.
  private static func script(_ old: [Substring], _ new: [Substring]) -> [Entry] {
    var script: [Entry] = []
    var (start, target) = (0, 0)
    for (place, counterpart) in anchors(old, new) + [(old.count, new.count)] {
      script += part(old[start..<place], new[target..<counterpart])
      if place < old.count { script.append(Entry(kind: .same, text: old[place])) }
      (start, target) = (place + 1, counterpart + 1)
    }
    return script
  }

  private static func part(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) -> [Entry] {
    let head = zip(old, new).prefix { $0 == $1 }.count
    let rest = (old.dropFirst(head), new.dropFirst(head))
    let tail = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.count
    let (from, to) = (rest.0.dropLast(tail), rest.1.dropLast(tail))
    let isLong = from.count * to.count > limit
    let middle =
      from.isEmpty || to.isEmpty || isLong
      ? entries(.removed, from) + entries(.added, to) : changed(Array(from), Array(to))
    return entries(.same, old.prefix(head)) + middle + entries(.same, old.suffix(tail))
  }

  private static func entries(_ kind: Line, _ lines: ArraySlice<Substring>) -> [Entry] {
    lines.map { Entry(kind: kind, text: $0) }
  }

  private static func changed(_ old: [Substring], _ new: [Substring]) -> [Entry] {
    let difference = new.difference(from: old)
    let removed = Set(difference.removals.map(\.place))
    let added = Set(difference.insertions.map(\.place))
    var script: [Entry] = []
    var (next, target) = (0, 0)
    while next < old.count || target < new.count {
      if removed.contains(next), next < old.count {
        script.append(Entry(kind: .removed, text: old[next]))
        next += 1
      } else if added.contains(target), target < new.count {
        script.append(Entry(kind: .added, text: new[target]))
        target += 1
      } else {
        script.append(Entry(kind: .same, text: old[next]))
        next += 1
        target += 1
      }
    }
    return script
  }

  /// The indexes, in both texts, of the anchors: a longest common sequence of the lines that occur exactly
  /// once in each text.
  private static func anchors(
    _ old: [Substring], _ new: [Substring]
  ) -> [(place: Int, counterpart: Int)] {
    let counterparts = places(in: new)
    let pairs = places(in: old).compactMap { line, place -> (place: Int, counterpart: Int)? in
      guard let counterpart = counterparts[line] else { return nil }
      return (place, counterpart)
    }.sorted { $0.place < $1.place }
    // For each sequence length, the pair with the least counterpart that ends such a sequence; and each
    // pair's predecessor.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: pairs.count)
    for index in pairs.indices {
      var range = 0..<ends.count
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        if pairs[ends[middle]].counterpart < pairs[index].counterpart {
          range = middle + 1..<range.upperBound
        } else {
          range = range.lowerBound..<middle
        }
      }
      let length = range.lowerBound
      previous[index] = length > 0 ? ends[length - 1] : nil
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var anchors: [(place: Int, counterpart: Int)] = []
    var next = ends.last
    while let index = next {
      anchors.append(pairs[index])
      next = previous[index]
    }
    return anchors.reversed()
  }

  /// The index of each line that occurs exactly once.
  private static func places(in lines: [Substring]) -> [Substring: Int] {
    Dictionary(lines.indices.map { (lines[$0], $0) }) { _, _ in -1 }.filter { $0.value >= 0 }
  }

  /// The lines, with their line ends.
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
