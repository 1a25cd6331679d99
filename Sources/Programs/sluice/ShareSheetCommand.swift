internal import Analysis
internal import ArgumentParser
internal import Model
internal import Output
internal import Scenario
internal import Simulation
internal import Tenants

struct ShareSheetCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "share-sheet",
    abstract:
      "Show the destinations that a share sheet offers and hides, with the reason for each.",
    discussion: """
      sluice share-sheet --scenario story.yaml --from mail:anna --file report.pdf

      The scenario defines apps, accounts and policies; its steps are not performed, and no app is started. The \
      shared item has an attachment for each --file and --item. With --tenant and --user, the user replaces the \
      scenario's managed account, and has the tenant's policies and configurations. If these depend on facts that \
      neither the export nor the scenario states, there is a sheet for each alternative, after `if`. --device states the device.

      Exit status: 0 shown, 2 the scenario, an app or a destination is invalid, 64 usage.
      """)

  @OptionGroup var beginning: ScenarioBeginning

  @OptionGroup var tenant: TenantOptions

  @OptionGroup var device: TenantDeviceOption

  @Option(
    help: "The app that shares, by name or bundle id, and optionally its account, as APP:ACCOUNT.")
  var from: String

  @Option(
    help:
      "An attachment of the shared item: its uniform types, separated by `,`. `+` or another --item begins the next attachment."
  )
  var item: [String] = []

  @Option(help: "Share a file of this name. Its extension implies the type.", completion: .file())
  var file: [String] = []

  @Option(help: "Whether the item is shared by the SDK's own sharing or the system's.")
  var via = SharingPath.sdk

  @Option(help: "The account that another app acts for, as APP:ACCOUNT. Can be repeated.")
  var acting: [String] = []

  @Option(help: "Format of the sheet.")
  var format = TextOrPageFormat.text

  @OptionGroup var output: OutputOptions<TextOrPageFormat>

  @Option(help: "Explain only this destination, in full: a name, a title or a bundle id.")
  var explain: String?

  func validate() throws {
    if item.isEmpty, file.isEmpty {
      throw ValidationError("there is no item to share; specify one with --file or --item")
    }
    for item in item {
      for types in UniformTypeArgument.attachments(item) {
        try UniformTypeArgument.check(types, of: item)
      }
    }
    if tenant.tenant != nil, tenant.user == nil {
      throw ValidationError("--tenant needs --user: a share sheet is that of one user")
    }
    if tenant.tenant == nil, tenant.user != nil {
      throw ValidationError("--user needs --tenant with the folder of an export")
    }
    if tenant.tenant == nil, device.device != nil {
      throw ValidationError(
        "--device needs --tenant: without it, the scenario states the device")
    }
    if file.contains("") { throw ValidationError("--file needs the name of a file") }
    for role in acting where role.split(separator: ":").count != 2 {
      throw ValidationError("--acting needs an app and an account, as in notes:anna")
    }
    if explain != nil, output.formats(format).contains(where: { $0 != .text }) {
      throw ValidationError(
        "--explain needs --format text; the other formats explain all destinations")
    }
  }

  func perform() throws(RunError) {
    let question = question
    let ask = { (run: ScenarioRun, prepared: PreparedScenario) throws(RunError) -> Sheet in
      try run.shareSheet(question, of: prepared)
    }
    if let user = try standIn {
      return try show(beginning.ask(as: user, ask))
    }
    try show(beginning.ask(ask))
  }

  private func show(_ sheet: Sheet) throws(RunError) {
    try output.check(isNoneOf: [beginning.scenario])
    try output.write(format) { format, _ throws(RunError) in try render(sheet, as: format) }
  }

  private func show(
    _ alternatives: [ScenarioBeginning.Alternative<Sheet>]
  ) throws(RunError) {
    var found: [(sheet: Sheet, key: String, cases: [[TenantCondition]])] = []
    for alternative in alternatives {
      let key = alternative.answer.json()
      if let place = found.firstIndex(where: { $0.key == key }) {
        found[place].cases += alternative.cases
      } else {
        found.append((alternative.answer, key, alternative.cases))
      }
    }
    if found.count == 1 { return try show(found[0].sheet) }
    guard output.formats(format).allSatisfy({ $0 == .text }) else {
      let facts = found.flatMap(\.cases).joined().map(\.fact).unique
      throw RunError(
        .path(tenant.tenant ?? ""),
        "--format \(format.rawValue) needs one sheet, but the sheet of \(tenant.user ?? "the user") depends on facts that the "
          + "export does not state: \(ListFormat.all(of: facts)); state the device with --device, as in "
          + "--device unmanaged,os=17.2", rule: "unknownFact")
    }
    try output.check(isNoneOf: [beginning.scenario])
    try output.write(format) { format, _ throws(RunError) in
      var texts: [String] = []
      for (sheet, _, cases) in found {
        let heading = cases.map { "if \(ListFormat.all(of: $0.map(\.text)))" }
          .joined(separator: "; ")
        texts.append("I\(heading.dropFirst()):\n\n" + (try render(sheet, as: format)))
      }
      return texts.joined(separator: "\n")
    }
  }

  /// The tenant's user who takes the place of the scenario's managed account; nil without `--user`.
  private var standIn: TenantStandIn? {
    get throws(RunError) {
      guard let folder = tenant.tenant, let user = tenant.user else { return nil }
      let tenant = try Tenant.load(folder)
      let index = try tenant.user(named: user)
      tenant.noteDisabledAccount(of: index)
      return TenantStandIn(
        tenant, users: [index], device: try device.stated(in: tenant), unstated: .unknown)
    }
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

  private func render(_ sheet: Sheet, as format: TextOrPageFormat) throws(RunError) -> String {
    switch format {
    case .json: return sheet.json()
    case .html: return sheet.html()
    case .text: break
    }
    guard let explain else { return sheet.text() }
    let destinations = sheet.destinations(named: explain)
    guard !destinations.isEmpty else {
      let hint = Suggestion.nearest(
        to: explain, among: sheet.destinations.flatMap { [$0.name, $0.title] })
      throw RunError(
        .file(beginning.scenario),
        "no destination is called `\(explain)`"
          + (hint.isEmpty ? "; the sheet lists them without --explain" : hint), rule: "share-sheet")
    }
    return destinations.map { sheet.explanation(of: $0) }.joined(separator: "\n")
  }
}
