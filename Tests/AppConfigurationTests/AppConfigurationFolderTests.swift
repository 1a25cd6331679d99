import AppConfiguration
import Encodings
import GraphDocuments
import Testing

struct AppConfigurationFolderTests {
  private static func file(_ path: String, _ text: String) -> ExportFolder.File {
    ExportFolder.File(path: path, bytes: Array(text.utf8))
  }

  private static var folder: AppConfigurationFolder {
    AppConfigurationFolder(name: "backup/")
  }

  @Test
  func `JSON files outside Assignments and hidden folders are candidates for app configurations`() {
    let found = Self.folder.candidates(among: [
      "b/App Configuration/z.json", "a.JSON", "App Protection Policies/Assignments/1.json",
      ".git/x.json", "readme.md",
    ])
    #expect(found == ["a.JSON", "b/App Configuration/z.json"])
  }

  @Test func `app configurations are found in a folder that also contains other files`() throws {
    let documents = try Self.folder.configurations(in: [
      Self.file("a.json", AppConfigurationReaderTests.service),
      Self.file("b.json", "[\(AppConfigurationReaderTests.device)]"),
      Self.file("c.json", "{\"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\"}"),
      Self.file("d.json", "not JSON"),
      Self.file(
        "e.json",
        "{\"@odata.type\": \"#microsoft.graph.defaultManagedAppProtection\", \"customSettings\": []}"
      ),
    ])
    #expect(documents.map(\.displayName) == ["Mail defaults", "Mail on devices"])
    #expect(documents.map(\.file) == ["backup/a.json", "backup/b.json"])
    let skipped = try #require(documents[0].warnings.first { $0.code == .skippedFiles })
    #expect(skipped.message == "skipped 3 files without an app configuration for iOS")
  }

  @Test func `an invalid app configuration is an error`() {
    let broken = ["a.json", "b.json"].map {
      Self.file($0, "{\"@odata.type\": \"#microsoft.graph.iosMobileAppConfiguration\", ")
    }
    let error = #expect(throws: DocumentErrors<AppConfigurationErrorCode>.self) {
      try Self.folder.configurations(in: broken)
    }
    #expect(error?.errors.map(\.file) == ["backup/a.json", "backup/b.json"])
  }

  @Test func `a folder without an app configuration is an error`() throws {
    let errors = try #require(throws: DocumentErrors<AppConfigurationErrorCode>.self) {
      try Self.folder.configurations(in: [Self.file("a.json", "{}"), Self.file("b.json", "{}")])
    }
    let error = try #require(errors.errors.first)
    #expect(error.code == .noConfiguration)
    #expect(error.file == "backup")
    #expect(error.message.contains("only 2 files of other kinds"))
  }
}
