// The only import of an app's module: UIKit exports the others.
internal import Testing
internal import UIKit

@Suite struct ExportsTests {
  @Test func `UIKit exports what it exports on iOS`() {
    #expect(URL(string: "https://contoso.com")?.host == "contoso.com")
    #expect(UNNotificationDefaultActionIdentifier.hasPrefix("com.apple."))
    #expect(UTType.url.identifier == "public.url")
    #expect(UNNotificationAction(identifier: "a", title: "A").icon == nil)
  }
}
