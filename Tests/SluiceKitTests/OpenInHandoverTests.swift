import Testing

@testable import SluiceKit

/// Tests URLs that name a waiting document. Any app may send them.
struct OpenInHandoverTests {
  private static func handover(name: String) -> OpenInHandover? {
    OpenInHandover(
      "contoso-intunemam://open-in?group=g&file=Open-In/1-a.txt&name=\(name)&type=public.text")
  }

  @Test func `a percent-encoded file name in an open-in hand-over is decoded`() {
    #expect(Self.handover(name: "a%20b%c3%A9.txt")?.name == "a bé.txt")
  }

  @Test(arguments: ["a%+fb", "a%-1b", "a%4", "a%", "a%zz", "a%ff"])
  func `a file name with an invalid percent escape is not an open-in hand-over`(name: String) {
    #expect(Self.handover(name: name) == nil)
  }
}
