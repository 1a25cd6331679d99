internal import Diagnostics
internal import Foundation
internal import JSON
internal import Sharding
internal import Simulation

/// The folder that a job's shards leave their blobs and logs in, and that says what the job is.
package struct JobFolder: Sendable {
  /// The folder of all jobs, below the one in which they are submitted.
  package static let all = "sluice-jobs"

  /// The name of the job, such as `slurm-17`.
  package let name: String

  package init(_ name: String) { self.name = name }

  /// The folder of a job that somebody names.
  ///
  /// - Throws: ``RunError`` where that is no name of a job.
  init(named path: String) throws(RunError) {
    let name = path.hasPrefix("\(Self.all)/") ? String(path.dropFirst(Self.all.count + 1)) : path
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count > 1, ["slurm", "ssh"].contains(parts[0]),
      parts.dropFirst().allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isDigit) })
    else {
      throw RunError(
        .command, "`\(name)` is no name of a job, such as slurm-17", rule: "resume")
    }
    self.name = name
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  package var path: String { "\(Self.all)/\(name)" }
  package func blob(_ shard: Int) -> String { "\(path)/\(shard)\(BlobFiles.ending)" }
  func log(_ shard: Int) -> String { "\(path)/\(shard).log" }
  private var record: String { "\(path)/job.json" }

  /// What a job is: enough to go on where its submitter has ended.
  struct Record: Equatable {
    var target: ClusterTarget
    /// The number by which the scheduler knows the job; empty where there is none.
    var id: String
    var command: ShardCommand
  }

  /// Makes the folder, and writes down what the job is.
  ///
  /// - Throws: ``RunError`` where that cannot be written.
  func begin(_ record: Record) throws(RunError) {
    let text = JSONWriter.objectLine { writer in
      writer.member("schema", Self.schema)
      writer.member("on", record.target.text)
      writer.member("id", record.id)
      writer.member("shards", record.command.shards)
      writer.member("program", record.command.program)
      writer.strings("command", record.command.words)
    }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data(text.utf8).write(to: URL(fileURLWithPath: self.record), options: .atomic)
    } catch {
      throw RunError(unwritable: path, errno)
    }
  }

  private static let schema = "sluice-job-1"

  /// What the job is.
  ///
  /// - Throws: ``RunError`` where there is no such job.
  func read() throws(RunError) -> Record {
    guard FileManager.default.fileExists(atPath: record) else {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: Self.all)) ?? []
      guard !names.contains(name) else {
        throw RunError(
          .path(path), "the job was not submitted by --on; `sluice merge \(path)` merges its blobs",
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
    else { throw RunError(.path(record), "this is no record of a job", rule: "resume") }
    return Record(
      target: target, id: id,
      command: try ShardCommand(program: program, words, shards: shards))
  }

  /// Checks that nobody else has written what the job is: its command is run.
  ///
  /// - Throws: ``RunError`` where it is another user's.
  private func checkIsOwn() throws(RunError) {
    var status = stat()
    guard lstat(record, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & S_IFMT == S_IFREG
    else { throw RunError(.path(record), "the job is another user's", rule: "resume") }
  }

  /// The end of what a shard wrote, in one line; nil where it wrote nothing.
  func lastWords(of shard: Int) -> String? {
    guard let data = FileManager.default.contents(atPath: log(shard)) else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").last.map(String.init)
  }
}
