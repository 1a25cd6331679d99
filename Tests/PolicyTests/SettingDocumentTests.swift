import Model
import TestSupport
import Testing

@testable import Policy

/// `docs/settings.md` lists the settings of a policy as their rows declare them.
@Suite struct SettingDocumentTests {
  @Test func `the settings in docs/settings.md match their declarations`() throws {
    try Document.check("docs/settings.md") { text in
      try SettingPage.allCases.reduce(text) { text, page in
        try Document.replacing(
          SettingTables.table(of: page), madeOf: "Setting+Declaration.swift: \(page.rawValue)",
          in: text)
      }
    }
  }

  @Test func `every policy setting is in a documented table or list`() throws {
    let text = try Repository.read("docs/settings.md")
    for setting in Setting.ofPolicies {
      let name = "`\(setting.rawValue)`"
      #expect(text.contains("| \(name) |") || text.contains("\(name) ("), "\(setting)")
    }
  }
}

/// Creates the tables and lists of settings. There is one for each page of the admin centre.
enum SettingTables {
  static func table(of page: SettingPage) -> [String] {
    switch page {
    case .dataProtection:
      head(["admin centre", "Graph property", "values", "acts on"])
        + page.lines.flatMap { line in
          rows(of: line).enumerated().map { index, row in
            Document.row(row + [index == 0 ? channels(of: line) : ""])
          }
        }
    case .accessRequirements, .conditionalLaunch: page.lines.flatMap { Document.item(text(of: $0)) }
    }
  }

  /// Returns the line as an item: the label, and each property with its values.
  private static func text(of line: SettingPage.Line) -> String {
    let rows = rows(of: line)
    return "\(rows[0][0]): " + rows.map { "\($0[1]) (\($0[2]))" }.joined(separator: ", ")
  }

  private static func head(_ titles: [String]) -> [String] {
    [Document.row(titles), Document.row(titles.map { _ in "---" })]
  }

  /// Returns a row for each property of the line: label, property, values. Only the first row has
  /// the label.
  private static func rows(of line: SettingPage.Line) -> [[String]] {
    line.settings.enumerated().map { index, setting in
      let label = setting.label + (line.qualifier.map { " (\($0))" } ?? "")
      return [
        index == 0 ? label : "", "`\(setting.rawValue)`",
        values(of: setting, in: line).joined(separator: "; "),
      ]
    }
  }

  /// Returns the channels that read a setting of the line.
  private static func channels(of line: SettingPage.Line) -> String {
    Channel.allCases.filter { line.settings.contains(where: $0.readSettings.contains) }
      .map { "`\($0.rawValue)`" }.joined(separator: ", ")
  }

  private static func values(of setting: Setting, in line: SettingPage.Line) -> [String] {
    guard let domain = setting.domain else { return [] }
    return switch domain {
    case .flag, .choice:
      domain.values.enumerated().map { index, value in
        text(of: value, of: setting, in: line, isFirst: index == 0)
      }
    case .services(let services):
      services.map { text(of: $0.add, of: setting, in: line, isFirst: false) }
    case .count: ["number"]
    case .period: ["duration"]
    case .version: ["version"]
    case .scheme: ["URL scheme"]
    case .schemes: ["URL schemes"]
    case .links: ["link patterns"]
    case .models: ["models, separated by `;`"]
    }
  }

  /// Returns Graph's form of a value and the admin centre's wording for the value. A default that is not first is
  /// marked.
  ///
  /// Settings may share a line. The wording then comes from the first context in which the value changes the wording:
  /// the default settings, then the default settings with one value of another setting of the line.
  private static func text(
    of value: SettingDomain.Change, of setting: Setting, in line: SettingPage.Line, isFirst: Bool
  ) -> String {
    var alone = Settings()
    value(&alone)
    let graph = "`\(graphText(of: setting, in: alone))`"
    guard alone != Settings() else {
      // Only the first setting of a line has its own wording for the default.
      let words = setting == line.settings.first ? Settings().words(for: setting) : nil
      return [graph, words, isFirst ? nil : "(default)"].compactMap(\.self).joined(separator: " ")
    }
    let others = line.settings.filter { $0 != setting }.flatMap { $0.domain?.values ?? [] }
    for context in [{ _ in }] + others {
      var settings = Settings()
      context(&settings)
      let before = settings.words(for: setting)
      value(&settings)
      if let words = settings.words(for: setting), words != before { return "\(graph) \(words)" }
    }
    return graph
  }

  private static func graphText(of setting: Setting, in settings: Settings) -> String {
    guard let value = settings.graphValue(of: setting), value != .null else { return "null" }
    return value.description
  }
}
