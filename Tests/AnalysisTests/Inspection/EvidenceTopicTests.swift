import Analysis
import Encodings
import Model
import Policy
import Testing

/// Tests what `sluice evidence` shows about a subject.
@Suite struct EvidenceTopicTests {
  @Test(arguments: [
    ("printingBlocked", EvidenceTopic.rule(.printingBlocked)),
    ("printBlocked", .setting(.printBlocked)), ("Printing Org data", .setting(.printBlocked)),
    ("printing org data", .setting(.printBlocked)), ("clipboard", .channel(.clipboard)),
    ("paste", .channel(.clipboard)), ("alreadyEnrolled", .status("alreadyEnrolled")),
    ("compliant", .status("compliant")),
  ])
  func `an evidence topic is found by each of its names, ignoring case`(
    name: String, topic: EvidenceTopic
  ) {
    #expect(EvidenceTopic(named: name) == topic)
  }

  @Test(arguments: [
    "evidence/mdm/screenshots.yaml", "mdm/screenshots", "/repository/evidence/mdm/screenshots.yaml",
  ])
  func `a statement's file name finds its evidence topic`(name: String) throws {
    let topic = try #require(EvidenceTopic(named: name))
    #expect(topic.statements.map(\.file) == ["evidence/mdm/screenshots"])
    #expect(
      topic.text.hasPrefix(
        "evidence/mdm/screenshots.yaml\n  screenCaptureRestriction: documented\n"))
  }

  @Test(arguments: ["printingBlokked", "", "yaml", "creenshots", "evidence"])
  func `an unknown name finds no evidence topic`(name: String) {
    #expect(EvidenceTopic(named: name) == nil)
  }

  @Test func `the evidence topic of a rule states its standing, source and evidence statements`()
    throws
  {
    let text = try #require(EvidenceTopic(named: "unenrolledSDKReceiver")).text
    #expect(text.hasPrefix("unenrolledSDKReceiver: reported, observed "))
    #expect(text.contains("\n  ms-intune-app-sdk-ios, issue 672\n"))
    #expect(text.contains("\nStatements that hold: "))
    #expect(text.contains("\n    report, 2026-06-17: SDK integration changes "))
    #expect(
      text.contains("\n    https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/672\n"))
    #expect(
      text.contains("\n    evidence/sending/os-sharing-encrypts-for-an-unenrolled-sdk.yaml\n"))
  }

  @Test func `an assumed rule has no evidence statement`() {
    let topic = EvidenceTopic.rule(.otherTenant)
    #expect(topic.statements.isEmpty)
    #expect(topic.text.hasPrefix("otherTenant: assumed\n"))
    #expect(topic.text.hasSuffix("\nNo public statement is known.\n"))
  }

  @Test
  func `evidence statements that contradict the program come last, beside the program's answer`()
    throws
  {
    for topic in Rule.allCases.map(EvidenceTopic.rule) {
      let holding = topic.statements.map(\.holds)
      #expect(holding == holding.sorted { $0 && !$1 })
      for statement in topic.statements where !statement.holds {
        #expect(topic.text.contains("\nStatements that do not hold: "))
        let program = try #require(statement.program)
        #expect(topic.text.contains("\n    here: \(program.prefix(40))"))
      }
    }
  }

  @Test func `the JSON of an evidence topic has its label and its statements with sources`() throws
  {
    let topic = EvidenceTopic.setting(.printBlocked)
    let json = try JSONReader.read(topic.json)
    #expect(json["kind"]?.string == "setting")
    #expect(json["label"]?.string == "Printing Org data")
    let files = json["statements"]?.array?.compactMap { $0["file"]?.string }
    #expect(files == topic.statements.map { $0.file + ".yaml" })
    #expect(json["statements"]?.array?.allSatisfy { $0["source"]?["at"]?.string != nil } == true)
  }

  @Test func `evidence coverage counts the statements of every rule, in text and JSON`() throws {
    let coverage = EvidenceCoverage()
    #expect(coverage.rules.map(\.subject) == Rule.allCases)
    for count in coverage.rules {
      let statements = EvidenceTopic.rule(count.subject).statements
      #expect(count.holding == statements.count(where: \.holds))
      #expect(count.total == statements.count)
    }
    let text = coverage.text
    for rule in Rule.allCases { #expect(text.contains(rule.rawValue)) }
    for level in Standing.Level.allCases { #expect(text.contains("\n  \(level.rawValue) (")) }
    #expect(text.contains("\nWithout a statement\n"))
    let json = try JSONReader.read(coverage.json)
    #expect(json["rules"]?.array?.count == Rule.allCases.count)
    #expect(json["statuses"]?.array?.count == Statement.statusNames.count)
  }

  @Test func `the evidence coverage of a policy has a line for each setting`() {
    let policy = Samples.document("common", Samples.common)
    let text = EvidenceCoverage().text(of: policy)
    #expect(text.hasPrefix("common (common.json): "))
    #expect(text.contains("\n  printBlocked  "))
    #expect(text.split(separator: "\n").count == policy.origins.count + 1)
  }
}
