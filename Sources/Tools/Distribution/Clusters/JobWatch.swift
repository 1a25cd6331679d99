internal import Encodings
internal import Foundation
internal import Output
package import Simulation

/// Waits for a job's shards, and shows their progress.
package struct JobWatch {
  private let job: any ClusterJob
  /// Replaces the status line. An empty text removes it.
  private let show: (String) -> Void
  private let report: (String) -> Void
  private var reported: Set<String> = []
  private var progress: [ShardProgress]
  private var states: [Int: ShardState] = [:]
  /// The reason why the scheduler did not answer the last query; nil if it answered.
  private var silence: String?
  /// For each shard, the number of consecutive queries in which the shard had ended but its blob was missing.
  private var losses: [Int: Int] = [:]

  /// The interval at which the shards are inspected, in seconds.
  private static let pause = 0.5
  /// The number of inspections between two queries to the scheduler.
  private static let looksForAnswer = 4
  /// The number of consecutive queries after which an ended shard without a blob is given up. One query is not enough,
  /// because shared folders show new files with a delay.
  private static let patience = 5

  package init(
    _ job: any ClusterJob, show: @escaping (String) -> Void, report: @escaping (String) -> Void
  ) {
    self.job = job
    self.show = show
    self.report = report
    progress = Array(repeating: ShardProgress(), count: job.shards)
  }

  /// Waits for all blobs, and merges them.
  ///
  /// - Returns: The results; nil if the wait was interrupted.
  /// - Throws: ``RunError`` that names each shard without a result, with the reason, or an error of the merge.
  package mutating func merge(
    until isInterrupted: () -> Bool
  ) throws(RunError) -> Merge? {
    var looks = 0
    while true {
      poll()
      if progress.allSatisfy(\.isWhole) { break }
      if isInterrupted() {
        show("")
        return nil
      }
      if looks.isMultiple(of: Self.looksForAnswer) { ask() }
      if isOver { break }
      show(line)
      looks += 1
      usleep(UInt32(Self.pause * 1_000_000))
    }
    show("")
    try checkIsWhole()
    return try Merge(of: BlobFiles.read((1...job.shards).map(job.folder.blob)))
  }

  private mutating func poll() {
    let open = job.folder.openBlobs
    for shard in 1...job.shards where !progress[shard - 1].isWhole {
      progress[shard - 1].scan(job.folder.blob(shard), besides: open[shard] ?? [])
    }
  }

  private mutating func ask() {
    for complaint in job.complaints where reported.insert(complaint).inserted {
      show("")
      report(complaint)
    }
    do throws(RunError) {
      states = try job.states()
      silence = nil
    } catch {
      silence = error.reason
      if reported.insert(error.reason).inserted {
        show("")
        report(error.reason)
      }
      return
    }
    for shard in 1...job.shards where !progress[shard - 1].isWhole {
      let isRunning =
        switch states[shard] {
        case .waiting, .running: true
        case .ended, nil: false
        }
      losses[shard] = isRunning ? 0 : losses[shard, default: 0] + 1
    }
  }

  /// Whether every shard is either complete or given up.
  private var isOver: Bool {
    (1...job.shards).allSatisfy {
      progress[$0 - 1].isWhole || losses[$0, default: 0] >= Self.patience
    }
  }

  private var line: String {
    let done = progress.reduce(0) { $0 + $1.done }
    let all = progress.lazy.compactMap(\.total).first.map { " of \($0)" } ?? ""
    let whole = progress.count(where: \.isWhole)
    var parts = ["\(whole) of \(job.shards) shards", "\(done)\(all) pieces"]
    let open = (1...job.shards).filter { !progress[$0 - 1].isWhole }
    let reasons = Set(
      open.compactMap { if case .waiting(let why?) = states[$0] { why } else { nil } })
    let hosts = Set(
      open.compactMap { if case .running(let host) = states[$0] { host } else { nil } })
    let running = open.count { progress[$0 - 1].total != nil }
    if running > 0 {
      let place = hosts.isEmpty ? "" : " on \(hosts.sorted().joined(separator: ", "))"
      parts.append("\(running) running\(place)")
    }
    if !reasons.isEmpty { parts.append("waiting: \(reasons.sorted().joined(separator: ", "))") }
    let lost = open.filter { losses[$0, default: 0] > 0 }
    if !lost.isEmpty {
      parts.append("ended without result: \(lost.map(String.init).joined(separator: ", "))")
    }
    if let silence { parts.append(silence) }
    return parts.joined(separator: "; ")
  }

  private func checkIsWhole() throws(RunError) {
    let lost = (1...job.shards).filter { !progress[$0 - 1].isWhole }
    guard !lost.isEmpty else { return }
    throw RunError(
      lost.map { shard in
        let end = if case .ended(let how) = states[shard] { "; it ended \(how)" } else { "" }
        let words = job.folder.lastWords(of: shard).map { ": \($0)" } ?? ""
        return Diagnostic(
          .path(job.folder.path), "shard \(shard) has no result\(end)\(words)", rule: "cluster")
      })
  }
}

// MARK: - Shard progress

/// A shard's progress, derived from its blob.
private struct ShardProgress: Sendable {
  /// The number of completed pieces.
  private(set) var done = 0
  /// The total number of pieces in all shards; nil before the shard's blob has been read.
  private(set) var total: Int?
  private(set) var isWhole = false
  /// The path of the blob that is being read, with the read position.
  private var file = ""
  private var offset: UInt64 = 0
  private var rest = Data()

  /// Continues to read the shard's blob: the complete blob at `path` or, if it does not exist, the newest incomplete
  /// blob among the paths `open`.
  mutating func scan(_ path: String, besides open: [String]) {
    isWhole = FileManager.default.fileExists(atPath: path)
    guard let next = isWhole ? path : open.max(by: { Self.time(of: $0) < Self.time(of: $1) })
    else { return }
    if next != file {
      let known = total
      self = ShardProgress()
      (file, total, isWhole) = (next, known, next == path)
    }
    readOn()
  }

  private static func time(of file: String) -> Date {
    (try? FileManager.default.attributesOfItem(atPath: file))?[.modificationDate] as? Date
      ?? .distantPast
  }

  private mutating func readOn() {
    guard let handle = FileHandle(forReadingAtPath: file) else { return }
    defer { try? handle.close() }
    guard (try? handle.seek(toOffset: offset)) != nil, let more = try? handle.readToEnd() else {
      return
    }
    offset += UInt64(more.count)
    rest += more
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      process(rest[rest.startIndex..<end])
      rest = rest[(end + 1)...]
    }
    rest = Data(rest)
  }

  private mutating func process(_ line: Data) {
    if line.starts(with: #"{"piece":"#.utf8) {
      done += 1
    } else if total == nil, line.starts(with: #"{"schema":"#.utf8) {
      total = (try? JSONReader.read(Array(line)))?["pieces"]?.array?.count
    }
  }
}
