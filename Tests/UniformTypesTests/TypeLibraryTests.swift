import Testing
@testable import UniformTypes

struct TypeLibraryTests {
  static func exported(_ identifier: String, _ supertypes: String...) -> TypeDeclaration {
    TypeDeclaration(
      identifier: identifier, conformsTo: supertypes, filenameExtensions: ["note"],
      mimeTypes: ["application/x-note"], origin: .exported(by: "com.example.notes"))
  }

  @Test(
    arguments: [
      ("public.jpeg", "public.image", true), ("PUBLIC.JPEG", "Public.Image", true),
      ("public.image", "public.jpeg", false), ("public.jpeg", "public.jpeg", true),
      ("com.example.x", "com.example.X", true), ("com.example.x", "public.item", false),
      ("public.url", "public.data", true), ("public.zip-archive", "com.pkware.zip-archive", true),
      ("com.apple.application-bundle", "com.apple.bundle", true),
    ])
  func `conformance of uniform types follows the graph and ignores case`(
    type: String, other: String, holds: Bool
  ) {
    #expect(TypeLibrary.system.conforms(type, to: other) == holds)
  }

  @Test(
    arguments: [
      ("com.microsoft.intune.mam.public.jpeg", "com.microsoft.intune.mam.public.image", true),
      ("com.microsoft.intune.mam.public.jpeg", "com.microsoft.intune.mam.public.jpeg", true),
      ("com.microsoft.intune.mam.public.jpeg", "public.image", false),
      ("com.microsoft.intune.mam.public.jpeg", "public.item", false),
      ("public.jpeg", "com.microsoft.intune.mam.public.image", false),
      ("com.microsoft.intune.mam.public.image", "com.microsoft.intune.mam.public.jpeg", false),
      ("com.Microsoft.Intune.MAM.com.example.x", "com.microsoft.intune.mam.com.example.x", true),
    ])
  func `the Intune twin of a uniform type conforms only to twins`(
    type: String, other: String, holds: Bool
  ) {
    #expect(TypeLibrary.system.conforms(type, to: other) == holds)
  }

  @Test func `a twin conforms to the twins of its original's supertypes, and has no declaration`() {
    let twin = IntuneTypeAlias.of("public.png")
    #expect(
      TypeLibrary.system.supertypes(of: twin).first == "com.microsoft.intune.mam.public.image")
    #expect(TypeLibrary.system.declaration(of: twin) == nil)
    #expect(IntuneTypeAlias.of(twin) == twin)
    #expect(IntuneTypeAlias.original(of: twin) == "public.png")
    #expect(IntuneTypeAlias.original(of: IntuneTypeAlias.prefix) == nil)
    #expect(!IntuneTypeAlias.isTwin("com.microsoft.intune"))
  }

  @Test(arguments: [400, 1600])
  func `computing the supertypes of a chain of types takes one step for each link`(count: Int) {
    for parents in [
      (0..<count).map { $0 + 1 < count ? [$0 + 1] : [] },
      (0..<count).map { $0 > 0 ? [$0 - 1] : [] },
    ] {
      #expect(TypeGraph(parents: parents).steps == count - 1)
    }
  }

  @Test func `conformance agrees with the list of supertypes, even if declarations form a cycle`() {
    // The edges are 0 → 1 → 2 → 0, 2 → 3, 4 → 1 and 4 → 3.
    let graph = TypeGraph(parents: [[1], [2], [0, 3], [], [1, 3]])
    for type in 0..<5 {
      let ancestors = Set(graph.ancestors(of: type))
      for other in 0..<5 { #expect(graph.conforms(type, to: other) == ancestors.contains(other)) }
    }
  }

  @Test func `an app's declared type is added to the library, even with an undeclared supertype`()
    throws
  {
    let library = TypeLibrary.system.adding([
      Self.exported("com.example.note", "com.example.base", "public.text")
    ])
    #expect(library.conforms("com.example.note", to: "public.content"))
    #expect(library.conforms("com.example.note", to: "com.example.base"))
    #expect(
      library.supertypes(of: "com.example.note").prefix(2) == ["com.example.base", "public.text"])
    #expect(library.type(forFilenameExtension: "note") == "com.example.note")
    #expect(library.type(forMIMEType: "application/x-note") == "com.example.note")
    let declaration = try #require(library.declaration(of: "COM.example.note"))
    #expect(declaration.origin == .exported(by: "com.example.notes"))
    #expect(library.declaration(of: "com.example.base") == nil)
    #expect(!TypeLibrary.system.conforms("com.example.note", to: "public.content"))
    #expect(library.declarations.count == TypeLibrary.system.declarations.count + 1)
  }

  @Test
  func `type declarations take precedence in the order system, exported, imported`() {
    var imported = Self.exported("com.example.note", "public.image")
    imported.origin = .imported(by: "com.example.other")
    let first = TypeLibrary.system.adding([
      imported, Self.exported("com.example.note", "public.text"),
      Self.exported("com.example.note", "public.movie"), Self.exported("public.png", "public.text"),
    ])
    #expect(first.supertypes(of: "com.example.note").first == "public.text")
    #expect(first.supertypes(of: "public.png").first == "public.image")
    let second = first.adding([Self.exported("com.example.note", "public.audio"), imported])
    #expect(second.supertypes(of: "com.example.note").first == "public.text")
    let reversed = TypeLibrary.system.adding([imported])
      .adding([Self.exported("com.example.note", "public.text")])
    #expect(reversed.supertypes(of: "com.example.note").first == "public.text")
  }

  @Test func `type conformance is evaluated despite cyclic declarations`() {
    let library = TypeLibrary.system.adding([
      Self.exported("a.a", "b.b", "public.png"), Self.exported("b.b", "c.c"),
      Self.exported("c.c", "a.a", "c.c"),
    ])
    #expect(library.conforms("b.b", to: "a.a"))
    #expect(library.conforms("c.c", to: "public.image"))
    #expect(!library.conforms("public.png", to: "a.a"))
    #expect(library.supertypes(of: "a.a").prefix(3) == ["b.b", "public.png", "c.c"])
  }

  @Test func `apps cannot declare Intune twin types or system types`() {
    let twin = IntuneTypeAlias.of("public.png")
    var system = Self.exported("com.example.mine", "public.image")
    system.origin = .system
    let library = TypeLibrary.system.adding([
      Self.exported(twin, "public.image"), Self.exported("com.example.note", twin), system,
    ])
    #expect(!library.conforms(twin, to: "public.image"))
    #expect(!library.conforms("com.example.note", to: twin))
    #expect(library.declaration(of: "com.example.mine") == nil)
  }

  @Test func `a reference to a uniform type can be compared in any type library`() {
    let library = TypeLibrary.system.adding([Self.exported("com.example.note", "public.jpeg")])
    let image = TypeReference("public.image")
    #expect(library.conforms(library.registered("com.example.note"), to: image))
    #expect(!library.equals(library.registered("com.example.note"), image))
    #expect(library.equals(library.registered("Public.Image"), image))
    #expect(library.equals(library.registered("x.Y"), TypeReference("X.y")))
    let note = TypeReference("com.example.Note")
    #expect(library.conforms(library.registered("com.example.note"), to: note))
    #expect(library.equals(library.registered("com.example.note"), note))
  }
}
