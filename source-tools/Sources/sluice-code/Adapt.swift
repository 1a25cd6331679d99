internal import Adaptation
internal import ArgumentParser
internal import SwiftSources

struct Adapt: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make sources for iOS compile where there is no Objective-C runtime.",
    discussion: """
      Each file is written under DIR with its path below SOURCE; all of them or none. What is rewritten, and what \
      cannot be, is said on standard error.

      Exit status: 0 written, 2 a source does not parse, or a file cannot be written, 64 usage.
      """)

  @Argument(help: "Swift files, or folders of them.", completion: .file())
  var source: [String]

  @Option(name: .shortAndLong, help: "The folder for the adapted files.", completion: .directory)
  var output: String

  @Flag(help: "Replace files that are there and differ.")
  var force = false

  func validate() throws {
    guard !output.isEmpty else {
      throw ValidationError("--output needs the name of a folder, found an empty one.")
    }
  }

  func run() throws {
    let command = self
    try SourceTrial.withStack { try command.adapt() }
  }

  private func adapt() throws {
    do {
      let list = try SourceList(source)
      let reading = SourceReading(list, trying: Try.trial(for: .adapt))
      guard reading.faults.isEmpty else {
        reading.faults.forEach(StandardError.print)
        throw Status.input
      }
      try write(reading, of: list)
    } catch let error as SourceError {
      StandardError.print(error.diagnostic)
      throw Status.input
    }
  }

  private func write(_ reading: SourceReading, of list: SourceList) throws {
    let adapter = Adapter(reading.sources.map(\.source))
    let adapted = reading.sources.map { ($0.entry, adapter.adapt($0.source)) }
    try adapted.forEach { try expectSwift($1) }
    try OutputFolder(output, replacesFiles: force)
      .write(adapted.map { ($0.relativePath, $1.contents) }, of: list)
    for (place, names) in Self.sharedNames(adapted.map(\.0.relativePath)) {
      StandardError.print(
        "warning: `\(place)` and `\(names)` have one name, which a Swift module cannot have twice: "
          + "rename one [fileName]")
    }
    for (_, source) in adapted {
      source.warnings.forEach(StandardError.print)
      if let summary = source.summary { StandardError.print(summary) }
    }
  }

  /// Returns each file that has the name of an earlier file in another folder, with the earlier
  /// file.
  private static func sharedNames(_ paths: [String]) -> [(String, String)] {
    var first: [Substring: String] = [:]
    return paths.sorted().compactMap { path in
      guard let name = path.split(separator: "/").last else { return nil }
      if let other = first[name] { return (path, other) }
      first[name] = path
      return nil
    }
  }

  /// Rejects an adapted file that cannot be parsed. This would show that a rewrite is wrong.
  private func expectSwift(_ source: AdaptedSource) throws {
    guard (try? ParsedSource(source.contents, file: source.file)) == nil else { return }
    throw SourceError(
      source.file, "it cannot be adapted: the result would not be valid Swift", rule: "adapt")
  }
}
