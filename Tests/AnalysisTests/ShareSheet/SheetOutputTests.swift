@testable import Analysis
import Encodings
import Foundation
import Model
import TestSupport
import Testing

/// Tests the output of a sheet as text, JSON and HTML.
@Suite struct SheetOutputTests {
  private static func phone() -> Phone {
    var phone = Phone(Phone.managed)
    phone.extensions = [Cast.openIn("NotesOpenIn", of: phone.app("Notes"))]
    phone.install("Clip", in: "Viewer", Cast.rule("public.data"))
    return phone
  }

  @Test func `a share sheet's table has a row per destination and a sentence per reason`() {
    let lines = Self.phone().sheet.text().split(separator: "\n").map(String.init)
    #expect(
      lines.first
        == "Mail shares `figures.pdf` (com.adobe.pdf) for anna@contoso.com (managed), in the app's own sharing"
    )
    #expect(lines[1].hasSuffix("offers it as `com.microsoft.intune.mam.com.adobe.pdf`"))
    #expect(
      lines.contains(
        "Open in Notes   open in (NotesOpenIn)  ✓ shown   sendManagedAppsToManaged"))
    #expect(
      lines.contains(
        "Clip            share extension        ✗ hidden  activationRuleFails, sendManagedAppsToUnmanaged"
      ))
    #expect(lines.count { $0.hasPrefix("replacedByOpenIn: ") } == 2)
    #expect(lines.count { $0.hasPrefix("sendManagedAppsToManaged: ") } == 1)
  }

  @Test func `the explanation of a destination cites its activation rule and the policies' rules`()
  {
    let sheet = Self.phone().sheet
    let text = sheet.explanation(of: Self.phone()["Clip"])
    #expect(text.hasPrefix("Clip: hidden\n  share extension Clip (org.example.viewer.clip)\n"))
    #expect(text.contains("✗ activationRuleFails: the activation rule does not match"))
    #expect(text.contains("· twinsNotNamed: "))
    #expect(text.contains("  > fails  "))
    #expect(text.contains("  > 1. sendManagedAppsToUnmanaged (sender) decides"))
  }

  @Test func `a share sheet escapes control characters in printed names`() {
    var phone = Self.phone()
    phone.apps[2].name = "View\u{1B}[2Jer"
    #expect(!phone.sheet.text().unicodeScalars.contains("\u{1B}"))
    #expect(!phone.sheet.html().unicodeScalars.contains("\u{1B}"))
  }

  @Test func `the JSON of a share sheet has every destination with its reasons`() throws {
    let sheet = Self.phone().sheet
    let json = try JSONReader.read(sheet.json())
    #expect(json["sharing"]?["twins"]?.bool == true)
    #expect(json["sharing"]?["contents"]?.array?[0]["file"]?.string == "figures.pdf")
    let destinations = try #require(json["destinations"]?.array)
    #expect(destinations.count == sheet.destinations.count)
    let clip = try #require(destinations.first { $0["name"]?.string == "Clip" })
    #expect(clip["visibility"]?.string == "hidden")
    #expect(
      clip["why"]?.array?.compactMap(\.string)
        == ["activationRuleFails", "sendManagedAppsToUnmanaged"])
    #expect(clip["activation"]?["verdict"]?.string == "fails")
    #expect(clip["verdict"]?["decidedBy"]?.string == "sendManagedAppsToUnmanaged")
    #expect(clip["channel"]?.string == "share")
  }

  @Test func `the JSON of a share sheet conforms to its schema`() throws {
    let schema = try JSONReader.read(Repository.read("docs/schema/share-sheet.schema.json"))
    let sheet = try JSONReader.read(Self.phone().sheet.json())
    func check(_ value: JSONValue, _ definition: JSONValue?) throws {
      let name = definition?["$ref"]?.string?.split(separator: "/").last.map(String.init)
      let definition = try #require(name.flatMap { schema["$defs"]?[$0] } ?? definition)
      for element in value.array ?? [] { try check(element, definition["items"]) }
      let words = definition["enum"]?.array?.compactMap(\.string)
      if let words { #expect(words.contains(value.string ?? "")) }
      guard let properties = definition["properties"] else { return }
      for required in definition["required"]?.array ?? [] {
        #expect(value[required.string ?? ""] != nil, "\(required)")
      }
      for member in value.members ?? [] {
        let property = try #require(properties[member.name], "\(member.name)")
        try check(member.value, property)
      }
    }
    try check(sheet, schema)
  }

  @Test func `the page of a share sheet has no scripts and escapes names`() {
    var phone = Self.phone()
    phone.apps[2].name = "<b>Viewer</b>"
    let html = phone.sheet.html()
    #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n"))
    #expect(!html.contains("<script") && !html.contains("<b>"))
    #expect(html.contains("Copy to &lt;b&gt;Viewer&lt;/b&gt;"))
    let rows = html.components(separatedBy: "<th scope=\"row\">").count - 1
    #expect(rows == phone.sheet.destinations.count)
  }

  @Test func `a share sheet's HTML page lists hidden destinations as struck-through text`() throws {
    let sheet = Self.phone().sheet
    let page = try HTMLElement(page: sheet.html())
    let phone = try #require(page.all("section").first)
    #expect(phone.attributes["class"] == "phone")
    #expect(phone.all("h2").map(\.line) == ["figures.pdf"])
    func titles(_ kinds: [SheetDestination.Kind], isHidden: Bool) -> [String] {
      sheet.destinations.filter {
        kinds.contains($0.kind) && ($0.visibility == .hidden) == isHidden
      }.map(\.title)
    }
    let lists = Dictionary(
      phone.all("ul").map { ($0.attributes["class"] ?? "", $0.all("li")) },
      uniquingKeysWith: { first, _ in first })
    let icons = try #require(lists["icons"])
    #expect(
      icons.map { $0.all("span")[1].line }
        == titles([.openIn, .shareExtension, .copyTo], isHidden: false))
    #expect(icons[0].all("span").map(\.line) == ["N", "Open in Notes"])
    #expect(
      lists["rows"]?.map { $0.all("span")[0].line } ?? []
        == titles([.actionExtension, .builtIn], isHidden: false))
    let absent = try #require(lists["absent"])
    let hidden = sheet.destinations.filter { $0.visibility == .hidden }
    #expect(absent.map { $0.all("del")[0].line } == hidden.map(\.title))
    for (shown, destination) in zip(absent, hidden) {
      let cause = try #require(destination.causes.last)
      #expect(shown.all("small").map(\.line) == [destination.sentence(for: cause)])
    }
    let shownCount = sheet.destinations.count - hidden.count
    #expect(
      page.all("header")[0].all("p").first?.line
        == "Shown: \(shownCount) of \(sheet.destinations.count) destinations.")
  }

  @Test func `an item that arrives encrypted is marked in the drawn sheet`() throws {
    var phone = Self.phone()
    phone.sharing.via = .os
    let sheet = phone.sheet
    let encrypted = sheet.destinations.filter { $0.visibility == .encrypted }
    try #require(!encrypted.isEmpty)
    let page = try HTMLElement(page: sheet.html())
    let marks = page.all("section")[0].all("small").filter { $0.attributes["class"] == "encrypted" }
    #expect(marks.map(\.line) == encrypted.map { _ in "◆ arrives encrypted" })
  }

  @Test(arguments: ["Clip", "clip", "ORG.example.viewer.clip", "Copy to Viewer", "Viewer"])
  func `a share sheet destination is found by its name, title or bundle id`(name: String) {
    #expect(Self.phone().sheet.destinations(named: name).count == 1)
  }
}
