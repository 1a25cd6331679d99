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
      Reads journals from the beginning to the end: those of devices, and of the cases that `sluice run --output-dir` or \
      --keep-failures left in a folder. Where a journal is cut, or from a newer version, the page shows what can be read, \
      and says what cannot. Policies and scenarios that the journals name are in it, as far as they are below \
      the folder that the command runs in. Without --output, the page is `report.html` in that folder, if there is none yet.

      Exit status: 0 written, 2 there is no journal, or nothing can be read or written, 64 usage.
      """)

  @OptionGroup var input: JournalArguments

  @OptionGroup var output: OutputOptions<PageFormat>

  @Option(help: "The page's title. Default: the names of its sources.")
  var title: String?

  @Option(
    help: ArgumentHelp(
      "The output of `sluice leaks --format json`: leaks of organisation data, to be drawn over the flow map.",
      valueName: "file"), completion: .file())
  var leaks: String?

  /// The output file without `--output`. An existing file is not replaced.
  private static let usualFile = "report.html"

  func perform() throws(RunError) {
    let targets = try targets
    var picture = Picture(
      title: title
        ?? input.journals.map { ($0 as NSString).lastPathComponent }.joined(separator: ", "),
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
          "the file exists already; `--output \(Self.usualFile)` replaces it, another name keeps it",
          rule: "file")
      }
      return OutputTargets([(.html, .file(Self.usualFile))])
    }
  }

  /// Checks that a page can be written to `path`, which must not hold another kind of file.
  ///
  /// - Throws: ``RunError`` if a file exists that is not a page.
  private static func checkIsPage(_ path: String) throws(RunError) {
    guard
      (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        == .typeRegular, let file = FileHandle(forReadingAtPath: path),
      let start = try? file.read(upToCount: 9), !start.isEmpty, start != Data("<!DOCTYPE".utf8)
    else { return }
    throw RunError(
      .file(path), "the file exists and is not a report; name another", rule: "file")
  }
}
