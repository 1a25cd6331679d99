import Foundation
import TestSupport

/// An app with several identities, an Open-In action for documents and a share extension. It is
/// NoteKeeper with its `PlugIns`, or a copy with one defect.
enum DamagedApp: String, CaseIterable, Sendable {
  case healthy, oneIdentity, sender
  case withoutSDK, withoutPlugIns, withoutSchemes, withoutTwin, withoutDocuments
  case withoutGroups, withoutEntitlements, withoutKeychain
  case neverOpensIn, opensInWithoutGroup, opensInByNoListedGroup
  case neverShares, sharesPlainTypesOnly, sharesForAnotherApp, sharesWithoutSDK

  /// The criteria in ``tried`` that the app fails.
  var failing: [String] {
    switch self {
    case .healthy, .oneIdentity, .sender: []
    case .withoutSDK, .withoutKeychain: Self.tried.filter { $0 != "MA-1" }
    case .withoutPlugIns, .withoutSchemes, .withoutTwin, .withoutDocuments, .withoutEntitlements,
      .neverOpensIn, .opensInWithoutGroup, .opensInByNoListedGroup:
      ["COPY-1", "RECEIVE-2"]
    case .withoutGroups: ["COPY-1", "RECEIVE-1", "RECEIVE-2", "RECEIVE-3", "RECEIVE-4"]
    case .neverShares: ["RECEIVE-2", "RECEIVE-4"]
    case .sharesPlainTypesOnly: ["RECEIVE-2"]
    case .sharesWithoutSDK: ["RECEIVE-1", "RECEIVE-2"]
    case .sharesForAnotherApp: ["RECEIVE-1", "RECEIVE-2", "RECEIVE-3", "RECEIVE-4"]
    }
  }

  /// One criterion of each kind, in the order of the certificate.
  static let tried = [
    "SAVE-1", "COPY-1", "LOGIN-1", "SEND-1", "RECEIVE-1", "RECEIVE-2", "RECEIVE-3", "RECEIVE-4",
    "CA-1", "MA-1",
  ]

  /// Writes the app's folder.
  func write(to folder: Workspace, as name: String) throws {
    let files = FileManager.default
    let app = folder.path(name)
    try files.copyItem(atPath: Repository.path("examples/NoteKeeper.app"), toPath: app)
    try files.createDirectory(atPath: "\(app)/PlugIns", withIntermediateDirectories: true)
    for plugIn in ["OpenIn.appex", "SaveNote.appex"] {
      try files.copyItem(
        atPath: Repository.path("plugins/\(plugIn)"), toPath: "\(app)/PlugIns/\(plugIn)")
    }
    for change in changes {
      switch change {
      case .remove(let file): try files.removeItem(atPath: "\(app)/\(file)")
      case .replace(let old, let new, let file):
        let text = try folder.read("\(name)/\(file)")
        precondition(text.contains(old), "\(file) has changed: `\(old)` is not in it")
        try folder.write(text.replacing(old, with: new), to: "\(name)/\(file)")
      }
    }
  }

  private enum Change {
    case remove(String)
    /// Replaces a text in a file with another text.
    case replace(String, String, String)
  }

  private static let info = "Info.plist"
  private static let rights = "entitlements.plist"
  private static let openIn = "PlugIns/OpenIn.appex/"
  private static let share = "PlugIns/SaveNote.appex/"
  private static let groups = "com.apple.security.application-groups"

  private var changes: [Change] {
    let several: Change = .replace("<false/>", "<true/>", Self.info)
    return self == .oneIdentity ? [] : [several] + damage
  }

  private var damage: [Change] {
    switch self {
    case .healthy, .oneIdentity: []
    case .sender: [Self.noDocuments, .remove("PlugIns")]
    case .withoutSDK: [.replace("<key>IntuneMAMSettings", "<key>Others", Self.info)]
    case .withoutPlugIns: [.remove("PlugIns")]
    case .withoutSchemes: [.replace("<key>CFBundleURLTypes", "<key>Others", Self.info)]
    case .withoutTwin: [.replace("<string>notekeeper-intunemam</string>", "", Self.info)]
    case .withoutDocuments: [Self.noDocuments]
    case .withoutGroups: [.replace("<key>\(Self.groups)", "<key>Others", Self.rights)]
    case .withoutEntitlements: [.remove(Self.rights)]
    case .withoutKeychain:
      [.replace("<string>$(AppIdentifierPrefix)com.microsoft.intune.mam</string>", "", Self.rights)]
    case .neverOpensIn: [Self.rule("FALSEPREDICATE", of: Self.openIn)]
    case .opensInWithoutGroup:
      [.replace("<key>\(Self.groups)", "<key>Others", Self.openIn + Self.rights)]
    case .opensInByNoListedGroup:
      [Self.info, Self.openIn + Self.info].map {
        .replace("<key>AppGroupIdentifiers", "<key>Others", $0)
      }
    case .neverShares: [Self.rule("FALSEPREDICATE", of: Self.share)]
    case .sharesPlainTypesOnly:
      [.replace("com.microsoft.intune.mam.public", "public", Self.share + Self.info)]
    case .sharesForAnotherApp:
      [
        .replace(
          "<string>org.example.notekeeper</string>", "<string>org.example.other</string>",
          Self.share + Self.info)
      ]
    case .sharesWithoutSDK:
      [.replace("<key>IntuneMAMSettings", "<key>Others", Self.share + Self.info)]
    }
  }

  private static let noDocuments: Change =
    .replace("<key>CFBundleDocumentTypes", "<key>Others", info)

  /// Returns a change that inserts another rule before the old one, and removes the old rule's key.
  private static func rule(_ predicate: String, of plugIn: String) -> Change {
    .replace(
      "<key>NSExtensionActivationRule</key>",
      "<key>NSExtensionActivationRule</key><string>\(predicate)</string><key>Others</key>",
      plugIn + info)
  }
}
