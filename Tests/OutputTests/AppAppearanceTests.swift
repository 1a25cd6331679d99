import Encodings
import Output
import TestSupport
import Testing

@Suite struct AppAppearanceTests {
  /// The browser test of the same table compares `initial` and `hue` in `map.js`.
  @Test func `app glyphs in Swift equal the glyph table of the browser test`() throws {
    let table = try #require(
      try JSONReader.read(Repository.read("Tests/Browser/glyphs.json")).array)
    #expect(!table.isEmpty)
    for row in table {
      let name = try #require(row["name"]?.string)
      let glyph = AppGlyph(of: name)
      #expect(glyph.initial == row["initial"]?.string, "\(name)")
      #expect(glyph.hue == row["hue"]?.int, "\(name)")
    }
  }

  @Test(arguments: ["mail-1", "mail-12", "com.contoso.mail", "com.contoso.mail-2"])
  func `an app has the same glyph under all its names`(name: String) {
    #expect(AppGlyph(of: name) == AppGlyph(of: "mail"))
  }

  @Test(
    arguments: [
      ("com.microsoft.Office.Outlook", "Outlook"), ("com.microsoft.office.outlook", "Outlook"),
      ("NET.WHATSAPP.WHATSAPP", "WhatsApp"), ("com.adobe.Adobe-Reader", "Adobe Acrobat"),
      ("com.microsoft.skydrive", "OneDrive"), ("*", "all other apps"),
      ("com.microsoft.*", "other apps of Microsoft"), ("com.contoso.mail", nil), ("outlook", nil),
      ("", nil),
    ] as [(String, String?)])
  func `well-known apps have names, in any casing of the bundle id`(bundleID: String, name: String?)
  {
    #expect(AppName.of(bundleID) == name)
  }

  @Test func `short lists of apps put well-known apps first`() {
    let apps = [
      "com.microsoft.*", "com.contoso.mail", "com.microsoft.msedge", "net.whatsapp.WhatsApp",
    ]
    #expect(
      AppName.wellKnownFirst(apps) == [
        "com.microsoft.msedge", "net.whatsapp.WhatsApp", "com.microsoft.*", "com.contoso.mail",
      ])
  }

  @Test(arguments: [
    ("com.microsoft.msedge", "Edge"), ("com.microsoft.officemobile", "Officemobile"),
    ("com.contoso.mail", "Mail"), ("com.example.iManage", "iManage"), ("notes", "Notes"),
    ("*", "all other apps"), ("", ""),
  ])
  func `the short name of an unlisted app is the last component of its bundle id`(
    bundleID: String, name: String
  ) {
    #expect(AppName.short(bundleID) == name)
  }

  @Test(
    arguments: [
      ("Outlook", "com.microsoft.office.outlook"), ("OUTLOOK", "com.microsoft.office.outlook"),
      ("Google Drive", "com.google.drive"), ("googledrive", "com.google.drive"),
      ("WhatsApp", "net.whatsapp.whatsapp"), ("WhatsAp", nil), ("all other apps", nil), ("", nil),
    ] as [(String, String?)])
  func `the bundle id of a well-known app is found by its name with or without spaces`(
    name: String, bundleID: String?
  ) {
    #expect(AppName.bundleID(of: name) == bundleID)
  }

  @Test(arguments: [
    ("onedrive", "com.microsoft.skydrive", true), ("SkyDrive", "com.microsoft.skydrive", true),
    ("mail", "com.contoso.mail", true), ("contoso", "com.contoso.mail", false),
    ("mai", "com.contoso.mail", false),
  ])
  func `an app is identified by its short name or its bundle id's last component`(
    name: String, bundleID: String, isNamed: Bool
  ) {
    #expect(AppName.names(name, bundleID) == isNamed)
  }

  @Test func `the JSON data of HTML pages maps lowercase bundle ids to app names`() throws {
    let text = JSONWriter.objectLine { AppName.write(to: &$0) }
    guard case .object(let members)? = try JSONReader.read(text)["apps"]?.kind, !members.isEmpty
    else {
      Issue.record("no names in \(text)")
      return
    }
    for member in members {
      #expect(member.name == member.name.lowercased())
      #expect(AppName.of(member.name) == member.value.string)
    }
  }
}
