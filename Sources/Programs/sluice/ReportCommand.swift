internal import ArgumentParser
internal import Foundation
internal import Output
internal import Reports
internal import Simulation

struct ReportCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract:
      "Write journals as a self-contained HTML page: flow map, requests, cases, apps over time.",
    discussion: """
      Reads complete journals of devices, and of the cases in a folder written by `sluice run --output-dir` or \
      --keep-failures. If a journal is truncated or from a newer version, the page shows the readable part and \
      names the rest. The page includes the policies and scenarios that the journals name, if they are below the \
      working directory. Without --output, the page is `report.html` in the working directory, unless that file \
      exists.

      Exit status: 0 written, 2 there is no journal, nothing can be read, or the page cannot be written, 64 usage.
      """)

  @OptionGroup var input: JournalArguments

  @OptionGroup var output: OutputOptions<PageFormat>

  @Option(help: "The page's title. Default: the name of the scenario, or the names of the sources.")
  var title: String?

  @Option(
    help: ArgumentHelp(
      "The output of `sluice leaks --format json`: leaks of org data, to be drawn over the flow map.",
      valueName: "file"), completion: .file())
  var leaks: String?

  /// The file to write without `--output`. If it already exists, the command fails.
  private static let usualFile = "report.html"

  func perform() throws(RunError) {
    let targets = try targets
    let sources = input.journals.map { ($0 as NSString).lastPathComponent }
    var picture = Picture(
      title.map { .fixed($0) } ?? .scenario(otherwise: sources.joined(separator: ", ")),
      reading: CitedFiles(.below(FileManager.default.currentDirectoryPath)).text)
    let read = try input.read(writing: output.paths) { picture.add(note: $0) }
    for group in read { picture.add(group) }
    if let leaks { try FoundLeaks(at: leaks).add(to: &picture) }
    let page = picture.page()
    try targets.forEach { _, destination throws(RunError) in
      guard let path = destination.path else { return try destination.write(page) }
      try Self.checkIsPage(path)
      try destination.write(page)
      Failure.print("wrote \(path)")
    }
  }

  private var targets: OutputTargets<PageFormat> {
    get throws(RunError) {
      guard output.output.isEmpty else { return try output.targets(.html) }
      guard !FileManager.default.fileExists(atPath: Self.usualFile) else {
        throw RunError(
          .path(Self.usualFile),
          "the file already exists; replace it with `--output \(Self.usualFile)`, or choose another name",
          rule: "file")
      }
      return OutputTargets([(.html, .file(Self.usualFile))])
    }
  }

  /// Checks that `path` can be overwritten with a page. If a file exists there, it must be empty or an HTML page.
  private static func checkIsPage(_ path: String) throws(RunError) {
    guard
      (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        == .typeRegular, let file = FileHandle(forReadingAtPath: path),
      let start = try? file.read(upToCount: 9), !start.isEmpty, start != Data("<!DOCTYPE".utf8)
    else { return }
    throw RunError(
      .file(path), "the file exists and is not a report; name another file", rule: "file")
  }
}
