internal import FoundationExtensions
internal import Testing

@Suite struct TypeMatchingTests {
  @Test func `an equal type is preferred to a conforming type`() {
    let types = ["public.png", "public.image"]
    #expect(TypeMatching.first(of: types, conformingTo: "public.image") == "public.image")
    #expect(TypeMatching.first(of: types, conformingTo: "public.data") == "public.png")
    #expect(TypeMatching.first(of: types, conformingTo: "public.text") == nil)
  }

  @Test func `type matching treats the SDK's twin types as their original types`() {
    let types = ["com.microsoft.intune.mam.public.png"]
    #expect(TypeMatching.first(of: types, conformingTo: "public.image") == types[0])
    #expect(TypeMatching.plain(types[0]) == "public.png")
  }

  @Test(arguments: [
    (nil, "public.jpeg", "item.jpeg"), ("a", "com.adobe.pdf", "a.pdf"),
    ("a.txt", "com.adobe.pdf", "a.txt"), ("../../etc/passwd.txt", "public.data", "passwd.txt"),
    (nil, "public.utf8-plain-text", "item.txt"), ("..", "org.example.note", "item"),
  ])
  func `a file name is derived from an item's name and type`(
    _ name: String?, _ type: String, _ file: String
  ) {
    #expect(TypeMatching.fileName(name, type: type) == file)
  }

  @Test func `a duplicate file name gets a number`() {
    let taken: Set = ["a.pdf", "a-2.pdf"]
    #expect(ContainerFile.freeName("a.pdf") { taken.contains($0) } == "a-3.pdf")
    #expect(ContainerFile.freeName("b.pdf") { taken.contains($0) } == "b.pdf")
  }
}
