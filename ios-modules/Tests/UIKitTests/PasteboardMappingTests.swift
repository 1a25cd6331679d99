internal import Foundation
internal import SluiceKit
internal import Testing

@testable internal import UIKit

@Suite struct PasteboardMappingTests {
  @Test func `the pasteboard prefers an item's text to its other representations`() {
    let choice = PasteboardMapping.choose([
      ["public.html": "<b>a</b>", "public.utf8-plain-text": "a", "public.png": Data([1])],
      ["public.url": URL(fileURLWithPath: "/b")],
    ])
    #expect(choice?.item == Item(text: "a"))
    #expect(choice?.leftOut == 2)
  }

  @Test func `a pasteboard representation without bytes is dropped`() {
    #expect(PasteboardMapping.choose([]) == nil)
    #expect(PasteboardMapping.choose([["public.data": 7]]) == nil)
  }

  @Test func `a pasteboard item is returned only as its own type`() {
    let text = Item(text: "a")
    let url = Item(type: "public.url", payload: .inline(Array("https://contoso.com".utf8)))
    let image = Item(type: "public.png", payload: .inline([1]))
    #expect(PasteboardMapping.string(text) == "a")
    #expect(PasteboardMapping.url(text) == nil)
    #expect(PasteboardMapping.url(url) == URL(string: "https://contoso.com"))
    #expect(PasteboardMapping.string(url) == nil)
    #expect(PasteboardMapping.image(image)?.pngData() == Data([1]))
    #expect(PasteboardMapping.representations(text)["public.utf8-plain-text"] as? String == "a")
  }
}

extension PasteboardMapping.Choice: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    left.item == right.item && left.leftOut == right.leftOut
  }
}
