internal import Encodings
internal import Foundation
internal import Output
internal import Simulation

/// A job's folder. It contains the shards' blobs and logs, and the job's description.
package struct JobFolder: Sendable {
  /// The parent folder of all jobs, relative to the folder from which they are submitted.
  package static let all = "sluice-jobs"

  /// The job's name, such as `slurm-17`.
  package let name: String

  package init(_ name: String) { self.name = name }

  /// Creates a reference to a job's folder, which need not exist.
  ///
  /// - Parameter path: The job's name, or the path `sluice-jobs/NAME`.
  /// - Throws: ``RunError`` if `path` has neither form.
  init(named path: String) throws(RunError) {
    let last = path.split(separator: "/").last.map(String.init) ?? ""
    let name = ["\(Self.all)/\(last)", "\(Self.all)/\(last)/"].contains(path) ? last : path
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count > 1, ["slurm", "ssh"].contains(parts[0]),
      parts.dropFirst().allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isDigit) })
    else {
      throw RunError(
        .command, "`\(name)` is not a job name; expected one such as `slurm-17`", rule: "resume")
    }
    self.name = name
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  package var path: String { "\(Self.all)/\(name)" }
  package func blob(_ shard: Int) -> String { "\(path)/\(shard)\(BlobFiles.ending)" }
  /// The paths of incomplete blobs, keyed by shard number. A restarted shard may have several.
  var openBlobs: [Int: [String]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let open = names.filter { $0.hasSuffix(BlobWriter.openEnding) }
    return Dictionary(grouping: open) { Int($0.prefix { $0 != "." }) ?? 0 }
      .mapValues { names in names.map { "\(path)/\($0)" } }
  }

  func log(_ shard: Int) -> String { "\(path)/\(shard).log" }
  private var record: String { "\(path)/job.json" }

  /// A job's description. It suffices to resume the job after its submitting process has exited.
  struct Record: Equatable {
    var target: ClusterTarget
    /// The scheduler's job id; empty if there is none.
    var id: String
    var command: ShardCommand
  }

  /// Creates the folder, and writes the job's description.
  ///
  /// - Throws: ``RunError`` if the folder belongs to another job, or a file cannot be written.
  func begin(_ record: Record) throws(RunError) {
    let text = JSONWriter.objectLine { writer in
      writer.member("schema", Self.schema)
      writer.member("on", record.target.text)
      writer.member("id", record.id)
      writer.member("shards", record.command.shards)
      writer.member("program", record.command.program)
      writer.strings("command", record.command.words)
    }
    // Another scheduler may have used the same job number. Its results do not belong to this job.
    if let before = try? read(), before != record {
      throw RunError(
        .path(path), "the folder contains another job with the same name; remove the folder",
        rule: "cluster")
    }
    let files = FileManager.default
    guard
      (try? files.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]))
        != nil
    else { throw RunError(unwritable: path, ENOTDIR) }
    try write(Data(text.utf8), to: "job.json")
  }

  /// Atomically writes a file in the folder.
  ///
  /// - Throws: ``RunError`` with the system's reason.
  func write(_ data: Data, to name: String) throws(RunError) {
    do {
      try data.write(to: URL(fileURLWithPath: "\(path)/\(name)"), options: .atomic)
    } catch {
      let reason = (error as? CocoaError)?.underlying as? POSIXError
      throw RunError(unwritable: "\(path)/\(name)", reason?.code.rawValue ?? EIO)
    }
  }

  private static let schema = "sluice-job-1"

  /// Reads the job's description.
  ///
  /// - Throws: ``RunError`` if there is no such job, or if its description is invalid or belongs to another user.
  func read() throws(RunError) -> Record {
    guard FileManager.default.fileExists(atPath: record) else {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: Self.all)) ?? []
      guard !names.contains(name) else {
        throw RunError(
          .path(path),
          "only a job that --executor submitted can be resumed; merge the blobs of this job with `sluice merge \(path)`",
          rule: "resume")
      }
      throw RunError(
        .command,
        "no job is called `\(name)` in ./\(Self.all)"
          + Suggestion.nearest(to: name, among: names.sorted()), rule: "resume")
    }
    try checkIsOwn()
    guard let value = try? JSONReader.read(InputFile.text(record)),
      value["schema"]?.string == Self.schema,
      let target = value["on"]?.string.flatMap({ ClusterTarget($0) }),
      let id = value["id"]?.string, id.utf8.allSatisfy(Self.isDigit),
      let shards = value["shards"]?.int, let program = value["program"]?.string,
      let words = value["command"]?.array?.compactMap(\.string)
    else { throw RunError(.path(record), "this is not a job record", rule: "resume") }
    return Record(
      target: target, id: id,
      command: try ShardCommand(program: program, words, shards: shards))
  }

  /// Checks that the job's description, whose command will be executed, is a regular file of the current user.
  ///
  /// - Throws: ``RunError`` if it is not.
  private func checkIsOwn() throws(RunError) {
    var status = stat()
    guard lstat(record, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & S_IFMT == S_IFREG
    else {
      throw RunError(
        .path(record), "the job's record must be a regular file that belongs to you", rule: "resume"
      )
    }
  }

  /// Returns the last line of the shard's log; nil if the log is empty or missing.
  func lastWords(of shard: Int) -> String? {
    lastLine(of: log(shard))
  }
}

/// Returns the last line of a file; nil if the file is empty or missing.
func lastLine(of path: String) -> String? {
  guard let data = FileManager.default.contents(atPath: path) else { return nil }
  return String(decoding: data, as: UTF8.self).split(separator: "\n").last.map(String.init)
}
