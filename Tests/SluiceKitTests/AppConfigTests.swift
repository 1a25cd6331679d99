import Model
import Testing
import Wire

@testable import SluiceKit

/// Tests the app's view of the configuration that the device has sent.
struct AppConfigTests {
  private static func news(
    _ dictionaries: [[String: ConfigurationValue]], _ account: String = "anna@contoso.com",
    objectID: String = "0F8FAD5B"
  ) -> ConfigurationNews {
    ConfigurationNews(
      account: account, objectID: objectID, dictionaries: DeliveredConfiguration(dictionaries).json)
  }

  private static let dictionaries: [[String: ConfigurationValue]] = [
    ["Sync": .boolean(true), "Port": .integer(993), "Server": .text("b")],
    ["Sync": .text("no"), "Port": .text("143"), "Server": .text("a")],
    ["Server": .text("0"), "Theme": .text("dark"), "__IsDefault": .boolean(true)],
  ]

  @Test func `appConfig queries for booleans, numbers and strings return the documented values`() {
    let config = IntuneMAMAppConfigManager([Self.news(Self.dictionaries)])
      .appConfig(forAccountId: "ANNA@contoso.com")
    #expect(config.fullData == Self.dictionaries)
    #expect(config.boolValue(forKey: "Sync", queryType: .any) == true)
    #expect(config.boolValue(forKey: "Sync", queryType: .or) == true)
    #expect(config.boolValue(forKey: "Sync", queryType: .and) == false)
    #expect(config.numberValue(forKey: "Port", queryType: .any) == .integer(993))
    #expect(config.numberValue(forKey: "Port", queryType: .min)?.intValue == 143)
    #expect(config.numberValue(forKey: "Port", queryType: .max)?.doubleValue == 993)
    #expect(config.stringValue(forKey: "Server", queryType: .any) == "b")
    #expect(config.stringValue(forKey: "Server", queryType: .min) == "a")
    #expect(config.stringValue(forKey: "Server", queryType: .max) == "b")
    #expect(config.allBools(forKey: "Sync") == [true, false])
    #expect(config.allNumbers(forKey: "Port") == [.integer(993), .integer(143)])
    #expect(config.allStrings(forKey: "Theme") == ["dark"])
    #expect(config.hasConflict("Port") && !config.hasConflict("Theme"))
    #expect(config.boolValue(forKey: "Nothing", queryType: .or) == nil)
    #expect(config.numberValue(forKey: "Server", queryType: .min) == nil)
  }

  @Test func `an app configuration is found by the account's UPN or object id`() {
    let manager = IntuneMAMAppConfigManager([
      Self.news([["a": .integer(1)]]),
      Self.news([["a": .integer(2)]], "ben@contoso.com", objectID: ""),
    ])
    #expect(manager.appConfig(forAccountId: "0f8fad5b").allStrings(forKey: "a") == ["1"])
    #expect(manager.appConfig(forAccountId: "BEN@CONTOSO.COM").allStrings(forKey: "a") == ["2"])
    #expect(manager.appConfig(forAccountId: "").fullData.isEmpty)
    #expect(manager.appConfig(forAccountId: nil).fullData.isEmpty)
    let both = manager.appConfig(forAccountIds: ["0F8FAD5B", "ben@contoso.com"])
    #expect(both.allStrings(forKey: "a") == ["1", "2"])
  }

  @Test func `a newer app configuration of an account replaces the older one`() {
    let manager = IntuneMAMAppConfigManager([Self.news([["a": .integer(1)]])])
    manager.adopt(Self.news([["a": .integer(2)]], "anna.smith@contoso.com"))
    #expect(manager.appConfig(forAccountId: "anna@contoso.com").fullData.isEmpty)
    #expect(manager.appConfig(forAccountId: "anna.smith@contoso.com").fullData.count == 1)
    manager.adopt(Self.news([]))
    #expect(manager.appConfig(forAccountId: "0f8fad5b").fullData.isEmpty)
  }

  @Test func `a configuration list with a non-dictionary element counts as empty`() {
    let broken = ConfigurationNews(account: "a", dictionaries: Array("[7]".utf8))
    #expect(IntuneMAMAppConfigManager([broken]).appConfig(forAccountId: "a").fullData.isEmpty)
  }
}
