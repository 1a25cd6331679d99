internal import CoreServices
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

  @Test func `types are found by tag`() {
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

  @Test func `every system type is declared`() {
    let types: [UTType] = [
      .item, .content, .compositeContent, .data, .directory, .folder, .package, .archive,
      .resolvable,
      .message, .contact, .calendarEvent, .emailMessage, .vCard, .text, .plainText, .utf8PlainText,
      .utf16PlainText, .rtf, .rtfd, .html, .xml, .json, .yaml, .sourceCode, .swiftSource, .script,
      .javaScript, .propertyList, .xmlPropertyList, .binaryPropertyList, .url, .fileURL, .image,
      .jpeg, .tiff, .gif, .png, .bmp, .ico, .rawImage, .svg, .livePhoto, .heif, .heic, .webP,
      .audiovisualContent, .movie, .video, .audio, .quickTimeMovie, .mpeg, .mpeg2Video, .mpeg4Movie,
      .mpeg4Audio, .mp3, .wav, .aiff, .midi, .playlist, .gzip, .bz2, .zip, .appleArchive,
      .spreadsheet, .presentation, .database, .pdf, .epub, .font, .bookmark, .log, .executable,
      .application, .diskImage, .toDoItem, .usd, .usdz, .threeDContent, .symbolicLink, .css,
      .delimitedText, .commaSeparatedText, .tabSeparatedText, .flatRTFD, .icns,
      .appleProtectedMPEG4Video, .urlBookmarkData,
    ]
    #expect(types.filter { !$0.isDeclared }.map(\.identifier) == [])
  }

  @Test func `the C constants of types are identifiers`() {
    #expect(kUTTypePlainText as String == UTType.plainText.identifier)
    #expect(UTTypeConformsTo("public.png" as CFString, kUTTypeImage))
    #expect(UTTypeEqual(kUTTypePDF, "com.adobe.PDF"))
  }

  @Test func `the C functions find types by tag`() {
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
