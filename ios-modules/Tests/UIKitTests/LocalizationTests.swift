internal import Foundation
internal import FoundationExtensions
internal import Testing

@Suite struct LocalizationTests {
  /// Returns a bundle whose only strings file has this content.
  private func bundle(_ strings: String) throws -> Bundle {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString + ".bundle")
    let language = folder.appendingPathComponent("en.lproj")
    try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
    try Data(strings.utf8).write(to: language.appendingPathComponent("Localizable.strings"))
    return try #require(Bundle(path: folder.path))
  }

  @Test func `without a translation, a localized text is its default with the values inserted`() {
    #expect(String(localized: "Saved") == "Saved")
    #expect(String(localized: "\(3) of \("x") at 5 %, \(0.5)") == "3 of x at 5 %, 0.5")
    #expect(String(localized: "greeting", defaultValue: "Hello \("Anna")") == "Hello Anna")
  }

  @Test func `a translation can use its values by position`() throws {
    let bundle = try bundle(
      """
      "%lld of %@" = "%2$@: %1$lld (100%%)";
      "Saved" = "Stored 5 %";
      """)
    defer { try? FileManager.default.removeItem(at: bundle.bundleURL) }
    #expect(String(localized: "\(3) of \("x")", bundle: bundle) == "x: 3 (100%)")
    #expect(String(localized: "Saved", bundle: bundle) == "Stored 5 %")
  }
}
