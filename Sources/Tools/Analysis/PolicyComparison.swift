package import Encodings
internal import GraphDocuments
internal import Model
package import Output
package import Policy

/// The flows that become possible or impossible when one policy replaces another.
package struct PolicyComparison: Sendable {
  /// The flows that the policies decide differently. They are ordered by channel, and the simplest flows come first.
  package private(set) var flows: [FlowDifference] = []
  /// The differing settings that change no flow, because other differences compensate for them.
  package private(set) var balanced: [BalancedDifference] = []
  /// The differing settings that affect no flow under either policy.
  package private(set) var inert: [SettingDifference] = []
  /// The difference in the file encryption setting; nil if the setting does not differ, or if the difference affects a
  /// flow.
  package private(set) var storage: StorageDifference?
  /// The differing settings for access requirements and conditional launch.
  package let requirements: [SettingDifference]

  /// The differences in targeting. Only documents have targeting, so this is empty for effective policies.
  package var targeting: [TargetingDifference] = []

  package var changed: ChangedFlows { ChangedFlows(flows.count, .kind) }

  /// Whether both policies decide every flow the same way.
  package var isSameBehaviour: Bool { flows.isEmpty }

  /// Whether the policies differ neither in settings nor in targeting.
  package var isEmpty: Bool {
    flows.isEmpty && balanced.isEmpty && inert.isEmpty && requirements.isEmpty
      && storage == nil && targeting.isEmpty
  }

  /// The settings that change flows, without duplicates.
  private var causes: [SettingDifference] {
    var causes: [SettingDifference] = []
    for cause in flows.flatMap(\.causes) where !causes.contains(cause) { causes.append(cause) }
    return causes
  }

  /// The differing settings, the differences in targeting and the changed flows, one line each.
  package var changes: [String] {
    let stored = [storage?.setting].compactMap(\.self)
    let settings = (causes + balanced.map(\.setting) + stored + inert + requirements).map(\.text)
    return settings + targeting.map(\.text) + effects
  }

  /// The changed flows in the order of ``headings``. Each line covers flows with the same parties, outcomes and causes.
  package var effects: [String] {
    headings.flatMap { title, flows in
      FlowParagraph.all(flows).map { "\(title): \($0.parties): \($0.titles)" }
    }
  }

  /// The flows, grouped under headings that state the change and the conditions under which the flows differ. Flows
  /// that change only with an old SDK have separate headings, because ``FlowMatrix`` uses the newest SDK.
  package var headings: [(title: String, flows: [FlowDifference])] {
    let devices = [nil] + FlowDifference.RequiredDevice.allCases.map(Optional.some)
    return FlowDifference.Change.allCases.flatMap { change in
      let flows = flows.filter { $0.change == change }
      let old = flows.compactMap(\.scene.sdkVersion).max()?.description ?? ""
      let groups = [false, true].flatMap { isOld in
        devices.map { device in
          let conditions = [
            isOld ? "in apps with SDK \(old) or earlier" : nil, device?.words,
          ].compactMap(\.self)
          let only = conditions.isEmpty ? "" : ", but only \(conditions.joined(separator: " and "))"
          let members = flows.filter {
            ($0.scene.sdkVersion != nil) == isOld && $0.requiredDevice == device
          }
          return (change.title + only, members)
        }
      }
      return groups.filter { !$0.1.isEmpty }
    }
  }

  /// Compares two documents, including their targeting.
  package init(_ old: PolicyDocument, _ new: PolicyDocument) {
    self.init(
      old.effective, new.effective,
      in: SceneApps(targeted: new.targeting.sampleApps.union(old.targeting.sampleApps)))
    targeting = TargetingDifference.all(old, new)
  }

  /// Compares two effective policies, which have no targeting.
  ///
  /// - Parameter apps: The managed apps in the example requests.
  package init(
    _ old: EffectivePolicy, _ new: EffectivePolicy, in apps: SceneApps = .standard
  ) {
    let all = SettingDifference.all(old, new)
    requirements = all.filter { !$0.decidesFlows }
    let differences = all.filter(\.decidesFlows)
    guard !differences.isEmpty else { return }
    var search = DifferenceSearch(old, new, differences, in: apps)
    search.run()
    flows = search.flows
    balanced = search.balanced
    storage = search.inert.first { $0.settings == [.appDataEncryptionType] }.map {
      StorageDifference(setting: $0, old: old.encryptsFiles, new: new.encryptsFiles)
    }
    inert = search.inert.filter { $0 != storage?.setting }
  }

  /// A difference in the setting that determines how an account's files are stored on the device.
  ///
  /// Source: ms-intune-app-sdk-ios, issues 160 and 241. Under "Encrypt Org data", the system encrypts files; the app
  /// does not.
  package struct StorageDifference: Sendable {
    package var setting: SettingDifference
    /// Whether the old policy encrypts the account's files.
    package var old: Bool
    package var new: Bool

    fileprivate static func words(_ isEncrypted: Bool) -> String {
      isEncrypted
        ? "files of the account are stored encrypted"
        : "files of the account are stored as the device's settings specify"
    }
  }

  // MARK: Text

  /// Returns the comparison as text with a final line break. `old` and `new` are the policies' names.
  package func text(old: String, new: String) -> String {
    let lines = lines(old: old, new: new)
    let legend = Legend(of: lines).lines
    return (lines + (legend.isEmpty ? [] : [""] + legend)).joinedLines
  }

  func lines(old: String, new: String) -> [String] {
    var lines = ["A: \(old)", "B: \(new)", ""]
    if isSameBehaviour { lines += [ChangedFlows.none.capitalizedStart + ".", ""] }
    for (title, flows) in headings {
      let paragraphs = FlowParagraph.all(flows)
      lines += [title, ""]
      var causes: [SettingDifference]?
      for paragraph in paragraphs.sorted(by: { $0.rank < $1.rank }) {
        if paragraph.causes != causes { lines += paragraph.causes.map { "  \($0.text)" } + [""] }
        causes = paragraph.causes
        lines += paragraph.lines.map { "  " + $0 } + [""]
      }
    }
    lines += balanceLines
    lines += storageLines
    lines += Self.list("Settings that differ without effect on any flow in either policy", inert)
    lines += Self.list("Access requirements and conditional launch", requirements)
    lines += targetingLines
    return Array(lines.dropLast())
  }

  private var balanceLines: [String] {
    guard !balanced.isEmpty else { return [] }
    return ["Settings that act together: no flow changes, although one policy depends on them", ""]
      + balanced.flatMap { $0.lines + [""] }
  }

  private var storageLines: [String] {
    guard let storage else { return [] }
    return [
      "Storage of files: no flow changes", "", "  \(storage.setting.text)",
      "    A: \(StorageDifference.words(storage.old))",
      "    B: \(StorageDifference.words(storage.new))", "",
    ]
  }

  private var targetingLines: [String] {
    guard !targeting.isEmpty else { return [] }
    return ["Targeting", ""] + targeting.map { "  \($0.text)" } + [""]
  }

  private static func list(_ title: String, _ differences: [SettingDifference]) -> [String] {
    guard !differences.isEmpty else { return [] }
    return [title, ""] + differences.map { "  \($0.text)" } + [""]
  }
}

extension BalancedDifference {
  fileprivate var lines: [String] {
    let (name, other) = holder == .old ? ("A", "B") : ("B", "A")
    return [
      "  \(setting.text)",
      "    for example \(with.request.endsText)",
      "      \(with.request.detailText)",
      "      \(name) \(with.text)",
      "      \(name) with the value of \(other) \(without.text)",
      "      \(with.request.decideLine)",
    ]
  }
}

/// A paragraph about differences that have the same parties, outcomes and causes on one or more channels.
private struct FlowParagraph {
  /// The differences, with the simplest first. The first one provides the paragraph's example.
  var flows: [FlowDifference]

  /// The sort key: the number of the first paragraph with the same causes, and then this paragraph's number.
  var rank: (Int, Int)
  var causes: [SettingDifference] { flows[0].causes }

  static func all(_ flows: [FlowDifference]) -> [FlowParagraph] {
    var paragraphs: [FlowParagraph] = []
    for flow in flows {
      if let index = paragraphs.firstIndex(where: { $0.flows[0].isAlike(flow) }) {
        paragraphs[index].flows.append(flow)
      } else {
        let number = paragraphs.count
        let first = paragraphs.firstIndex { $0.causes == flow.causes } ?? number
        paragraphs.append(FlowParagraph(flows: [flow], rank: (first, number)))
      }
    }
    return paragraphs
  }

  var parties: String { flows[0].partiesText }

  var titles: String { flows.map(\.channelTitle).joined(separator: ", ") }

  var lines: [String] {
    let old = flows[0].old
    let new = flows[0].new
    return "  \(parties): \(titles)".wrapped(to: 116, indentedBy: "      ") + [
      "    for example \(old.request.endsText)",
      "      \(old.request.detailText)",
      "      A \(old.text)",
      "      B \(new.text)",
      "      \(old.request.decideLine)",
    ]
  }

  fileprivate func write(to writer: inout HTMLWriter) {
    let example = flows[0]
    writer.element("div", text: "\(parties.withArrows): \(titles)")
    writer.element("small", text: "By \(causes.map(\.label).joined(separator: ", "))")
    writer.element(
      "small",
      text:
        "For example \(example.old.request.endsText.withArrows), \(example.old.request.detailText)")
    writer.element("small", text: "A \(example.old.text)")
    writer.element("small", text: "B \(example.new.text)")
  }
}

extension FlowDifference {
  fileprivate func isAlike(_ other: FlowDifference) -> Bool {
    partiesText == other.partiesText && old.outcome == other.old.outcome
      && new.outcome == other.new.outcome && causes == other.causes
  }

  fileprivate var partiesText: String { parties.words(on: channel) }

  /// The channel's title with its subjects, such as `Save to (Box, Egnyte)`.
  fileprivate var channelTitle: String {
    let shown = 6
    let via = channel.row.hasTwoPaths && scene.via == .os ? " \(scene.via.words)" : ""
    let title = channel.row.title + via
    guard !subjects.isEmpty else { return title }
    let titles = subjects.prefix(shown).map { StorageLocation(rawValue: $0)?.title ?? $0 }
    let rest = subjects.count > shown ? " and \(subjects.count - shown) more" : ""
    return "\(title) (\(titles.joined(separator: ", "))\(rest))"
  }
}

extension FlowDifference.Side {
  /// The answer with its reason and standing, such as `blocked by sendNone (sender): … (documented)`.
  fileprivate var text: String {
    "\(outcome.rawValue) by \(reason.rule.rawValue) (\(reason.side.rawValue)): "
      + reason.text + reason.remark(isDeciding: true)
  }
}

// MARK: - HTML

extension PolicyComparison {
  /// The number of kinds of flows under each heading, such as `Become possible: 7 kinds of flows`.
  var counts: [String] {
    guard !isSameBehaviour else { return [ChangedFlows.none.capitalizedStart] }
    return headings.map { title, flows in "\(title): \(ChangedFlows(flows.count, .kind).text)" }
  }

  /// The answer in words, such as `10 kinds of flows become impossible, 2 become encrypted. Nothing becomes possible.`
  var headline: String {
    guard !isSameBehaviour else { return ChangedFlows.none.capitalizedStart + "." }
    let counts = FlowDifference.Change.allCases.map { change in
      (change, flows.count { $0.change == change })
    }.filter { $1 > 0 }
    let words = counts.enumerated().map { index, entry in
      let (change, count) = entry
      let what = index == 0 ? ChangedFlows(count, .kind).text : "\(count)"
      return "\(what) \(change.words(of: count))"
    }
    let isClosed = !counts.contains { $0.0 == .becomesPossible }
    return "\(words.joined(separator: ", ")).\(isClosed ? " Nothing becomes possible." : "")"
  }

  /// Writes a table of the differences in settings and targeting, with their effects; nothing if there are none.
  package func writeSettings(to writer: inout HTMLWriter) {
    let rows = settingRows
    guard !rows.isEmpty else { return }
    writer.table(caption: "Settings that differ", columns: Self.columns) { writer in
      for row in rows {
        writer.row(row[0], of: "setting") { writer in
          for (column, text) in zip(Self.columns, row).dropFirst() {
            writer.element("td", [("data-column", column)], text: text)
          }
        }
      }
    }
  }

  private static let columns = ["Setting", "A", "B", "Effect"]

  private var settingRows: [[String]] {
    let kinds: [([SettingDifference], String)] = [
      (causes, "changes flows"),
      (balanced.map(\.setting), "no flow changes, because other settings compensate for it"),
      (storage.map { [$0.setting] } ?? [], storageEffect),
      (inert, "no flow depends on this setting in either policy"),
      (requirements, "access and conditional launch"),
    ]
    let settings = kinds.flatMap { differences, effect in
      differences.map { difference in
        let values = [difference.old, difference.new].map { "\($0.words) (\($0.source))" }
        return [difference.label] + values + [effect]
      }
    }
    return settings + targeting.map { [$0.label, $0.old, $0.new, "the policy's target"] }
  }

  private var storageEffect: String {
    guard let storage else { return "" }
    return
      "no flow changes. A: \(StorageDifference.words(storage.old)); B: \(StorageDifference.words(storage.new))"
  }

  /// Writes the changed kinds of flows below headings. Kinds with the same parties, answers and causes share an
  /// example.
  package func writeFlows(to writer: inout HTMLWriter) {
    for (title, flows) in headings {
      let paragraphs = FlowParagraph.all(flows)
      writer.element("h3", text: title)
      writer.element("ul") { writer in
        for paragraph in paragraphs {
          writer.element("li") { paragraph.write(to: &$0) }
        }
      }
    }
  }
}

// MARK: - JSON

extension PolicyComparison {
  /// Returns the comparison as one JSON object with a final line break; see `docs/schema/diff.schema.json`.
  package func json(old: String, new: String) -> String {
    JSONWriter.objectLine { write(old: old, new: new, to: &$0) }
  }

  package func write(old: String, new: String, to writer: inout JSONWriter) {
    writer.member("old", old)
    writer.member("new", new)
    writer.member("same", isSameBehaviour)
    writer.objects("flows", of: flows) { writer, flow in
      writer.member("change", flow.change.rawValue)
      writer.member("channel", flow.channel.rawValue)
      writer.member("from", flow.parties.from.rawValue)
      writer.member("to", flow.parties.to.rawValue)
      writer.member("onlyWithSDK", flow.scene.sdkVersion?.description)
      writer.member("onlyOn", flow.requiredDevice?.rawValue)
      if !flow.subjects.isEmpty { writer.strings("at", flow.subjects) }
      writer.objects("settings", of: flow.causes) { $1.writeMembers(to: &$0) }
      writer.object("witness") { writer in
        writer.member("text", "\(flow.old.request.endsText), \(flow.old.request.detailText)")
        writer.member("request", json: flow.old.request.decideLine.utf8)
        writer.object("old") { flow.old.writeMembers(to: &$0) }
        writer.object("new") { flow.new.writeMembers(to: &$0) }
      }
    }
    writer.objects("balanced", of: balanced) { writer, difference in
      writer.object("setting") { difference.setting.writeMembers(to: &$0) }
      writer.member("policy", difference.holder.rawValue)
      writer.object("witness") { writer in
        writer.member(
          "text", "\(difference.with.request.endsText), \(difference.with.request.detailText)")
        writer.member("request", json: difference.with.request.decideLine.utf8)
        writer.object("with") { difference.with.writeMembers(to: &$0) }
        writer.object("without") { difference.without.writeMembers(to: &$0) }
      }
    }
    if let storage {
      writer.object("storage") { writer in
        writer.object("setting") { storage.setting.writeMembers(to: &$0) }
        writer.member("oldEncrypts", storage.old)
        writer.member("newEncrypts", storage.new)
      }
    }
    writer.objects("withoutEffect", of: inert) { $1.writeMembers(to: &$0) }
    writer.objects("requirements", of: requirements) { $1.writeMembers(to: &$0) }
    writer.objects("targeting", of: targeting) { writer, difference in
      writer.member("label", difference.label)
      writer.member("old", difference.old)
      writer.member("new", difference.new)
      writer.member("oldSource", difference.oldSource)
      writer.member("newSource", difference.newSource)
    }
  }
}

extension FlowDifference.Side {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("outcome", outcome.rawValue)
    writer.member(named: "reason") { reason.write(to: &$0) }
    reason.standing.writeMembers(to: &writer)
  }
}

extension SettingDifference {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.strings("settings", settings.map(\.rawValue))
    writer.member("label", label)
    writer.object("old") { old.writeMembers(to: &$0) }
    writer.object("new") { new.writeMembers(to: &$0) }
  }
}

extension SettingDifference.Value {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("value", words)
    writer.member("source", source)
  }
}
