import Testing

@testable import SluiceKit

/// URLs that say where a document waits; anybody may send one.
struct OpenInHandoverTests {
  private static func handover(name: String) -> OpenInHandover? {
    OpenInHandover(
      "contoso-intunemam://open-in?group=g&file=Open-In/1-a.txt&name=\(name)&type=public.text")
  }

  @Test func `a name comes with its escapes resolved`() {
    #expect(Self.handover(name: "a%20b%c3%A9.txt")?.name == "a bé.txt")
  }

  @Test(arguments: ["a%+fb", "a%-1b", "a%4", "a%", "a%zz", "a%ff"])
  func `an escape that is none makes it no handover`(name: String) {
    #expect(Self.handover(name: name) == nil)
  }
}
