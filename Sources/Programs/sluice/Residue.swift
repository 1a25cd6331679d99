internal import ArgumentParser
internal import Foundation
internal import Host
internal import JSON
internal import Model
internal import Output
internal import Simulation

struct Residue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "residue",
    abstract: "Look for what a wipe has left of an account on a device.",
    discussion: """
      Searches every container, group folder and saved file, the database with its write-ahead log, row by row and \
      byte by byte, and the journal: for the account's UPN and object id, for files that are encrypted for it, \
      and for texts that only its data held. The device may be running. Nothing is changed, except that SQLite may leave empty files of its write-ahead log.

      Exit status: 0 nothing is left, 1 something is, 2 the folder is no device's or a file of canaries cannot be \
      read, 64 usage.
      """)

  @Argument(help: "Folder of a device, as `sluice run --keep` leaves it.", completion: .directory)
  var device: String

  @Argument(help: "The account's UPN or object id, in any casing.")
  var account: String

  @Option(
    name: .customLong("canary"),
    help: "A text that only the account's data holds; can be repeated.")
  var canaryTexts: [String] = []

  @Option(help: "A file with such texts, one on each line.", completion: .file())
  var canaries: String?

  @Option(help: "Search only what this app can reach; can be repeated.")
  var app: [String] = []

  @Option(help: "With --app: an app group or keychain group of theirs; can be repeated.")
  var group: [String] = []

  @Option(help: "Format of the findings.")
  var format = TextFormat.text

  func validate() throws {
    if account.utf8.count < ResidueCheck.shortestCanary {
      throw ValidationError("the account `\(account)` is too short to be searched for")
    }
    if !group.isEmpty, app.isEmpty { throw ValidationError("--group needs --app") }
    try check(canaryTexts)
  }

  func run() throws {
    let report = try Failure.reporting(search)
    print(rendered(report), terminator: "")
    if !report.isClean { throw Failure.expectation }
  }

  private func search() throws(RunError) -> ResidueReport {
    let texts = try canaryTexts + listedCanaries()
    let apps = app.map { ResidueScope.App(name: $0, groups: group) }
    let check = ResidueCheck(
      folder: device, account: named, scope: apps.isEmpty ? .device : .apps(apps), canaries: texts)
    do {
      return try check.run()
    } catch {
      throw RunError(.file(device), "\(error)", rule: "device")
    }
  }

  /// The account to search for. An argument without `@` may be a name or an object id.
  private var named: Account {
    Account(upn: account, objectID: account.contains("@") ? nil : account)
  }

  private func listedCanaries() throws(RunError) -> [String] {
    guard let canaries else { return [] }
    let text = String(decoding: try InputFile.document(canaries), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    do {
      try check(lines)
    } catch {
      throw RunError(.file(canaries), "\(error)", rule: "canary")
    }
    return lines
  }

  private func check(_ texts: [String]) throws(ValidationError) {
    let shortest = ResidueCheck.shortestCanary
    for text in texts where text.utf8.count < shortest {
      throw ValidationError(
        "the canary `\(text)` is shorter than \(shortest) bytes and would be found by chance")
    }
  }

  private func rendered(_ report: ResidueReport) -> String {
    switch format {
    case .text: return report.text
    case .json: return JSONWriter.line { report.write(to: &$0) }
    }
  }
}
