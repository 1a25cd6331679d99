import Analysis
import Encodings
import GraphDocuments
import Model
import Policy
import Testing

@Suite struct PolicyViewTests {
  @Test func `the policy view shows every setting of a policy once`() throws {
    let view = PolicyView(of: try Fixtures.sample())
    let shown = view.sections.flatMap(\.rows).flatMap(\.values).map(\.setting)
    #expect(shown.count == Set(shown).count)
    #expect(Set(shown) == Set(Setting.allCases.filter { $0.holder == .policy }))
  }

  @Test func `a policy is shown in the sections of the admin centre`() throws {
    #expect(
      PolicyView(of: try Fixtures.sample()).sections.map(\.name) == [
        "Data protection", "Access requirements", "Conditional launch", "Targeting",
      ])
  }

  @Test func `properties that form one choice in the admin centre are shown in one row`() throws {
    let rows = PolicyView(of: try Fixtures.sample()).sections[0].rows
    let row = try #require(rows.first { $0.label == "Send org data to other apps" })
    #expect(row.words == "Policy managed apps with OS sharing")
    #expect(row.places.map(\.line) == [4, 5, 6])
    #expect(rows.filter { $0.label == row.label }.count == 1)
  }

  @Test func `the policy view shows no line numbers for settings that the policy leaves out`()
    throws
  {
    let document = try Fixtures.document("{\"appGroupType\": \"allApps\"}")
    let view = PolicyView(of: document)
    #expect(view.sections.dropLast().flatMap(\.rows).allSatisfy { $0.places.isEmpty })
    #expect(view.sections.last?.rows.map(\.words) == ["All Apps", "none", "All"])
  }

  @Test func `the view of merged policies names the file with each setting's strictest value`()
    throws
  {
    let loose = try Fixtures.document(
      "{\"appGroupType\": \"allApps\", \"allowedOutboundDataTransferDestinations\": \"allApps\"}",
      file: "loose.json")
    let strict = try Fixtures.document(
      "{\"appGroupType\": \"allApps\",\n\"allowedOutboundDataTransferDestinations\": \"none\"}",
      file: "strict.json")
    let view = PolicyView(merging: [loose, strict])
    let row = try #require(
      view.sections[0].rows.first { $0.label == "Send org data to other apps" })
    #expect(row.words == "None")
    #expect(row.places.map(\.description) == ["strict.json:2"])
    #expect(view.text.hasPrefix("The most restrictive values of\nloose.json (loose.json:1)\n"))
    #expect(view.sections.last?.rows.count == 6)
  }

  @Test func `a setting merged from equal values cites the file and line of each value`() throws {
    let documents = try ["b.json", "a.json"].map { file in
      try Fixtures.document(
        "{\"appGroupType\": \"allApps\",\n\"allowedOutboundDataTransferDestinations\": \"managedApps\",\n"
          + "\"filterOpenInToOnlyManagedApps\": true}", file: file)
    }
    let merged = PolicyDocument(merging: documents, for: Targeting(appGroup: .allApps))
    for view in [PolicyView(merging: documents), PolicyView(of: merged)] {
      let row = try #require(
        view.sections[0].rows.first { $0.label == "Send org data to other apps" })
      #expect(row.places.map(\.description) == ["a.json:2", "a.json:3", "b.json:2", "b.json:3"])
      #expect(view.text.contains("  a.json:2, :3, b.json:2, :3\n"), "\(view.text)")
    }
    let texts = [FlowMatrix(merged)].text(detail: .reasons)
    #expect(
      texts.contains("(a.json:2, b.json:2)") || texts.contains("(a.json:2,\n"), "\(texts)")
  }

  @Test(arguments: [
    (0, "PT0S"), (59, "PT59S"), (1800, "PT30M"), (43200, "PT12H"), (86400, "P1D"),
    (90 * 86400, "P90D"), (88261, "P1DT31M1S"),
  ])
  func `durations are formatted as in Graph`(seconds: Int, text: String) {
    var settings = Settings()
    settings.periodOfflineBeforeAccessCheck = seconds
    #expect(settings.graphValue(of: .periodOfflineBeforeAccessCheck) == .text(text))
    #expect(ISODuration.seconds(text, .graph) == seconds)
  }

  private func words(_ value: JSONValue) -> [String] {
    value.array?.flatMap(words)
      ?? [value.string ?? value.bool.map { "\($0)" } ?? value.int.map { "\($0)" } ?? "null"]
  }

  @Test func `a value in the policy view equals the exported value or the default`() throws {
    let stated = try JSONReader.read(Fixtures.text)
    let view = PolicyView(of: try Fixtures.sample())
    let others = PolicyView(of: try Fixtures.document("{\"appGroupType\": \"allApps\"}"))
    let defaults = others.sections.flatMap(\.rows).flatMap(\.values)
    var count = 0
    for value in view.sections.flatMap(\.rows).flatMap(\.values) {
      var writer = JSONWriter()
      value.value.write(to: &writer)
      let shown = try JSONReader.read(writer.text)
      switch stated[value.setting.rawValue] {
      case nil:
        let unstated = defaults.first { $0.setting == value.setting }
        #expect(value.value == unstated?.value && value.place == nil, "\(value.setting)")
      case let member? where value.setting == .exemptedAppProtocols:
        let schemes = member.array?.compactMap { $0["value"]?.string } ?? []
        let listed = schemes.flatMap { $0.split(separator: ";") }.sorted()
        #expect(shown.array?.compactMap(\.string) == listed.map(String.init))
        count += 1
      case let member?:
        #expect(words(shown) == words(member), "\(value.setting)")
        count += 1
      }
    }
    #expect(count == stated.members?.count { Setting(rawValue: $0.name) != nil })
  }

  @Test func `every setting has a Graph value, except settings of apps and MDM profiles`() {
    let others: Set<Setting> = [
      .allowedAccountsOnly, .enrolledUPN, .enrolledObjectID, .requireAccounts,
      .screenCaptureControl,
      .treatAllWebViewsAsUnmanaged, .keychainAccessGroups, .applicationGroups,
      .allowOpenFromManagedToUnmanaged, .allowOpenFromUnmanagedToManaged,
      .requireManagedPasteboard, .allowManagedToWriteUnmanagedContacts,
      .allowUnmanagedToReadManagedContacts, .allowScreenShot, .allowWritingTools, .allowGenmoji,
    ]
    #expect(Set(Setting.allCases.filter { Settings().graphValue(of: $0) == nil }) == others)
  }
}
