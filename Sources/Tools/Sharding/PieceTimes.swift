public import JSON

/// The times that pieces took, as reports tell them.
public struct PieceTimes: Sendable {
  /// Milliseconds by file and name; of pieces that have both in common, one after the other.
  private var known: [Key: [Int]] = [:]

  private struct Key: Hashable {
    var file: String
    var name: String
  }

  /// No times.
  public init() {}

  /// The times that `--output durations=FILE` wrote, or a certificate of criteria has, as JSON.
  ///
  /// nil where it is neither, or tells no time.
  public init?(report: JSONValue) {
    for test in report["durations"]?.array ?? [] { add(test["file"], test["name"], test) }
    for check in (report["criteria"]?.array ?? []).flatMap({ $0["checks"]?.array ?? [] }) {
      add(check["file"], check["title"], check)
    }
    guard !known.isEmpty else { return nil }
  }

  private mutating func add(_ file: JSONValue?, _ name: JSONValue?, _ piece: JSONValue) {
    guard let name = name?.string, let time = piece["milliseconds"]?.count else { return }
    known[Key(file: file?.string ?? "", name: name), default: []].append(time)
  }

  /// The weight of each piece: the milliseconds that it took, or those that its steps let expect.
  func weights(of pieces: [Piece]) -> [Int] {
    var left = known
    let times = pieces.map { piece -> Int? in
      let key = Key(file: piece.file, name: piece.name)
      guard left[key]?.isEmpty == false else { return nil }
      return left[key]?.removeFirst()
    }
    let timed = zip(pieces, times).filter { $1 != nil }
    let steps = timed.reduce(0) { $0 + Double($1.0.steps) }
    let total = timed.reduce(0) { $0 + Double($1.1 ?? 0) }
    return zip(pieces, times).map { piece, time in
      time ?? (steps == 0 ? piece.steps : max(Int(Double(piece.steps) * total / steps), 1))
    }
  }
}
