import Analysis
import GraphDocuments
import Model
import Output
import Policy
import TestSupport
import Testing

@testable import FieldKit

@Suite struct FieldKitTests {
  // MARK: Experiments

  /// The name of each experiment, the engine's outcome and deciding rule, and the rules that it settles.
  private static let verdicts: [(name: String, outcome: Outcome, rule: Rule, settles: [Rule])] = [
    ("dialer-any-app", .allowed, .dialerAnyApp, [.dialerAnyApp]),
    ("managed-link-to-teams", .blocked, .managedBrowserRequired, [.managedBrowserRequired]),
    ("link-to-edge", .allowed, .managedBrowserUsed, [.managedBrowserUsed]),
    ("save-to-sharepoint", .blocked, .saveServiceNotSelected, [.saveServiceNotSelected]),
    ("save-image-of-message", .blocked, .saveServiceNotSelected, [.saveServiceNotSelected]),
    ("save-on-phone", .blocked, .saveServiceNotSelected, [.saveServiceNotSelected]),
    ("attach-photo-without-list", .blocked, .openServiceNotSelected, [.openServiceNotSelected]),
    ("widget-stated", .allowed, .widgetSyncAllowed, [.widgetSyncAllowed]),
    (
      "screen-capture-key", .allowed, .screenCaptureControlDisabled, [.screenCaptureControlDisabled]
    ),
    ("file-encryption-in-log", .allowed, .fileEncryptionByDevice, [.fileEncryptionByDevice]),
    ("second-managed-account", .blocked, .singleManagedAccount, [.singleManagedAccount]),
    ("user-of-mdm-second", .allowed, .noAccountRestriction, [.enrolledUserFirst]),
    ("open-in-as-colleague", .allowed, .sendManagedAppsToManaged, [.sameTenant]),
    ("paste-as-colleague", .allowed, .clipboardManagedApps, [.sameTenant]),
    ("open-in-other-tenant", .blocked, .otherTenant, [.otherTenant]),
    ("copy-to-other-tenant", .blocked, .otherTenant, [.otherTenant]),
    ("paste-in-other-tenant", .blocked, .clipboardManagedAppsToUnmanaged, [.otherTenant]),
    ("writing-tools", .blocked, .writingToolsFollowSend, [.writingToolsFollowSend]),
    ("genmoji", .blocked, .genmojiFollowsSend, [.genmojiFollowsSend]),
    ("descending-pin", .blocked, .pinDescending, [.pinDescending]),
    ("paste-on-mac-restricted", .blocked, .clipboardManagedAppsToUnmanaged, [.universalClipboard]),
    ("airdrop-restricted", .encrypted, .sendManagedAppsEncrypts, [.toAnotherDevice]),
    ("airdrop-in-restricted", .blocked, .receiveManagedAppsFromUnmanaged, [.fromAnotherDevice]),
    ("pass-on-a-colleagues-document", .blocked, .ownerNotSignedIn, [.ownerNotSignedIn]),
    ("dialer-specific-app", .allowed, .dialerSpecificApp, [.dialerSpecificApp]),
    ("link-to-zoom", .blocked, .managedBrowserRequired, [.managedBrowserRequired]),
    ("widget-absent", .blocked, .widgetSyncBlocked, [.widgetSyncBlocked]),
    ("longer-pin", .blocked, .pinOutdated, [.pinOutdated]),
    ("paste-on-mac", .allowed, .clipboardAllApps, [.universalClipboard]),
    ("airdrop", .allowed, .sendAllApps, [.toAnotherDevice]),
    ("airdrop-in", .allowed, .unmanagedSender, [.fromAnotherDevice]),
    ("file-after-sign-out", .blocked, .fileOwnerNotSignedIn, [.fileOwnerNotSignedIn]),
    ("attach-for-private-account", .blocked, .fileOfOtherIdentity, [.fileOfOtherIdentity]),
    ("save-without-list", .blocked, .saveServiceNotSelected, [.saveServiceNotSelected]),
    ("attach-photo-not-selected", .blocked, .openServiceNotSelected, [.openServiceNotSelected]),
    ("widget-blocked", .blocked, .widgetSyncBlocked, [.widgetSyncBlocked]),
    ("save-image-unrestricted", .allowed, .saveNotRestricted, [.saveNotRestricted]),
    ("offline-timer", .blocked, .offlineGraceBlocks, [.offlineGraceBlocks]),
  ]

  @Test func `each experiment has the expected verdict and settles the expected rules`() {
    #expect(Experiment.all.map(\.name) == Self.verdicts.map(\.name))
    for (experiment, expected) in zip(Experiment.all, Self.verdicts) {
      #expect(experiment.verdict.outcome == expected.outcome, "\(experiment.name)")
      #expect(experiment.verdict.deciding.rule == expected.rule, "\(experiment.name)")
      #expect(experiment.subjects == expected.settles, "\(experiment.name)")
    }
  }

  @Test func `each outcome predicted for an experiment is one of the experiment's observations`() {
    for experiment in Experiment.all {
      let known = experiment.observations.map(\.outcome)
      let predicted = Alternative.all.map { $0.outcome(of: experiment.question) }
      #expect(Set(known).isSuperset(of: predicted + [experiment.verdict.outcome]))
    }
  }

  @Test func `a field kit alternative's statement is open and shares a rule with the alternative`()
    throws
  {
    let files = Dictionary(uniqueKeysWithValues: Statement.all.map { ($0.file, $0) })
    for alternative in Alternative.all {
      guard let file = alternative.statement else { continue }
      let statement = try #require(files[file], "\(file)")
      #expect(!statement.holds)
      // A statement about the host's answer names no rule.
      let rules = Set(statement.allRules)
      #expect(rules.isEmpty || !rules.isDisjoint(with: alternative.rules), "\(file)")
    }
  }

  // MARK: Policies

  @Test(
    arguments: [
      ("restricted", ["locationsMissing", "sharePoint"]), ("open", []),
      ("selected", ["locationsMissing"]), ("savable", []),
    ] as [(String, [String])])
  func `the kit's policies are valid, and lint reports only intended omissions`(
    name: String, findings: [String]
  ) throws {
    let policy = try #require(KitPolicy.all.first { $0.name == name })
    let document = try PolicyReader.read(Array(policy.json.utf8), file: "policy.json")[0]
    #expect(document.warnings.isEmpty)
    #expect(document.unknownProperties.isEmpty)
    #expect(document.settings == policy.document.settings)
    for app in PublicApp.allCases {
      let result = document.targets(
        bundleID: app.bundleID,
        state: ManagementState(isMDMEnrolled: false, hasEnrolledUPN: false))
      #expect(result.isTargeted == app.isTargeted, "\(app.name)")
    }
    let found = Linter.lint(Array(policy.json.utf8), file: "policy.json").map(\.rule.code)
    #expect(Set(found) == Set(findings))
  }

  // MARK: The smallest set

  @Test func `the kit settles every open rule except two that no phone can settle`() {
    let kit = FieldKit()
    #expect(kit.unsettledRules == [.conditionTakenAsMet, .conditionTakenAsNotMet])
    #expect(kit.unsettledStatements.allSatisfy { $0.file.hasPrefix("evidence-open/") })
    #expect(FieldKit(about: [.pinOutdated]).unsettledStatements.isEmpty)
    #expect(kit.policies.map(\.name) == KitPolicy.all.map(\.name))
    #expect(kit.needs == Experiment.Need.allCases)
  }

  @Test func `the kit's page and text list the rules and statements that it does not settle`()
    throws
  {
    let kit = FieldKit()
    let page = try HTMLElement(page: kit.html)
    #expect(page.all("h2").last?.line == "Not settled")
    let items = try #require(page.all("ul").last).all("li")
    #expect(items.count == kit.unsettledRules.count + kit.unsettledStatements.count)
    let text = kit.text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    for (item, statement) in zip(
      items.suffix(kit.unsettledStatements.count), kit.unsettledStatements)
    {
      let name = "\(statement.file).yaml"
      #expect(item.text.contains(statement.text))
      #expect(item.all("small").map(\.line) == [name])
      #expect(text.contains("\(statement.text) (\(name))"))
    }
    for rule in kit.unsettledRules {
      #expect(items.contains { $0.all("small").map(\.line) == [rule.rawValue] })
    }
    let some = try HTMLElement(page: FieldKit(about: [.pinOutdated]).html)
    #expect(!some.all("h2").contains { $0.line == "Not settled" })
  }

  @Test func `each experiment is needed to distinguish all alternatives`() {
    let kit = FieldKit()
    for index in kit.experiments.indices {
      var fewer = kit.experiments
      let left = fewer.remove(at: index)
      #expect(FieldKit(from: fewer).alternatives.count < kit.alternatives.count, "\(left.name)")
    }
    #expect(FieldKit(from: kit.experiments).alternatives.count == kit.alternatives.count)
  }

  @Test func `smallestSet finds as few distinguishing columns as an exhaustive search`() {
    var random = SeededGenerator(seed: 54)
    for _ in 0..<200 {
      let width = Int.random(in: 1...7, using: &random)
      let rows = Set(
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
          (0..<width).map { _ in Outcome.allCases.randomElement(using: &random)! }
        })
      func separates(_ columns: [Int]) -> Bool {
        Set(rows.map { row in columns.map { row[$0] } }).count == rows.count
      }
      let smallest = (0..<(1 << width)).map { bits in
        (0..<width).filter { bits & (1 << $0) != 0 }
      }.filter(separates).map(\.count).min()
      let chosen = FieldKit.smallestSet(separating: Array(rows))
      #expect(separates(chosen.sorted()))
      #expect(chosen.count == smallest)
    }
  }

  @Test(
    arguments: [
      ([.pinOutdated], [], ["longer-pin"]),
      (
        [.otherTenant], [],
        ["open-in-other-tenant", "copy-to-other-tenant", "paste-in-other-tenant"]
      ),
      ([.otherTenant], [.otherTenant], []),
      ([.widgetSyncAllowed], [], ["widget-stated", "widget-absent"]),
      ([.toAnotherDevice], [.secondDevice], []), ([.conditionTakenAsMet], [], []),
    ] as [(Set<Rule>, Set<Experiment.Need>, [String])])
  func `a field kit can be limited to given rules and available equipment`(
    rules: Set<Rule>, missing: Set<Experiment.Need>, names: [String]
  ) {
    #expect(FieldKit(about: rules, without: missing).experiments.map(\.name) == names)
  }

  // MARK: Page

  @Test func `the kit's page has each experiment's steps and the meaning of each observation`()
    throws
  {
    let kit = FieldKit()
    let page = try HTMLElement(page: kit.html)
    let articles = page.all("article")
    #expect(articles.compactMap { $0.attributes["id"] } == kit.experiments.map(\.name))
    for (article, experiment) in zip(articles, kit.experiments) {
      #expect(article.all("li").map(\.text) == experiment.steps)
      #expect(article.all("tr").count == experiment.observations.count + 1)
    }
    let widget = try #require(articles.first { $0.attributes["id"] == "widget-absent" })
    #expect(widget.text.contains("Confirms `widgetSyncBlocked` (contested)."))
    #expect(
      widget.text.contains("Supports: `allowWidgetContentSync` counts as true if it is absent."))
    #expect(page.all("script").isEmpty)
  }
}
