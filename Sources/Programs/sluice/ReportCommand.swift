internal import ArgumentParser
internal import Foundation
internal import Output
internal import Reports
internal import Simulation

struct ReportCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract:
      "Write what happened on devices as one HTML page that needs nothing else: a flow map, requests, cases, and guests over time.",
    discussion: """
      Reads journals from the beginning to the end: those of devices, and of the cases that `sluice run --keep` or \
      --keep-failures left in a folder. Where a journal is cut, or from a newer version, the page shows what can be read, \
      and says what cannot. Policies and scenarios that the journals name are in it, as far as they are below \
      the folder that the command runs in.

      Exit status: 0 written, 2 there is no journal, or nothing can be read or written, 64 usage.
      """)

  @OptionGroup var input: JournalArguments

  @Option(name: .shortAndLong, help: "The page's file; - is standard output.", completion: .file())
  var output = "report.html"

  @Option(help: "The page's title. Default: what it was made of.")
  var title: String?

  @Option(
    help: ArgumentHelp(
      "What `sluice leaks --format json` printed: ways out of the organisation, to be drawn over the flow map.",
      valueName: "file"), completion: .file())
  var leaks: String?

  func perform() throws(RunError) {
    var picture = Picture(
      title: title
        ?? input.journals.map { ($0 as NSString).lastPathComponent }.joined(separator: ", "),
      reading: CitedFiles(.below(FileManager.default.currentDirectoryPath)).text)
    let read = try input.read(writing: output) { picture.add(note: $0) }
    for group in read { picture.add(group) }
    if let leaks { try FoundLeaks(at: leaks).add(to: &picture) }
    guard output != "-" else { return print(picture.page(), terminator: "") }
    try Self.checkIsPage(output)
    let isThere = FileManager.default.fileExists(atPath: output)
    try TextFile.write(picture.page(), to: output)
    Failure.print("written: \(output)\(isThere ? ", in place of the page that was there" : "")")
  }

  /// - Throws: ``RunError`` if a file exists that is not a page.
  private static func checkIsPage(_ path: String) throws(RunError) {
    guard
      (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        == .typeRegular, let file = FileHandle(forReadingAtPath: path),
      let start = try? file.read(upToCount: 9), !start.isEmpty, start != Data("<!DOCTYPE".utf8)
    else { return }
    throw RunError(
      .file(path), "there is a file, which is no page; name another", rule: "file")
  }
}
