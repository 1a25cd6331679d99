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
      writer.strings("command", record.command.words)
    }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
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
      throw RunError(
        .command,
        "no job is called `\(name)` here" + Suggestion.nearest(to: name, among: names.sorted()),
        rule: "resume")
    }
    guard let value = try? JSONReader.read(InputFile.text(record)),
      value["schema"]?.string == Self.schema,
      let target = value["on"]?.string.flatMap({ ClusterTarget($0) }),
      let id = value["id"]?.string, let shards = value["shards"]?.int,
      let words = value["command"]?.array?.compactMap(\.string)
    else { throw RunError(.path(record), "this is no record of a job", rule: "resume") }
    return Record(target: target, id: id, command: ShardCommand(words, shards: shards))
  }

  /// The end of what a shard wrote, in one line; nil where it wrote nothing.
  func lastWords(of shard: Int) -> String? {
    guard let data = FileManager.default.contents(atPath: log(shard)) else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").last.map(String.init)
  }
}
