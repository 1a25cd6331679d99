import Testing

@testable import UniformTypes

struct SystemTypesTests {
  @Test func `every type and its supertypes are declared once`() {
    let names = SystemTypes.declarations.map { $0.identifier.lowercased() }
    #expect(names.count == Set(names).count)
    #expect(names.count > 500)
    for declaration in SystemTypes.declarations {
      for supertype in declaration.conformsTo {
        #expect(names.contains(supertype), "\(declaration.identifier) < \(supertype)")
      }
    }
  }

  @Test func `identifiers, file extensions and MIME types of system types are well formed`() {
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.")
    for declaration in SystemTypes.declarations {
      #expect(declaration.identifier.allSatisfy(allowed.contains), "\(declaration.identifier)")
      #expect(declaration.identifier.contains("."), "\(declaration.identifier)")
      #expect(declaration.filenameExtensions.allSatisfy { !$0.isEmpty && !$0.contains(".") })
      #expect(declaration.mimeTypes.allSatisfy { $0.split(separator: "/").count == 2 })
    }
  }

  @Test(
    arguments: [
      ("public.png", ["public.image", "public.data", "public.content", "public.item"]),
      ("public.plain-text", ["public.text", "public.data", "public.content", "public.item"]),
      ("public.file-url", ["public.url", "public.data", "public.item"]),
      (
        "com.adobe.pdf",
        ["public.data", "public.composite-content", "public.item", "public.content"]
      ),
      (
        "public.svg-image",
        [
          "public.image", "public.xml", "public.data", "public.content", "public.text",
          "public.item",
        ]
      ),
      (
        "com.apple.m4v-video",
        [
          "public.mpeg-4", "public.movie", "public.audiovisual-content", "public.data",
          "public.content", "public.item",
        ]
      ),
      (
        "public.vcard",
        ["public.text", "public.contact", "public.data", "public.content", "public.item"]
      ),
      ("public.item", []), ("com.apple.live-photo", []), ("public.calendar-event", []),
    ] as [(String, [String])])
  func `the supertypes of a type are listed nearest first`(type: String, supertypes: [String]) {
    #expect(TypeLibrary.system.supertypes(of: type) == supertypes)
  }

  @Test(
    arguments: [
      ("png", "public.png", "image/png"), ("jpg", "public.jpeg", "image/jpeg"),
      ("PDF", "com.adobe.pdf", "application/pdf"),
      ("mov", "com.apple.quicktime-movie", "video/quicktime"),
      ("otf", "public.opentype-font", "font/otf"), ("heic", "public.heic", "image/heic"),
      ("mp3", "public.mp3", "audio/mpeg"),
      ("mp4", "public.mpeg-4", "video/mp4"), ("zip", "public.zip-archive", "application/zip"),
      ("html", "public.html", "text/html"), ("vcf", "public.vcard", "text/vcard"),
      ("txt", "public.plain-text", "text/plain"),
      ("csv", "public.comma-separated-values-text", "text/csv"),
      (
        "docx", "org.openxmlformats.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
      ),
      ("epub", "org.idpf.epub-container", "application/epub+zip"),
      ("webp", "org.webmproject.webp", "image/webp"), ("gif", "com.compuserve.gif", "image/gif"),
      ("p12", "com.rsa.pkcs-12", "application/x-pkcs12"),
    ])
  func `file extensions and MIME types convert to types and back`(
    filenameExtension: String, type: String, mimeType: String
  ) {
    let library = TypeLibrary.system
    #expect(library.type(forFilenameExtension: filenameExtension) == type)
    #expect(library.type(forMIMEType: mimeType) == type)
    #expect(library.mimeType(of: type) == mimeType)
    #expect(library.filenameExtension(of: type) != nil)
  }

  @Test func `if several types have the same file extension, a file type precedes a package type`()
  {
    let library = TypeLibrary.system
    #expect(library.type(forFilenameExtension: "pages") == "com.apple.iWork.Pages.sffpages")
    #expect(
      library.type(forFilenameExtension: "pages", conformingTo: "com.apple.package")
        == "com.apple.iWork.Pages.pages")
    #expect(
      library.type(forFilenameExtension: "mp4", conformingTo: "public.audio")
        == "public.mpeg-4-audio")
    #expect(library.type(forFilenameExtension: "app") == "com.apple.application-bundle")
    #expect(library.type(forFilenameExtension: "png", conformingTo: "public.movie") == nil)
    #expect(library.type(forFilenameExtension: "png", conformingTo: "com.example.nothing") == nil)
    #expect(library.type(forFilenameExtension: "no-such-extension") == nil)
  }

  @Test func `MIME parameters are ignored unless a type is declared with them`() {
    let library = TypeLibrary.system
    #expect(library.type(forMIMEType: "text/plain; charset=\"UTF-8\"") == "public.utf8-plain-text")
    #expect(library.type(forMIMEType: "text/html; charset=utf-8") == "public.html")
    #expect(library.type(forMIMEType: "Image/JPEG") == "public.jpeg")
    #expect(library.type(forMIMEType: "x/y") == nil)
    #expect(library.mimeType(of: "public.image") == nil)
  }
}
