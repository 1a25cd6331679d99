internal import Foundation
internal import FoundationExtensions
internal import Testing
internal import UIKit

@Suite struct ItemCoercionTests {
  @Test func `the UTF-8 bytes of a link load as a URL object`() {
    let object = ItemCoercion.object(Data("https://contoso.com/a\n".utf8), as: .url)
    #expect(object as? URL == URL(string: "https://contoso.com/a"))
    #expect(object is NSURL)
  }

  @Test func `NSURL.absoluteString is optional, as on iOS`() throws {
    let item: Any = NSURL(fileURLWithPath: "/a b")
    if let url = item as? NSURL, let text = url.absoluteString {
      #expect(text == "file:///a%20b")
    }
    let url = try #require(item as? NSURL)
    let text: String = url.absoluteString
    #expect(text == url.absoluteString!)
  }

  @Test(arguments: [
    ("Read https://contoso.com/a?b=c, please.", ["https://contoso.com/a?b=c"]),
    ("(see WWW.contoso.com) é contoso-mail://x!", ["http://WWW.contoso.com", "contoso-mail://x"]),
    ("contoso.com, www., 12 May", []),
  ])
  func `links in a text are detected`(text: String, links: [String]) throws {
    let range = NSRange(location: 0, length: text.utf16.count)
    let detector = try NSDataDetector(types: 1 << 6)
    let matches = detector.matches(in: text, range: range)
    #expect(matches.compactMap { $0.url.map { "\($0)" } } == links)
    for match in matches {
      let place = try #require(Range(match.range, in: text))
      #expect(match.url.map { "\($0)".hasSuffix(text[place]) } == true)
    }
    #expect(detector.firstMatch(in: text, range: range)?.url == matches.first?.url)
    let dates = try NSDataDetector(types: 1 << 4)
    #expect(dates.numberOfMatches(in: text, range: range) == 0)
  }

  @Test func `the bytes of a text load as a string`() {
    #expect(ItemCoercion.object(Data("Grüße".utf8), as: .text) as? String == "Grüße")
  }

  @Test func `the bytes of a property list load as a dictionary`() throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["a": "b"], format: .xml, options: 0)
    let object = ItemCoercion.object(data, as: .propertyList) as? [String: Any]
    #expect(object?["a"] as? String == "b")
  }

  @Test func `bytes that are not a property list load only as data`() {
    #expect(ItemCoercion.object(Data([1, 2]), as: .data) as? Data == Data([1, 2]))
    #expect(ItemCoercion.object(Data([1, 2]), as: .file) == nil)
    #expect(ItemCoercion.object(Data("not a list".utf8), as: .propertyList) == nil)
  }

  @Test func `strings, URLs and images are converted to bytes`() {
    #expect(ItemCoercion.data("a", type: "public.plain-text") == Data("a".utf8))
    #expect(ItemCoercion.data(NSString("a"), type: "public.plain-text") == Data("a".utf8))
    #expect(ItemCoercion.data(Data([7]), type: "public.data") == Data([7]))
    let url = NSURL(string: "https://contoso.com")
    #expect(
      url.flatMap { ItemCoercion.data($0, type: "public.url") } == Data("https://contoso.com".utf8))
    let image = UIImage(data: Data([9]))
    #expect(image.flatMap { ItemCoercion.data($0, type: "public.png") } == Data([9]))
  }

  @Test func `a file URL is converted to its content`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("content".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let url = NSURL(fileURLWithPath: file.path)
    #expect(ItemCoercion.data(url, type: "public.plain-text") == Data("content".utf8))
    #expect(
      ItemCoercion.data(url, type: "public.file-url") == Data(file.absoluteString.utf8))
  }
}
