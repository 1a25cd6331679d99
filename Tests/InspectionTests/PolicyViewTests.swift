import Encodings
import Inspection
import JSON
import Model
import Policy
import Testing

@Suite struct PolicyViewTests {
  @Test func everySettingOfAPolicyIsShownOnce() throws {
    let view = PolicyView(of: try Fixtures.sample())
    let shown = view.sections.flatMap(\.rows).flatMap(\.values).map(\.setting)
    #expect(shown.count == Set(shown).count)
    #expect(Set(shown) == Set(Setting.allCases.filter { $0.holder == .policy }))
  }

  @Test func theSectionsAreTheAdminCentres() throws {
    #expect(
      PolicyView(of: try Fixtures.sample()).sections.map(\.name) == [
        "Data protection", "Access requirements", "Conditional launch", "Targeting",
      ])
  }

  @Test func flagsOfOneChoiceAreOneRow() throws {
    let rows = PolicyView(of: try Fixtures.sample()).sections[0].rows
    let row = try #require(rows.first { $0.label == "Send org data to other apps" })
    #expect(row.words == "Policy managed apps with OS sharing")
    #expect(row.places.map(\.line) == [4, 5, 6])
    #expect(rows.filter { $0.label == row.label }.count == 1)
  }

  @Test func whatIsNotStatedHasNoPlace() throws {
    let document = try Fixtures.document("{\"appGroupType\": \"allApps\"}")
    let view = PolicyView(of: document)
    #expect(view.sections.dropLast().flatMap(\.rows).allSatisfy { $0.places.isEmpty })
    #expect(view.sections.last?.rows.map(\.words) == ["All Apps", "none", "All"])
  }

  @Test func mergingNamesTheFileThatWins() throws {
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

  @Test(arguments: [
    (0, "PT0S"), (59, "PT59S"), (1800, "PT30M"), (43200, "PT12H"), (86400, "P1D"),
    (90 * 86400, "P90D"), (88261, "P1DT31M1S"),
  ])
  func durationsAreGraphs(seconds: Int, text: String) {
    var settings = Settings()
    settings.periodOfflineBeforeAccessCheck = seconds
    #expect(settings.graphValue(of: .periodOfflineBeforeAccessCheck) == .text(text))
    #expect(ISODuration.seconds(text, .graph) == seconds)
  }

  @Test func settingsOfOthersHaveNoValue() {
    for setting in Setting.allCases {
      #expect((Settings().graphValue(of: setting) != nil) == (setting.holder == .policy))
      #expect(Settings().isDefault(setting))
    }
  }
}
