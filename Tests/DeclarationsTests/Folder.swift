import Declarations

/// Folders for tests, in memory.
enum Folder {
  static func folder(_ files: [String: String]) -> DeclarationFolder {
    DeclarationFolder(name: "d", files: files.mapValues { Array($0.utf8) })
  }

  /// Returns a folder with one file of declarations, and further files.
  static func set(_ declarations: String..., files: [String: String] = [:]) -> DeclarationSet {
    let text = "[" + declarations.joined(separator: ",\n") + "]"
    return DeclarationSet(folder(files.merging(["all.json": text]) { _, own in own }))
  }

  static func declaration(
    _ type: String, _ identifier: String, token: String = "1", _ payload: String
  ) -> String {
    """
    {"Type": "com.apple.\(type)", "Identifier": "\(identifier)", "ServerToken": "\(token)", \
    "Payload": \(payload)}
    """
  }

  static func activation(_ identifier: String, _ names: String..., predicate: String? = nil)
    -> String
  {
    let list = names.map { #""\#($0)""# }.joined(separator: ", ")
    let condition = predicate.map { #", "Predicate": "\#($0)""# } ?? ""
    return declaration(
      "activation.simple", identifier, #"{"StandardConfigurations": [\#(list)]\#(condition)}"#)
  }

  /// Returns a configuration for the app with a bundle id.
  static func app(_ identifier: String, _ bundle: String, _ rest: String = "") -> String {
    declaration(
      "configuration.app.managed", identifier,
      """
      {"BundleID": "\(bundle)", "InstallBehavior": {"License": {"Assignment": "Device"}}\
      \(rest.isEmpty ? "" : ", " + rest)}
      """)
  }

  static func asset(
    _ type: String, _ identifier: String, _ url: String, token: String = "1", _ rest: String = ""
  ) -> String {
    declaration(
      "asset.\(type)", identifier, token: token,
      #"{"Reference": {"DataURL": "\#(url)"\#(rest.isEmpty ? "" : ", " + rest)}}"#)
  }

  static func list(_ body: String) -> String {
    #"<?xml version="1.0"?>\#n<plist version="1.0"><dict>\#(body)</dict></plist>"#
  }

  static let list = list("<key>server</key><string>mail.contoso.com</string>")

  static func app(
    _ bundle: String = "com.contoso.mail", team: String = "CONTOSO123",
    management: InstalledProgram.Management = .possible
  ) -> InstalledProgram {
    InstalledProgram(ComposedIdentifier(bundle: bundle, team: team), .app, management: management)
  }
}
