internal import Adaptation
internal import ArgumentParser
internal import SwiftSources

struct Adapt: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Rewrite `@objc`, `#selector` and optional requirements for Swift without Objective-C.",
    discussion: """
      sluice code adapt Sources/ -o Adapted/

      Output files keep their paths relative to SOURCE. If one of them cannot be written, none is. Changes, and code \
      that cannot be rewritten, are reported on standard error.

      Exit status: 0 written, 2 a file is not Swift, or an output file exists or cannot be written, 64 usage.
      """)

  @Argument(help: "Swift files, or folders of them.", completion: .file())
  var source: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder for the adapted files.", valueName: "folder"),
    completion: .directory)
  var output: String

  @Flag(help: "Overwrite existing files whose contents differ.")
  var force = false

  func validate() throws {
    guard !output.isEmpty else {
      throw ValidationError("--output is empty; expected the name of a folder")
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
    for (path, other) in Self.sharedNames(adapted.map(\.0.relativePath)) {
      StandardError.print(
        "warning: `\(path)` and `\(other)` have the same file name, but a module's file names must differ; "
          + "rename one of them [fileName]")
    }
    for (_, source) in adapted {
      source.warnings.forEach(StandardError.print)
      if let summary = source.summary { StandardError.print(summary) }
    }
  }

  /// Finds files with the same name in different folders. Each pair consists of a file and the first file with the same
  /// name, in the order of the paths.
  private static func sharedNames(_ paths: [String]) -> [(String, String)] {
    var first: [Substring: String] = [:]
    return paths.sorted().compactMap { path in
      guard let name = path.split(separator: "/").last else { return nil }
      if let other = first[name] { return (path, other) }
      first[name] = path
      return nil
    }
  }

  /// Throws an error if an adapted file cannot be parsed. This would be a mistake of the adapter.
  private func expectSwift(_ source: AdaptedSource) throws {
    guard (try? ParsedSource(source.contents, file: source.file)) == nil else { return }
    throw SourceError(
      source.file, "cannot be adapted; the result would not be valid Swift", rule: "adapt")
  }
}
