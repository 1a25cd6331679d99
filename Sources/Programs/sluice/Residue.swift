internal import ArgumentParser
internal import Encodings
internal import Foundation
internal import Host
internal import Model
internal import Output
internal import Simulation

struct Residue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "residue",
    abstract: "Search a device for data of an account that a wipe left behind.",
    discussion: """
      sluice residue phone anna@contoso.com --canary "Quarterly figures"

      Searches containers, group folders, saved files, the journal, and the rows and bytes of the database with its \
      write-ahead log: for the account's UPN and object id, files encrypted for it, and texts that only its data had. The \
      device may be running. It is only read, except that SQLite may leave empty files of its write-ahead log.

      Exit status: 0 nothing is found, 1 data is found, 2 the folder is not a device's, or a file of canaries \
      cannot be read, 64 usage.
      """)

  @Argument(
    help: "The device's folder, as written by `sluice run --output-dir`.", completion: .directory)
  var device: String

  @Argument(help: "The account's UPN or object id, ignoring case.")
  var account: String

  @Option(
    name: .customLong("canary"),
    help: "A text that only the account's data had. Can be repeated.")
  var canaryTexts: [String] = []

  @Option(help: "A file with canaries, one on each line.", completion: .file())
  var canaries: String?

  @Option(help: "Search only the data that this app can reach. Can be repeated.")
  var app: [String] = []

  @Option(help: "With --app: an app group or keychain group of the app. Can be repeated.")
  var group: [String] = []

  @Option(help: "Format of the findings.")
  var format = TextFormat.text

  @OptionGroup var output: OutputOptions<TextFormat>

  func validate() throws {
    if account.utf8.count < ResidueCheck.shortestCanary {
      throw ValidationError(
        "the account `\(account)` is too short to search for; expected at least \(ResidueCheck.shortestCanary) bytes"
      )
    }
    if !group.isEmpty, app.isEmpty { throw ValidationError("--group needs --app") }
    try check(canaryTexts)
  }

  func run() throws {
    let report = try Failure.reporting(search)
    try Failure.reporting { () throws(RunError) in
      try output.write(format, text: report.text, json: JSONWriter.line { report.write(to: &$0) })
    }
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

  /// The account to search for. An argument without `@` is used both as its UPN and as its object id.
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
}
