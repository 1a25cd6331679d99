internal import Output
package import Simulation

/// The results of all pieces of a run, merged from its shards' blobs.
package struct Merge: Sendable {
  package let plan: Plan
  /// The results, in the order of the pieces.
  package let results: [PieceResult]
  /// The texts of files to which results refer, keyed by path.
  package let texts: [String: String]

  /// Merges the blobs of all shards of a run.
  ///
  /// - Throws: ``RunError`` if blobs belong to different runs, shards are missing or duplicate, or a piece was executed
  ///   by no shard or by several.
  package init(of blobs: [Blob]) throws(RunError) {
    guard let first = blobs.first else {
      throw RunError(.command, "there is no blob to merge", rule: "merge")
    }
    for blob in blobs.dropFirst() { try Self.check(blob, isOfTheRunOf: first) }
    try Self.checkShards(blobs)
    plan = first.plan
    results = try Self.results(of: blobs, count: first.plan.pieces.count)
    texts = blobs.reduce(into: [:]) { $0.merge($1.texts) { one, _ in one } }
  }

  /// Decodes the results as the command's result type.
  ///
  /// - Throws: ``RunError`` if a result has another type.
  package func values<Value: Mergeable>(of _: Value.Type) throws(RunError) -> [Value] {
    var values: [Value] = []
    for (piece, result) in zip(plan.pieces, results) {
      guard let value = Value(result, of: piece) else {
        throw RunError(
          .command, "the result of `\(piece.name)` belongs to another command", rule: "merge")
      }
      values.append(value)
    }
    return values
  }

  private static func results(
    of blobs: [Blob], count: Int
  ) throws(RunError) -> [PieceResult] {
    var all = [PieceResult?](repeating: nil, count: count)
    for blob in blobs {
      for (number, result) in blob.results {
        guard all[number] == nil else {
          let name = blob.plan.pieces[number].name
          throw wrong(blob, "another shard has also run `\(name)`; \(otherTimes)")
        }
        all[number] = result
      }
    }
    if let missing = all.firstIndex(where: { $0 == nil }) {
      throw wrong(
        blobs[0], "no shard has run `\(blobs[0].plan.pieces[missing].name)`; \(otherTimes)")
    }
    return all.compactMap(\.self)
  }

  private static let otherTimes =
    "give all shards the same `--durations`"

  private static func checkShards(_ blobs: [Blob]) throws(RunError) {
    let count = blobs[0].shard.count
    var files: [Int: String] = [:]
    for blob in blobs {
      guard blob.shard.count == count else {
        throw wrong(
          blob,
          "this blob is shard \(blob.shard), but \(blobs[0].file) is shard \(blobs[0].shard): the numbers of shards differ"
        )
      }
      if let other = files.updateValue(blob.file, forKey: blob.shard.number) {
        throw wrong(
          blob, "this blob and \(other) are both shard \(blob.shard); name only one of them")
      }
    }
    let missing = (1...count).filter { files[$0] == nil }
    guard missing.isEmpty else {
      let numbers = missing.prefix(10).map(String.init).joined(separator: ", ")
      throw RunError(
        .command,
        "of \(count) shards, \(missing.count == 1 ? "one is" : "\(missing.count) are") missing: \(numbers)"
          + (missing.count > 10 ? ", …" : ""), rule: "merge")
    }
  }

  private static func wrong(_ blob: Blob, _ message: String) -> RunError {
    RunError(.path(blob.file), message, rule: "merge")
  }

  // MARK: Run identity

  private static func check(_ blob: Blob, isOfTheRunOf first: Blob) throws(RunError) {
    guard blob.planLine != first.planLine else { return }
    throw wrong(blob, difference(blob.plan, first.plan, first.file))
  }

  /// Returns a clause about the first difference between the plan of this blob and `other`, the plan of the blob in
  /// `file`.
  private static func difference(_ plan: Plan, _ other: Plan, _ file: String) -> String {
    if plan.version != other.version {
      return
        "the version of this blob is \(plan.version), but the version of \(file) is \(other.version)"
    }
    if plan.command != other.command {
      return
        "the command of this blob is `sluice \(plan.command)`, but the command of \(file) is `sluice \(other.command)`"
    }
    if plan.options != other.options {
      return
        "the options of this blob are \(words(plan.options)), but the options of \(file) are \(words(other.options))"
    }
    let paths = Set(plan.files.keys).union(other.files.keys).sorted()
    if let path = paths.first(where: { plan.files[$0] != other.files[$0] }) {
      let what =
        plan.files[path] == nil || other.files[path] == nil
        ? "only one of the shards read \(path)" : "\(path) had other contents"
      return "the files of this blob differ from those of \(file): \(what)"
    }
    let pairs = zip(plan.pieces, other.pieces).enumerated()
    if let (index, (one, another)) = pairs.first(where: { $1.0 != $1.1 }) {
      return
        "the work of this blob differs from that of \(file): piece \(index + 1) is `\(one.name)` of \(one.file) here, and `\(another.name)` of \(another.file) there"
    }
    guard plan.pieces.count != other.pieces.count else {
      return "the command lines of this blob and \(file) name different files"
    }
    return
      "the work of this blob differs from that of \(file): it has \(plan.pieces.count) pieces, not \(other.pieces.count)"
  }

  private static func words(_ options: [String]) -> String {
    options.isEmpty ? "none" : "`\(options.joined(separator: " "))`"
  }
}
