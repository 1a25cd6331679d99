internal import CoreServices
internal import Foundation
internal import Testing
internal import UniformTypeIdentifiers

@Suite struct UTTypeTests {
  @Test(arguments: [
    (UTType.jpeg, UTType.image), (.png, .data), (.plainText, .text), (.fileURL, .url),
    (.pdf, .content), (.json, .text), (.html, .text), (.mpeg4Movie, .movie), (.vCard, .contact),
  ])
  func `types conform to their supertypes`(_ type: UTType, _ other: UTType) {
    #expect(type.conforms(to: other))
    #expect(type.isSubtype(of: other))
    #expect(other.isSupertype(of: type))
    #expect(!other.conforms(to: type))
  }

  @Test func `a type conforms to itself and is not its own subtype`() {
    #expect(UTType.image.conforms(to: .image))
    #expect(!UTType.image.isSubtype(of: .image))
  }

  @Test func `uniform types are found by file extension and MIME type`() {
    #expect(UTType(filenameExtension: "JPG") == .jpeg)
    #expect(UTType(mimeType: "application/pdf") == .pdf)
    #expect(UTType(filenameExtension: "png", conformingTo: .movie) == nil)
    #expect(UTType(filenameExtension: "no-such-extension") == nil)
    #expect(UTType.png.preferredFilenameExtension == "png")
    #expect(UTType.jpeg.preferredMIMEType == "image/jpeg")
  }

  @Test func `an undeclared identifier is not a type`() {
    #expect(UTType("org.example.nothing") == nil)
    #expect(UTType("public.image") == .image)
    #expect(UTType(exportedAs: "org.example.note").identifier == "org.example.note")
  }

  @Test func `type identifiers ignore case`() {
    #expect(UTType("PUBLIC.Image") == .image)
    #expect(Set([UTType.image]).contains(UTType(importedAs: "Public.IMAGE")))
  }

  @Test(arguments: [
    ("UniformTypeIdentifiers/UTType+System.swift", 110),
    ("MobileCoreServices/TypeIdentifiers.swift", 110),
  ])
  func `every uniform type constant has a declared identifier`(file: String, count: Int) throws {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/\(file)").standardizedFileURL
    let text = try String(contentsOf: source, encoding: .utf8)
    let identifiers = text.matches(of: /"([a-zA-Z0-9.-]+\.[a-zA-Z0-9.-]+)"/).map {
      String($0.output.1)
    }
    #expect(identifiers.count >= count)
    #expect(identifiers.filter { UTType($0)?.isDeclared != true } == [])
  }

  @Test func `kUTType constants are type identifiers`() {
    #expect(kUTTypePlainText as String == UTType.plainText.identifier)
    #expect(UTTypeConformsTo("public.png" as CFString, kUTTypeImage))
    #expect(UTTypeEqual(kUTTypePDF, "com.adobe.PDF"))
  }

  @Test func `the C functions convert between type identifiers and tags`() {
    func type(_ tagClass: String, _ tag: String, _ conformingTo: String? = nil) -> String? {
      UTTypeCreatePreferredIdentifierForTag(tagClass, tag, conformingTo)?.takeRetainedValue()
    }
    #expect(type(kUTTagClassFilenameExtension, "pdf") == "com.adobe.pdf")
    #expect(type(kUTTagClassMIMEType, "image/png", kUTTypeImage) == "public.png")
    #expect(type(kUTTagClassMIMEType, "image/png", kUTTypeMovie) == nil)
    #expect(type("no such class", "pdf") == nil)
    #expect(
      UTTypeCreateAllIdentifiersForTag(kUTTagClassFilenameExtension, "jpg", nil) == ["public.jpeg"])
    #expect(
      UTTypeCopyPreferredTagWithClass("public.jpeg", kUTTagClassMIMEType)?.takeRetainedValue()
        == "image/jpeg")
    #expect(UTTypeCopyPreferredTagWithClass("public.jpeg", "no such class") == nil)
  }
}
