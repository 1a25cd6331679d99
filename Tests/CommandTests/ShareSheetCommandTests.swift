import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice share-sheet`.
  @Suite struct ShareSheetCommandTests {
    private static let scenario = Repository.path("scenarios/share-sheets.yaml")

    private static func show(_ arguments: String...) throws -> Desk.Ended {
      try Desk().sluice(["share-sheet", "--scenario", scenario] + arguments, ends: 0)
    }

    @Test
    func `share-sheet prints a table of destinations, followed by explanations of the reasons`()
      throws
    {
      let ended = try Self.show("--from", "mail", "--file", "figures.pdf")
      #expect(ended.errors.isEmpty)
      #expect(
        ended.lines.first?.hasPrefix("mail shares `figures.pdf` (com.adobe.pdf) for ") == true)
      let open = ended.lines.first { $0.hasPrefix("Open in notes ") && $0.contains("✓ shown") }
      #expect(open?.hasSuffix("sendManagedAppsToManaged") == true)
      #expect(
        ended.lines.contains { $0.hasPrefix("Copy to notes") && $0.hasSuffix("replacedByOpenIn") })
      #expect(ended.lines.contains { $0.hasPrefix("noActivationRule: the extension has no valid") })
    }

    @Test func `share-sheet --from accepts an app's bundle id instead of its name`() throws {
      let byName = try Self.show("--from", "mail:anna", "--file", "a.pdf").output
      #expect(try Self.show("--from", "com.contoso.mail:anna", "--file", "a.pdf").output == byName)
    }

    @Test func `share-sheet --explain explains the rules of one destination`() throws {
      let ended = try Self.show(
        "--from", "mail:anna", "--file", "a.pdf", "--explain", "openInPlain")
      #expect(ended.output.hasPrefix("Open in notes: hidden\n"))
      #expect(ended.output.contains("· twinsNotNamed: "))
      #expect(ended.output.contains("Activation rule; > marks the deciding parts:"))
    }

    @Test func `share-sheet accepts --via os, and item types instead of files`() throws {
      let ended = try Self.show(
        "--from", "mail", "--item", "public.jpeg,public.url", "--via", "os", "--format", "json")
      let sheet = try ended.json()
      #expect(sheet["sharing"]?["via"]?.string == "os")
      #expect(sheet["sharing"]?["twins"]?.bool == false)
      let types = sheet["sharing"]?["contents"]?.array?.first?["types"]?.array
      #expect(types?.compactMap(\.string) == ["public.jpeg", "public.url"])
    }

    @Test func `share-sheet --format html writes a page`() throws {
      let ended = try Self.show("--from", "viewer", "--file", "a.pdf", "--format", "html")
      #expect(ended.output.hasPrefix("<!DOCTYPE html>"))
    }

    @Test(
      arguments: [
        (["--from", "nobody", "--file", "a.pdf"], 2, "no app is called `nobody`"),
        (["--from", "mail:ben", "--file", "a.pdf"], 2, "no account is called `ben`"),
        (
          ["--from", "mail", "--file", "a.pdf", "--explain", "nothing"], 2,
          "no destination is called `nothing`"
        ),
        (["--from", "mail"], 64, "there is no item to share"), (["--file", "a.pdf"], 64, "--from"),
        (["--from", "mail", "--file", "a", "--acting", "notes"], 64, "--acting needs an app"),
        (
          ["--from", "mail", "--file", "a", "--format", "json", "--explain", "x"], 64,
          "--explain needs --format text"
        ),
      ] as [([String], Int32, String)])
    func `share-sheet exits with 2 for unknown names and with 64 for invalid options`(
      arguments: [String], status: Int32, message: String
    )
      throws
    {
      let ended = try Desk().sluice(
        ["share-sheet", "--scenario", Self.scenario] + arguments, ends: status)
      #expect(ended.errors.contains(message))
    }
  }
}
