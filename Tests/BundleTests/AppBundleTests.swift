import Activation
@testable import Bundle
import Foundation
import Output
import Testing
import TestSupport
import UniformTypes

/// Tests the parsing of bundles.
struct AppBundleTests {
  static func bundle(_ body: String, settings: BuildSettings = BuildSettings()) throws -> AppBundle
  {
    try AppBundle(
      Lists.read(Lists.xml("<dict>\(body)</dict>")), entitlements: nil, settings: settings,
      path: "a.plist")
  }

  static func point(_ point: String) -> String {
    """
    <key>NSExtension</key><dict>
    <key>NSExtensionPointIdentifier</key><string>\(point)</string></dict>
    """
  }

  @Test func `an app bundle is read with its extensions`() throws {
    let sample = try SampleApp()
    let app = try AppBundle(at: sample.path + "/", settings: BuildSettings(team: "TEAM123456"))
    #expect(app.kind == .app)
    #expect(app.info.identifier == "org.example.notes")
    #expect(app.info.name == "Notes")
    #expect(app.info.version == "1.2")
    #expect(app.info.executable == "notes")
    #expect(app.info.minimumOS == "17.0")
    #expect(app.info.schemes == ["notes", "notes-intunemam", "msauth.org.example.notes"])
    #expect(app.info.queriedSchemes == BundleLinter.needed)
    #expect(
      app.info.documentTypes == [
        DocumentType(
          name: "Text", role: "Editor", rank: "Alternate",
          contentTypes: ["public.plain-text", "org.example.note"], filenameExtensions: [])
      ])
    #expect(app.info.opensInPlace == true)
    #expect(
      app.info.declaredTypes == [
        TypeDeclaration(
          identifier: "org.example.note", conformsTo: ["public.json"],
          filenameExtensions: ["note"], mimeTypes: ["application/x-note"],
          origin: .exported(by: "org.example.notes"))
      ])
    #expect(app.info.faceIDUsage == "To unlock your notes.")
    #expect(app.info.intuneSettings?.isMultiIdentity == false)
    #expect(app.info.intuneSettings?.appGroups == ["group.org.example.notes"])
    #expect(app.entitlements.appGroups == ["group.org.example.notes"])
    #expect(app.entitlements.keychainAccessGroups.first == "TEAM123456.org.example.notes")
    #expect(app.team == "TEAM123456")
    #expect(app.plugIns.map(\.kind) == [.actionWithoutInterface, .shareExtension])
    #expect(app.problems.isEmpty)
    let openIn = try #require(app.plugIns.first)
    #expect(openIn.info.intuneSettings?.isOpenInAction == true)
    #expect(openIn.info.intuneSettings?.containingApp == "org.example.notes")
    #expect(openIn.info.appExtension?.principalClass == "Handler")
    #expect(
      openIn.info.appExtension?.activationRule?.typeIdentifiers == [
        "com.microsoft.intune.mam.public.plain-text", "com.microsoft.intune.mam.org.example.note",
      ])
  }

  @Test(arguments: AppBundle.Kind.allCases)
  func `the extension point of a bundle determines the bundle's kind`(kind: AppBundle.Kind) throws {
    let bundle = try Self.bundle(kind.point.map(Self.point) ?? "")
    #expect(bundle.kind == kind)
    #expect(bundle.isExtension == (kind != .app))
  }

  @Test(arguments: [
    (
      "com.apple.widgetkit-extension",
      "Sluice does not launch extensions of the extension point `com.apple.widgetkit-extension` (widget)"
    ),
    (
      "com.apple.share-service",
      "the extension point `com.apple.share-service` is not known; did you mean "
        + "`com.apple.share-services`?"
    ),
    ("org.example", "the extension point `org.example` is not known"),
    ("", "`NSExtensionPointIdentifier` is missing"),
  ])
  func `an unsupported, unknown or missing extension point of a bundle is an error`(
    point: String, message: String
  ) {
    let error = #expect(throws: BundleError.self) { try Self.bundle(Self.point(point)) }
    #expect(error?.description == "a.plist:5:1: error: \(message) [bundle]")
  }

  @Test func `the error about an ExtensionKit extension describes its extension point`() {
    let error = #expect(throws: BundleError.self) {
      try Self.bundle(
        """
        <key>EXAppExtensionAttributes</key><dict><key>EXExtensionPointIdentifier</key>
        <string>com.apple.appintents-extension</string></dict>
        """)
    }
    #expect(error?.message.hasSuffix("(app intents)") == true)
  }

  @Test func `unsupported and unreadable extensions of an app are reported and skipped`() throws {
    let sample = try SampleApp(changing: [
      (SampleApp.share, "com.apple.share-services", "com.apple.widgetkit-extension"),
      (SampleApp.openIn, "</plist>", ""),
    ])
    let app = try AppBundle(at: sample.path, settings: BuildSettings())
    #expect(app.plugIns.isEmpty)
    #expect(app.problems.map(\.rule) == [.unreadable, .notLaunched])
    #expect(try sample.read().unreadableFile?.message.contains("the list is truncated") == true)
  }

  @Test func `a plug-in without NSExtension is an error when opened alone and a finding in an app`()
    throws
  {
    let sample = try SampleApp(changing: [
      (SampleApp.share, "<key>NSExtension</key>", "<key>Extension</key>")
    ])
    let app = try AppBundle(at: sample.path, settings: BuildSettings())
    #expect(app.plugIns.map(\.kind) == [.actionWithoutInterface])
    #expect(app.problems.map(\.rule) == [.extensionMissing])
    let error = #expect(throws: BundleError.self) {
      try AppBundle(at: "\(sample.path)/PlugIns/Share.appex/", settings: BuildSettings())
    }
    #expect(error?.rule == .extensionMissing)
  }

  @Test func `build variables in a bundle are replaced, and an unresolved bundle id causes a note`()
    throws
  {
    var settings = BuildSettings()
    settings["PRODUCT_BUNDLE_IDENTIFIER"] = "org.example.a"
    let body = """
      <key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
      <key>CFBundleExecutable</key><string>$(EXECUTABLE_NAME)</string>
      """
    let bundle = try Self.bundle(body, settings: settings)
    #expect(bundle.info.identifier == "org.example.a")
    #expect(bundle.info.executable == "$(EXECUTABLE_NAME)")
    #expect(bundle.source.findings.isEmpty)
    let unknown = try Self.bundle(body)
    #expect(
      unknown.source.findings.map(\.description) == [
        "a.plist:4:36: note: `CFBundleIdentifier` is `$(PRODUCT_BUNDLE_IDENTIFIER)`: the variable "
          + "`PRODUCT_BUNDLE_IDENTIFIER` has no value; give one with "
          + "`--set PRODUCT_BUNDLE_IDENTIFIER=…` [unresolvedVariable]"
      ])
  }

  @Test func `PRODUCT_BUNDLE_IDENTIFIER applies to the named bundle, not to its app or extensions`()
    throws
  {
    let variable = "$(PRODUCT_BUNDLE_IDENTIFIER)"
    let sample = try SampleApp(changing: [
      (SampleApp.app, "<string>org.example.notes<", "<string>\(variable)<"),
      (SampleApp.share, "<string>org.example.notes.share<", "<string>\(variable)<"),
    ])
    var settings = BuildSettings(team: "TEAM123456")
    settings["PRODUCT_BUNDLE_IDENTIFIER"] = "org.example.notes"
    let app = try BundleInput(at: sample.path, settings: settings)
    #expect(
      BundleReport.findings(about: app).map(\.message) == [
        "`CFBundleIdentifier` is `\(variable)`: the variable `PRODUCT_BUNDLE_IDENTIFIER` has no "
          + "value for an extension of an app; examine the extension by itself, with "
          + "`--set PRODUCT_BUNDLE_IDENTIFIER=…`"
      ])
    settings["PRODUCT_BUNDLE_IDENTIFIER"] = "org.example.notes.share"
    let share = try BundleInput(at: "\(sample.path)/PlugIns/Share.appex", settings: settings)
    #expect(BundleReport.findings(about: share).map(\.description) == [])
  }

  @Test func `property list values of unexpected types cause warnings`() throws {
    let bundle = try Self.bundle(
      """
      <key>CFBundleURLTypes</key><string>a</string>
      <key>IntuneMAMSettings</key><dict>
      <key>MultiIdentity</key><string>YES</string>
      <key>AppGroupIdentifiers</key><array><integer>1</integer></array></dict>
      """)
    #expect(bundle.info.intuneSettings?.isMultiIdentity == true)
    #expect(
      bundle.source.findings.map(\.description) == [
        "a.plist:4:7: warning: `CFBundleURLTypes` must be an array of dictionaries, found a string "
          + "`a` [wrongType]",
        "a.plist:6:1: warning: `IntuneMAMSettings > MultiIdentity` must be true or false, found a "
          + "string `YES` [wrongType]",
        "a.plist:7:38: warning: `IntuneMAMSettings > AppGroupIdentifiers > item 0` must be a "
          + "string, found a number `1` [wrongType]",
      ])
  }

  @Test(arguments: [
    ("<key>application-identifier</key><string>ABCDE12345.org.example.a</string>", "ABCDE12345"),
    (
      "<key>com.apple.developer.team-identifier</key><string>ABCDE12345</string>", "ABCDE12345"
    ),
    ("", nil),
  ])
  func `the team identifier is read from the entitlements`(body: String, team: String?) throws {
    let list = try Lists.read(
      Lists.xml(
        """
        <dict>\(body)
        <key>keychain-access-groups</key><array>
        <string>$(AppIdentifierPrefix)a</string><string>$(TeamIdentifierPrefix)b</string>
        </array>
        <key>com.apple.developer.associated-domains</key><array><string>applinks:a</string></array>
        </dict>
        """))
    let (entitlements, _) = Entitlements.read(list, settings: BuildSettings())
    #expect(entitlements.team == team)
    #expect(
      entitlements.keychainAccessGroups.first
        == (team.map { "\($0).a" } ?? "$(AppIdentifierPrefix)a"))
    #expect(entitlements.grants(keychainGroup: "b"))
    #expect(!entitlements.grants(keychainGroup: "c"))
    #expect(entitlements.associatedDomains == ["applinks:a"])
  }

  @Test func `the repository's example bundles are read without findings`() throws {
    for (name, kind) in [
      ("examples/NoteKeeper.app", AppBundle.Kind.app), ("plugins/SaveNote.appex", .shareExtension),
      ("plugins/Shout.appex", .actionExtension),
    ] {
      let bundle = try AppBundle(at: Repository.path(name), settings: BuildSettings(team: "T"))
      #expect(bundle.kind == kind)
      #expect(bundle.source.findings.isEmpty)
      #expect(bundle.entitlements.grants(keychainGroup: "com.microsoft.intune.mam"))
      if kind != .app { #expect(bundle.info.appExtension?.activationRule != nil) }
    }
  }
}
