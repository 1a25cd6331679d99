internal import Activation
internal import Analysis
internal import Bundle
internal import Encodings
internal import Foundation
internal import Host
internal import Output
internal import Scenario

/// A first scenario for apps on disk. Its text contains the apps with their extensions, an account, a policy, and steps
/// with expectations that are met.
private struct AppScenario {
  /// An app or extension that the scenario takes from its bundle.
  private struct Part {
    var name: String
    var bundle: AppBundle
    /// The path of the bundle, relative to the scenario's folder.
    var path: String
    /// The bundle id that the scenario states, because the bundle's own id is missing, invalid or a variable. Nil if
    /// the bundle has a valid id.
    var statedIdentifier: String?
    var containingApp: String?
    /// Whether the ready-made guest runs the app or extension. Only the ready-made guest follows the steps of a
    /// scenario.
    var isReadyMade: Bool

    var identifier: String { statedIdentifier ?? bundle.info.identifier ?? "" }
    var hasSDK: Bool { bundle.info.intuneSettings != nil }
    /// Whether the app declares `MultiIdentity`. Such an app has no identity when it starts.
    var isMultiIdentity: Bool { bundle.info.intuneSettings?.isMultiIdentity ?? false }
  }

  /// The visibility of an extension in the share sheets of several senders, for an item of one type.
  private struct Sheet {
    var part: String
    var type: String
    /// The visibility for each sender: `hidden` or `shown`.
    var visibilities: [(sender: String, visibility: String)]
  }

  private let name: String
  private let programs: DeviceConfiguration.Programs
  private var apps: [Part] = []
  private var extensions: [Part] = []
  private var sheets: [Sheet] = []
  /// The bundle ids of the two apps that the scenario adds: the managed sender and the unmanaged viewer.
  private var (managed, unmanaged) = ("com.contoso.mail", "org.example.viewer")

  private static let (sender, viewer) = ("mail", "viewer")

  /// Returns the text of a scenario in `folder` for the app folders at `paths`, and warnings about the apps.
  static func text(
    _ name: String, of paths: [String], in folder: String, run: ScenarioRun
  ) throws(RunError) -> (text: String, warnings: [String]) {
    var draft = AppScenario(name: name, programs: run.settings.programs)
    for path in paths { try draft.add(path, in: folder) }
    draft.avoidOthers()
    try draft.lookAtSheets(file: "\(folder)/\(name).yaml", run: run)
    return (draft.text, draft.warnings)
  }

  private init(name: String, programs: DeviceConfiguration.Programs) {
    self.name = name
    self.programs = programs
  }

  // MARK: Parts

  private mutating func add(_ path: String, in folder: String) throws(RunError) {
    let bundle: AppBundle
    do throws(BundleError) {
      bundle = try AppBundle(at: path, settings: BuildSettings())
    } catch {
      throw RunError(error.diagnostic)
    }
    guard bundle.kind == .app, bundle.source.isFolder else {
      let what = bundle.kind == .app ? "a property list outside a bundle" : "an extension"
      throw Self.mistake(path, "it is \(what); specify the app's folder")
    }
    try check(bundle)
    let app = part(bundle, nil, folder)
    guard !apps.contains(where: { $0.identifier.lowercased() == app.identifier.lowercased() })
    else { throw Self.mistake(path, "another app also has the identifier `\(app.identifier)`") }
    apps.append(app)
    for plugIn in bundle.plugIns {
      try check(plugIn)
      extensions.append(part(plugIn, app, folder))
    }
  }

  private func check(_ bundle: AppBundle) throws(RunError) {
    guard let program = bundle.info.executable, !program.contains("$") else { return }
    let path = bundle.source.path
    let places = ["\(path)/\(program)", "\(programs.folder)/\(program)"]
    guard !places.contains(where: FileManager.default.fileExists(atPath:)) else { return }
    throw Self.mistake(
      path, "the program `\(program)` of `CFBundleExecutable` is missing; build it first")
  }

  private static func mistake(_ path: String, _ message: String) -> RunError {
    RunError(.path(path), message, rule: "bundle")
  }

  private func part(_ bundle: AppBundle, _ app: Part?, _ folder: String) -> Part {
    let name = freeName(for: bundle)
    let own = bundle.info.identifier.flatMap { Name.isBundleID($0) ? $0 : nil }
    let other = "\(app?.identifier ?? "org.example").\(name.lowercased())"
    return Part(
      name: name, bundle: bundle, path: Self.relative(bundle.source.path, to: folder),
      statedIdentifier: own == nil ? other : nil, containingApp: app?.name,
      isReadyMade: BundleFolder(bundle, programs: programs).executable == nil)
  }

  /// The warnings about bundles without a valid bundle id, for which the scenario states one.
  private var warnings: [String] {
    (apps + extensions).compactMap { part in
      guard let stated = part.statedIdentifier else { return nil }
      let own = part.bundle.info.identifier.map { "is `\($0)`" } ?? "is missing"
      return Diagnostic(
        .path(part.bundle.source.list.file),
        "`CFBundleIdentifier` \(own), so the scenario uses `\(stated)`; replace it with the real bundle id",
        rule: "bundle", severity: .warning
      ).description
    }
  }

  /// Returns a free name that is valid in scenarios. It is derived from the name of the bundle or of its folder.
  private func freeName(for bundle: AppBundle) -> String {
    let folder = URL(fileURLWithPath: bundle.source.path).deletingPathExtension().lastPathComponent
    let words = [bundle.info.name ?? "", folder, "app"].map { word in
      String(word.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
    let word = words.first { $0.first?.isLetter == true } ?? "app"
    let name = word.prefix(1).lowercased() + word.dropFirst()
    let taken = Set(
      (apps + extensions).map { $0.name.lowercased() } + [Self.sender, Self.viewer])
    var number = 2
    var free = name
    while taken.contains(free.lowercased()) {
      free = "\(name)\(number)"
      number += 1
    }
    return free
  }

  private mutating func avoidOthers() {
    let taken = Set((apps + extensions).map { $0.identifier.lowercased() })
    while taken.contains(managed) { managed += "-2" }
    while taken.contains(unmanaged) { unmanaged += "-2" }
  }

  private static func relative(_ path: String, to folder: String) -> String {
    if path.hasPrefix("/") { return path }
    if folder == "." { return path }
    let target = URL(fileURLWithPath: path).standardizedFileURL.pathComponents
    let start = URL(fileURLWithPath: folder).standardizedFileURL.pathComponents
    let common = zip(target, start).prefix { $0 == $1 }.count
    let steps = Array(repeating: "..", count: start.count - common) + target.dropFirst(common)
    return steps.joined(separator: "/")
  }

  // MARK: Share sheets

  /// The types of the most commonly shared items.
  private static let commonTypes = [
    "public.plain-text", "public.url", "public.jpeg", "com.adobe.pdf", "public.mpeg-4",
    "public.data",
  ]

  private mutating func lookAtSheets(file: String, run: ScenarioRun) throws(RunError) {
    let prepared = try run.prepare(Self.read(text, file: file))
    for part in extensions where part.bundle.kind.isOfferedByRule {
      let named = part.bundle.info.appExtension?.activationRule?.typeIdentifiers ?? []
      let types = (Self.commonTypes + named).filter { !$0.contains("$") }
      var first: Sheet?
      for type in types {
        let sheet = try inspect(at: part, type, run, prepared)
        first = first ?? sheet
        guard sheet.visibilities.contains(where: { $0.visibility != "hidden" }) else { continue }
        first = sheet
        break
      }
      if let first { sheets.append(first) }
    }
  }

  private static func read(_ text: String, file: String) throws(RunError) -> Scenario {
    do throws(ScenarioErrors) {
      return try Scenario.read(text, file: file)
    } catch {
      throw RunError(error)
    }
  }

  private func inspect(
    at part: Part, _ type: String, _ run: ScenarioRun, _ prepared: PreparedScenario
  ) throws(RunError) -> Sheet {
    var sheet = Sheet(part: part.name, type: type, visibilities: [])
    for sender in [Self.viewer, Self.sender] {
      let question = ShareSheetQuestion(
        Action.ShareSheet(from: sender, items: [Action.ShareSheet.Item(types: [type])]))
      let seen = try run.shareSheet(question, of: prepared)
      guard let destination = seen.destinations(named: part.name).first else { continue }
      let key = destination.visibility == .hidden ? "hidden" : "shown"
      sheet.visibilities.append((sender, key))
    }
    return sheet
  }

  // MARK: Text

  private var text: String {
    let managedApps = [managed] + apps.filter(\.hasSDK).map(\.identifier)
    return """
      \(Scaffold.world(name, managed: managedApps))
      apps:
        \(Self.sender): { bundle: \(managed), sdk: true, signedIn: [anna] }
        \(Self.viewer): { bundle: \(unmanaged) }
      \((apps + extensions).map(line).joined())
      cases:
      \((apps.map(transfers) + sheets.map(sheetCase)).joined(separator: "\n"))
      """
  }

  private func line(_ part: Part) -> String {
    let entries = [
      part.statedIdentifier.map { "bundle: \($0)" }, "path: \(Self.scalar(part.path))",
      part.containingApp.map { "containingApp: \($0)" },
      part.hasSDK && part.containingApp == nil ? "signedIn: [anna]" : nil,
    ].compactMap(\.self)
    return "  \(part.name): { \(entries.joined(separator: ", ")) }\n"
  }

  /// Returns `text` as a YAML scalar: quoted as in JSON if a character may have a meaning in YAML.
  private static func scalar(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return byte < 0x80 && (character.isLetter || character.isNumber || "./_-".contains(character))
    }
    if isPlain, text.first != "-" { return text }
    return JSONWriter.quoted(text)
  }

  private func transfers(_ app: Part) -> String {
    let (taken, refused) = (
      "verdict: allowed, end: delivered",
      "verdict: blocked, decidedBy: sendManagedAppsToUnmanaged, end: refused"
    )
    let isManaged = app.hasSDK && (app.isReadyMade || !app.isMultiIdentity)
    var steps = "      - launch: [\(Self.sender), \(Self.viewer), \(app.name)]\n"
    if app.isMultiIdentity, app.isReadyMade {
      steps += "      - switchIdentity: { app: \(app.name), to: anna }\n"
    }
    steps += Self.share(
      Self.sender, app.name, "Quarterly figures", expect: isManaged ? taken : refused)
    steps += Self.share(Self.viewer, app.name, "Shopping list", expect: taken)
    if app.isReadyMade {
      steps += Self.share(app.name, Self.viewer, "A note", expect: isManaged ? refused : taken)
    }
    return "  - name: transfers to and from \(app.name)\n    steps:\n\(steps)"
  }

  private static func share(
    _ from: String, _ to: String, _ text: String, expect: String
  ) -> String {
    """
          - share: { from: \(from), to: \(to), text: \(text) }
            expect: { \(expect) }

    """
  }

  private func sheetCase(_ sheet: Sheet) -> String {
    let steps = sheet.visibilities.map { seen in
      """
            - shareSheet: { from: \(seen.sender), items: { type: \(sheet.type) } }
              expect: { \(seen.visibility): \(sheet.part) }

      """
    }
    return """
        - name: \(sheet.part) in share sheets
          steps:
            - launch: [\(Self.sender), \(Self.viewer)]
      \(steps.joined())
      """
  }
}

extension Scaffold {
  /// Creates a scenario in `folder` for the app folders at `paths`.
  ///
  /// - Throws: ``RunError`` if a bundle cannot be read, is not an app, or lacks the program that it names.
  package init(
    scenario name: String, apps paths: [String], in folder: String, run: ScenarioRun
  ) throws(RunError) {
    let (text, warnings) = try AppScenario.text(name, of: paths, in: folder, run: run)
    self.init(
      files: [File(path: "\(name).yaml", text: text)], scenario: "\(name).yaml",
      warnings: warnings)
  }
}
