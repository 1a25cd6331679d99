internal import Analysis
internal import Encodings
internal import GraphDocuments
package import Model
internal import Output
internal import Policy
internal import Tenants

/// The panel that the page shows beside the settings, with the user's choices in it. Only the shown panel's content is
/// computed.
package enum PagePanel: Sendable, Hashable {
  case answers, goals, ways
  /// A share sheet. `sender` and `item` are indices in ``SampleSheet``. A sender is an app with one of its accounts.
  case sheet(sender: Int, item: Int, via: SharingPath)
  case launch
  /// The comparison with another policy, by its number in the page's list. The number 0 stands for the saved file.
  case compare(Int)
  case users, findings

  var name: String {
    switch self {
    case .answers: "answers"
    case .goals: "goals"
    case .ways: "ways"
    case .sheet: "sheet"
    case .launch: "launch"
    case .compare: "compare"
    case .users: "users"
    case .findings: "findings"
    }
  }
}

extension Workbench {
  /// Returns the state of the page for a policy, as JSON with a final line break.
  package func state(_ index: PolicyIndex, showing panel: PagePanel = .answers) -> String {
    let draft = drafts[index.draft]
    return JSONWriter.objectLine { writer in
      writer.member("revision", revision)
      writer.objects("policies", of: policies) { writer, policy in
        writer.member("name", document(policy).displayName)
        writer.member("file", drafts[policy.draft].file)
        writer.member("isChanged", drafts[policy.draft].isChanged(policy: policy.policy))
        writer.member("conflicts", conflicts.count(where: { $0.policy == policy }))
      }
      writer.member("policy", policies.firstIndex(of: index))
      writer.member("file", draft.file)
      writer.member("isChanged", draft.isChanged)
      writer.member("canUndo", draft.canUndo)
      writer.member("canRedo", draft.canRedo)
      writer.member("isTenant", tenant != nil)
      tries?.write(to: &writer)
      writePages(of: index, to: &writer)
      writeGoals(of: index, to: &writer)
      writeConflicts(of: index, to: &writer)
      writer.member("panel", panel.name)
      write(panel, of: index, to: &writer)
    }
  }

  private func write(_ panel: PagePanel, of index: PolicyIndex, to writer: inout JSONWriter) {
    let document = document(index)
    switch panel {
    case .answers:
      comparison(index).write(
        pinned: Set(goals.filter { $0.policy == index }.map(\.scene)),
        tried: triedAnswers(index), to: &writer)
    case .goals: break
    case .ways:
      writeWays(of: index, to: &writer)
    case .sheet(let sender, let item, let path):
      SampleSheet(document, sender: sender, item: item, via: path).write(to: &writer)
    case .launch:
      LaunchConditions(document.settings).write(
        since: LaunchConditions(original(index).settings), to: &writer)
    case .compare(let other): writeComparison(of: index, with: other, to: &writer)
    case .users: writeUsers(of: index, to: &writer)
    case .findings: writeFindings(of: index, to: &writer)
    }
  }

  /// Returns the numbers that the tabs show, as JSON with a final line break.
  package func counts(_ index: PolicyIndex) -> String {
    JSONWriter.objectLine { writer in
      writer.member("revision", revision)
      writer.member("changedAnswers", comparison(index).changed.count)
      writer.member("findings", findings(index.draft).count)
      writer.member("ways", ways(under: document(index)).open.count)
      writer.member(
        "changedConditions",
        LaunchConditions(document(index).settings)
          .changeCount(since: LaunchConditions(original(index).settings)))
    }
  }

  // MARK: Ways out

  /// The properties of a policy that determine the ways by which data can leave; the key of a cache.
  struct WaysInput: Sendable, Equatable {
    var settings: Settings
    var states: [ManagementState]
  }

  private func ways(under document: PolicyDocument) -> WaysOut {
    let input = WaysInput(settings: document.settings, states: document.states)
    return waysOut.value(for: input) { WaysOut(document) }
  }

  /// Writes the ways by which data can leave under the policy with its changes. Ways that are closed in the saved file
  /// are marked as new. Ways that are open only in the saved file are listed as closed.
  private func writeWays(of index: PolicyIndex, to writer: inout JSONWriter) {
    let document = document(index)
    let (old, new) = (ways(under: original(index)), ways(under: document))
    let known = Set(old.open.map(\.way))
    let open = Set(new.open.map(\.way))
    new.writeMember(to: &writer) { writer, way in
      writer.member("help", way.way.help)
      writer.member(
        "value", way.reason.setting.flatMap(Setting.init).flatMap(document.settings.words))
      writer.member("isNew", !known.contains(way.way))
    } group: { writer, group in
      writer.objects("proposals", of: group.closing) { writer, proposal in
        writer.member("text", proposal.text)
        write(document.settings, proposal.settings, of: index, to: &writer)
      }
    }
    writer.strings("closed", old.open.filter { !open.contains($0.way) }.map(old.title))
  }

  // MARK: Settings

  private func writePages(of index: PolicyIndex, to writer: inout JSONWriter) {
    let (old, new) = (original(index).settings, document(index).settings)
    let changed = Set(new.differences(from: old))
    let wording = Wording(new)
    writer.objects("pages", of: SettingPage.allCases) { writer, page in
      writer.member("name", page.rawValue)
      writer.objects("lines", of: page.lines) { writer, line in
        writer.member("title", line.title)
        writer.strings("properties", line.settings.map(\.rawValue))
        writer.member("words", new.words(for: line.settings[0]))
        if line.settings.contains(where: changed.contains) {
          writer.member("before", old.words(for: line.settings[0]) ?? "")
        }
        let texts = line.texts(in: new)
        writer.strings("texts", texts)
        writer.member("noEffect", new.noEffectReason(of: line.settings[0]).map(wording.text))
        switch line.control {
        case .choice(let options):
          writer.member("control", "choice")
          // A value of the file that the control does not offer, such as a browser by its protocol, is shown.
          writer.strings("options", texts.filter { !options.contains($0) } + options)
        case .selection(let options):
          writer.member("control", "selection")
          writer.strings("options", options)
        case .number(let range):
          writer.member("control", "number")
          writer.member("minimum", range.lowerBound)
          writer.member("maximum", range.upperBound)
        case .period(let unit):
          writer.member("control", "period")
          writer.member("unit", unit.plural)
        case .list: writer.member("control", "list")
        case .text: writer.member("control", "text")
        }
      }
    }
  }

  private func writeConflicts(of index: PolicyIndex, to writer: inout JSONWriter) {
    writer.objects("conflicts", of: conflicts.filter { $0.policy == index }) { writer, conflict in
      let setting = conflict.line.settings[0]
      writer.member("title", conflict.line.title)
      writer.member("before", conflict.before)
      writer.member("file", original(index).settings.words(for: setting))
      writer.member("draft", document(index).settings.words(for: setting))
    }
  }

  private func writeGoals(of index: PolicyIndex, to writer: inout JSONWriter) {
    let own = goals.enumerated().filter { $0.element.policy == index }
    writer.objects("goals", of: own) { writer, numbered in
      let (number, goal) = numbered
      writer.member("number", number)
      writer.member("name", goal.name)
      writer.member("state", goal.state.title)
      writer.member("wanted", goal.wanted.rawValue)
      let outcome = Self.outcome(of: goal.scene, under: document(index).settings)
      writer.member("outcome", outcome.rawValue)
    }
  }

  // MARK: Users

  /// The users whom a policy reaches on one kind of device.
  struct ReachedUsers: Sendable {
    var device: String
    /// The lowercase bundle ids of the apps.
    var apps: [String]
    var sections: [DocumentReach.Section]
    /// The other policies that apply to these users.
    var companions: [String]
    var gaps: [String]
  }

  /// Returns the users whom a policy reaches on unmanaged and on managed devices; empty if the tenant does not contain
  /// the policy. The drafts do not change assignments, so the users always come from the export.
  private func reach(of index: PolicyIndex) -> [ReachedUsers] {
    guard let tenant else { return [] }
    let document = original(index)
    // Saving moves positions, so policies are identified by their file and their order in it.
    let inFile = tenant.policies.indices.filter { tenant.policies[$0].file == document.file }
    let alike = inFile.filter { tenant.policies[$0].displayName == document.displayName }
    let number = inFile.dropFirst(index.policy).first.flatMap { alike.contains($0) ? $0 : nil }
    guard let number = number ?? alike.first else { return [] }
    return reaches.value(for: number) {
      TenantDevice.kinds.map { device in
        let reach = tenant.reach(ofPolicy: number, on: device)
        return ReachedUsers(
          device: device.text, apps: reach.apps, sections: reach.sections,
          companions: reach.companions,
          gaps: reach.gaps + (reach.sections.isEmpty ? reach.assignments : []))
      }
    }
  }

  /// The maximum number of classes that the page lists. The number of names in each class is limited by
  /// ``maximumNames``.
  private static let maximumClasses = 20
  private static let maximumNames = 100

  private func writeUsers(of index: PolicyIndex, to writer: inout JSONWriter) {
    writer.objects("reach", of: reach(of: index)) { writer, reach in
      writer.member("device", reach.device)
      writer.objects("apps", of: reach.apps) { writer, app in
        writer.member("name", AppName.of(app) ?? app)
        writer.member("bundleID", app)
      }
      writer.strings("gaps", reach.gaps)
      writer.strings("companions", reach.companions)
      writer.objects("sections", of: reach.sections) { writer, section in
        writer.member("title", section.title)
        writer.member("others", max(0, section.groups.count - Self.maximumClasses))
        writer.objects("classes", of: section.groups.prefix(Self.maximumClasses)) { writer, group in
          writer.member("text", tenant?.name(group.users))
          writer.member("count", group.users.users.count)
          writer.strings(
            "names", (tenant?.names(of: group.users) ?? []).prefix(Self.maximumNames))
          writer.strings("reasons", group.reasons)
        }
      }
    }
  }

  // MARK: Findings

  private func findings(_ draft: Int) -> [LintFinding] {
    let bytes = drafts[draft].bytes
    return lints.value(for: bytes) { Linter.lint(bytes, file: drafts[draft].file) }
  }

  private func writeFindings(of index: PolicyIndex, to writer: inout JSONWriter) {
    let wording = Wording(document(index).settings)
    writer.objects("findings", of: findings(index.draft)) { writer, finding in
      writer.member("severity", finding.severity.rawValue)
      writer.member("rule", finding.code)
      writer.member("line", finding.position?.line)
      writer.member("message", wording.text(finding.message))
    }
  }
}
