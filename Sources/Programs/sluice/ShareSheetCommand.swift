internal import Analysis
internal import ArgumentParser
internal import Model
internal import Output
internal import Scenario
internal import Simulation

struct ShareSheetCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "share-sheet",
    abstract: "Show what a share sheet offers and what it hides, with the reason for each.",
    discussion: """
      Apps, accounts and policies are those of a scenario, as it begins; its steps are not carried out, and no \
      app is started. What is shared is one item with an attachment for each --file and --item.

      Exit status: 0 shown, 2 the scenario, an app or a destination is not right, 64 usage.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, html
  }

  @OptionGroup var beginning: ScenarioBeginning

  @Option(help: "The app that shares, and after a colon the account that it acts for.")
  var from: String

  @Option(
    help:
      "An attachment of the shared item: its uniform types with `,` between; repeated or after `+`, another one."
  )
  var item: [String] = []

  @Option(help: "Share a file of this name, whose ending tells the type.", completion: .file())
  var file: [String] = []

  @Option(help: "Whether the SDK's own sharing carries it, or the system's.")
  var via = SharingPath.sdk

  @Option(help: "The account that another app acts for, as APP:ACCOUNT; can be repeated.")
  var acting: [String] = []

  @Option(help: "Format of the sheet.")
  var format = Format.text

  @Option(help: "In text, explain this destination in full: a name, a title or a bundle id.")
  var explain: String?

  func validate() throws {
    if item.isEmpty, file.isEmpty { throw ValidationError("share something: --file or --item.") }
    for item in item {
      for types in UniformTypeArgument.attachments(item) {
        try UniformTypeArgument.check(types, of: item)
      }
    }
    if file.contains("") { throw ValidationError("--file needs the name of a file.") }
    for role in acting where role.split(separator: ":").count != 2 {
      throw ValidationError("--acting needs an app and an account, as in notes:anna.")
    }
    if explain != nil, format != .text {
      throw ValidationError("--explain is text; the other formats explain everything.")
    }
  }

  func perform() throws(RunError) {
    let sheet = try beginning.ask { run, prepared throws(RunError) in
      try run.shareSheet(question, of: prepared)
    }
    print(try render(sheet), terminator: "")
  }

  private var question: ShareSheetQuestion {
    let sender = from.split(separator: ":", maxSplits: 1).map(String.init)
    let items =
      file.map { Action.ShareSheet.Item(fileName: $0) }
      + item.flatMap(UniformTypeArgument.attachments).map { Action.ShareSheet.Item(types: $0) }
    let roles = acting.map { $0.split(separator: ":").map(String.init) }
    return ShareSheetQuestion(
      Action.ShareSheet(from: sender.first ?? "", items: items, via: via),
      account: sender.count > 1 ? sender[1] : nil,
      roles: Dictionary(roles.map { ($0[0], $0[1]) }, uniquingKeysWith: { _, last in last }))
  }

  private func render(_ sheet: Sheet) throws(RunError) -> String {
    switch format {
    case .json: return sheet.json()
    case .html: return sheet.html()
    case .text: break
    }
    guard let explain else { return sheet.text() }
    let destinations = sheet.destinations(named: explain)
    guard !destinations.isEmpty else {
      throw RunError(
        .file(beginning.scenario), "no destination is called `\(explain)`", rule: "share-sheet")
    }
    return destinations.map { sheet.explanation(of: $0) }.joined(separator: "\n")
  }
}
