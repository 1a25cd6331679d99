@testable import Bundle
import Foundation
import Output
import TestSupport

/// An app on disk with an Open-In extension and a share extension, as the SDK requires. Variants of
/// the app have changes.
struct SampleApp {
  static let app = "Notes.app/Info.plist"
  static let appRights = "Notes.app/Notes.entitlements"
  static let openIn = "Notes.app/PlugIns/OpenIn.appex/Info.plist"
  static let openInRights = "Notes.app/PlugIns/OpenIn.appex/OpenIn.entitlements"
  static let share = "Notes.app/PlugIns/Share.appex/Info.plist"
  static let shareRights = "Notes.app/PlugIns/Share.appex/Share.entitlements"

  let folder: Workspace

  /// Writes the app with changes.
  ///
  /// - Parameter changes: The file, the text to replace, and its replacement.
  init(changing changes: [(file: String, old: String, new: String)] = []) throws {
    folder = try Workspace()
    for (file, body) in Self.files {
      var text = "\(Lists.head)\(body)\n</plist>\n"
      for change in changes where change.file == file {
        precondition(text.contains(change.old), "`\(change.old)` is not in \(file)")
        text = text.replacing(change.old, with: change.new)
      }
      try folder.write(text, to: file)
    }
  }

  var path: String { folder.path("Notes.app") }

  func read() throws -> BundleInput {
    try BundleInput(at: path, settings: BuildSettings(team: "TEAM123456"))
  }

  /// Returns the findings. Their files are relative to the folder.
  func findings() throws -> [String] {
    try BundleReport.findings(about: read()).map {
      $0.description.replacing("\(folder.path)/", with: "")
    }
  }

  static let files: [(String, String)] = [
    (app, appBody), (appRights, rights("org.example.notes")), (openIn, openInBody),
    (openInRights, rights("org.example.notes.openin")), (share, shareBody),
    (shareRights, rights("org.example.notes.share")),
  ]

  private static func rights(_ own: String) -> String {
    """
    <dict>
    \t<key>com.apple.security.application-groups</key>
    \t<array>
    \t\t<string>group.org.example.notes</string>
    \t</array>
    \t<key>keychain-access-groups</key>
    \t<array>
    \t\t<string>$(AppIdentifierPrefix)\(own)</string>
    \t\t<string>$(AppIdentifierPrefix)com.microsoft.intune.mam</string>
    \t\t<string>$(AppIdentifierPrefix)com.microsoft.adalcache</string>
    \t</array>
    </dict>
    """
  }

  private static let queried = BundleLinter.needed.map { "\t\t<string>\($0)</string>" }
    .joined(separator: "\n")

  private static let appBody = """
    <dict>
    \t<key>CFBundleDisplayName</key>
    \t<string>Notes</string>
    \t<key>CFBundleShortVersionString</key>
    \t<string>1.2</string>
    \t<key>CFBundleExecutable</key>
    \t<string>notes</string>
    \t<key>CFBundleIdentifier</key>
    \t<string>org.example.notes</string>
    \t<key>MinimumOSVersion</key>
    \t<string>17.0</string>
    \t<key>CFBundleDocumentTypes</key>
    \t<array>
    \t\t<dict>
    \t\t\t<key>CFBundleTypeName</key>
    \t\t\t<string>Text</string>
    \t\t\t<key>CFBundleTypeRole</key>
    \t\t\t<string>Editor</string>
    \t\t\t<key>LSHandlerRank</key>
    \t\t\t<string>Alternate</string>
    \t\t\t<key>LSItemContentTypes</key>
    \t\t\t<array>
    \t\t\t\t<string>public.plain-text</string>
    \t\t\t\t<string>org.example.note</string>
    \t\t\t</array>
    \t\t</dict>
    \t</array>
    \t<key>CFBundleURLTypes</key>
    \t<array>
    \t\t<dict>
    \t\t\t<key>CFBundleURLSchemes</key>
    \t\t\t<array>
    \t\t\t\t<string>Notes</string>
    \t\t\t\t<string>notes-intunemam</string>
    \t\t\t\t<string>msauth.org.example.notes</string>
    \t\t\t</array>
    \t\t</dict>
    \t</array>
    \t<key>IntuneMAMSettings</key>
    \t<dict>
    \t\t<key>ADALClientId</key>
    \t\t<string>5c7a4e0e-6b0b-4f3e-9a56-1d6b1f0a7c3d</string>
    \t\t<key>ADALRedirectUri</key>
    \t\t<string>msauth.org.example.notes://auth</string>
    \t\t<key>AppGroupIdentifiers</key>
    \t\t<array>
    \t\t\t<string>group.org.example.notes</string>
    \t\t</array>
    \t\t<key>MultiIdentity</key>
    \t\t<false/>
    \t</dict>
    \t<key>LSApplicationQueriesSchemes</key>
    \t<array>
    \(queried)
    \t</array>
    \t<key>LSSupportsOpeningDocumentsInPlace</key>
    \t<true/>
    \t<key>NSFaceIDUsageDescription</key>
    \t<string>To unlock your notes.</string>
    \t<key>UTExportedTypeDeclarations</key>
    \t<array>
    \t\t<dict>
    \t\t\t<key>UTTypeIdentifier</key>
    \t\t\t<string>org.example.note</string>
    \t\t\t<key>UTTypeConformsTo</key>
    \t\t\t<string>public.json</string>
    \t\t\t<key>UTTypeTagSpecification</key>
    \t\t\t<dict>
    \t\t\t\t<key>public.filename-extension</key>
    \t\t\t\t<array>
    \t\t\t\t\t<string>note</string>
    \t\t\t\t</array>
    \t\t\t\t<key>public.mime-type</key>
    \t\t\t\t<string>application/x-note</string>
    \t\t\t</dict>
    \t\t</dict>
    \t</array>
    </dict>
    """

  private static func extensionBody(
    _ name: String, settings: String, rule: String, point: String
  ) -> String {
    """
    <dict>
    \t<key>CFBundleExecutable</key>
    \t<string>\(name)</string>
    \t<key>CFBundleIdentifier</key>
    \t<string>org.example.notes.\(name)</string>
    \t<key>MinimumOSVersion</key>
    \t<string>17.0</string>
    \t<key>IntuneMAMSettings</key>
    \t<dict>
    \t\t<key>AppGroupIdentifiers</key>
    \t\t<array>
    \t\t\t<string>group.org.example.notes</string>
    \t\t</array>
    \t\t<key>ContainingAppBundleId</key>
    \t\t<string>org.example.notes</string>
    \(settings)\t</dict>
    \t<key>NSExtension</key>
    \t<dict>
    \t\t<key>NSExtensionAttributes</key>
    \t\t<dict>
    \t\t\t<key>NSExtensionActivationRule</key>
    \t\t\t<string>\(rule)</string>
    \t\t</dict>
    \t\t<key>NSExtensionPointIdentifier</key>
    \t\t<string>\(point)</string>
    \t\t<key>NSExtensionPrincipalClass</key>
    \t\t<string>Handler</string>
    \t</dict>
    </dict>
    """
  }

  private static func rule(_ types: [String], last: String) -> String {
    let clauses = types.map {
      "\t\t\t\t\tANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO \"\($0)\""
    }
    return """
      SUBQUERY (
      \t\t\t\textensionItems,
      \t\t\t\t$extensionItem,
      \t\t\t\tSUBQUERY (
      \t\t\t\t\t$extensionItem.attachments,
      \t\t\t\t\t$attachment,
      \(clauses.joined(separator: " ||\n"))
      \t\t\t\t).@count \(last)
      \t\t\t).@count == 1
      """
  }

  private static let openInBody = extensionBody(
    "openin", settings: "\t\t<key>OpenInActionExtension</key>\n\t\t<true/>\n",
    rule: rule(
      [
        "com.microsoft.intune.mam.public.plain-text", "com.microsoft.intune.mam.org.example.note",
      ], last: "== 1"), point: "com.apple.services")

  private static let shareBody = extensionBody(
    "share", settings: "",
    rule: rule(
      ["public.image", "com.microsoft.intune.mam.public.image"], last: "&gt;= 1"),
    point: "com.apple.share-services")
}
