// The only import of an app's module: UIKit exports the others.
internal import Testing
internal import UIKit

@Suite struct ExportsTests {
  @Test
  func `importing UIKit also imports Foundation, UserNotifications and UniformTypeIdentifiers`() {
    #expect(URL(string: "https://contoso.com")?.host == "contoso.com")
    #expect(UNNotificationDefaultActionIdentifier.hasPrefix("com.apple."))
    #expect(UTType.url.identifier == "public.url")
    #expect(UNNotificationAction(identifier: "a", title: "A").icon == nil)
  }

  @Test func `UserDefaults supports reading and writing by key-value coding`() throws {
    let name = "org.example.defaults-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    defaults.setValue(3, forKey: "count")
    #expect(defaults.value(forKey: "count") as? Int == 3 && defaults.integer(forKey: "count") == 3)
    defaults.setValue(nil, forKey: "count")
    #expect(defaults.value(forKey: "count") == nil)
  }

  @MainActor @Test func `setting the centre of a UIView moves its frame`() {
    let view = UIView(frame: CGRect(x: 10, y: 20, width: 4, height: 6))
    #expect(view.center == CGPoint(x: 12, y: 23))
    view.center = CGPoint(x: 2, y: 3)
    #expect(view.frame == CGRect(x: 0, y: 0, width: 4, height: 6))
  }
}
