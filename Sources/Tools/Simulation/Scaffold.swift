internal import Encodings

/// The files of a new app, extension or scenario, which runs without changes.
public struct Scaffold: Sendable, Equatable {
  /// The files, in the order of writing.
  public var files: [File]
  /// The path of the scenario among the files.
  public var scenario: String

  /// A file to write, with its relative path.
  public struct File: Sendable, Equatable {
    public var path: String
    public var text: String
    public var isExecutable: Bool

    public init(path: String, text: String, isExecutable: Bool = false) {
      self.path = path
      self.text = text
      self.isExecutable = isExecutable
    }
  }

  /// The language of the program.
  public enum Language: String, Sendable, CaseIterable {
    case lua, python

    fileprivate var program: String {
      switch self {
      case .lua: "main.lua"
      case .python: "main.py"
      }
    }
  }

  /// The kind of a new app or extension.
  public enum Kind: String, Sendable, CaseIterable {
    case app, share, action, keyboard, notificationService

    /// The kind's `NSExtensionPointIdentifier`; nil for an app.
    var point: String? {
      switch self {
      case .app: nil
      case .share: "com.apple.share-services"
      case .action: "com.apple.ui-services"
      case .keyboard: "com.apple.keyboard-service"
      case .notificationService: "com.apple.usernotifications.service"
      }
    }
  }

  init(files: [File], scenario: String) {
    self.files = files
    self.scenario = scenario
  }

  /// Makes an app or extension, and a scenario that runs it. A program in Python needs the package `sluice_guest` in
  /// its bundle.
  ///
  /// - Parameters:
  ///   - name: letters, digits and `-`, a letter first.
  ///   - bundle: the bundle id, as scenarios take it; an extension's is below that of its app.
  public init(_ kind: Kind, in language: Language = .lua, name: String, bundle: String) {
    let folder = Self.folder(kind, name: name)
    scenario = "\(name).yaml"
    files = [
      File(
        path: "\(folder)/Info.plist",
        text: Self.infoPlist(kind, program: language.program, name, bundle)),
      File(
        path: "\(folder)/\(language.program)", text: ScaffoldProgram.text(kind, in: language),
        isExecutable: language == .python),
      File(path: scenario, text: Self.scenario(kind, name, folder, bundle)),
    ]
  }

  /// The name of the folder of a bundle.
  public static func folder(_ kind: Kind, name: String) -> String {
    "\(name).\(kind == .app ? "app" : "appex")"
  }

  /// The beginning of a scenario whose org data stays in managed apps.
  ///
  /// - Parameter managed: the bundle ids that the policy is targeted at.
  static func world(
    _ name: String, managed: [String], as account: AccountDetail = .named
  ) -> String {
    """
    name: \(name)

    accounts:
      anna: \(account.rawValue)

    policies:
      base:
        json:
          displayName: Org data stays in managed apps
          allowedOutboundDataTransferDestinations: managedApps
        assign: [{ account: anna, apps: [\(managed.joined(separator: ", "))] }]

    """
  }

  /// What a scenario says of its account.
  enum AccountDetail: String {
    case named = "{ upn: anna@contoso.com, tenant: contoso.com }"
    /// With the identifiers that tokens tell an app, which are no names.
    case registered = """

          upn: anna@contoso.com
          objectId: 7d6ee9ed-97cc-4fe0-a1b5-8a5bd4ae1e0b
          tenant: 2f2a9ee4-51b1-4d2f-9c1b-0b7fd2bd2a5c
      """
  }

  /// Makes a scenario of two ready-made apps and a policy.
  public init(scenario name: String) {
    scenario = "\(name).yaml"
    files = [
      File(
        path: scenario,
        text: """
          \(Self.world(name, managed: ["com.contoso.mail"]))
          apps:
            mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
            viewer: { bundle: org.example.viewer }

          cases:
            - name: org data stays in managed apps
              steps:
                - launch: [mail, viewer]
                - share: { from: mail, to: viewer, text: Quarterly figures }
                  expect: { verdict: blocked, decidedBy: sendManagedAppsToUnmanaged, end: refused }

          """)
    ]
  }

  // MARK: texts

  private static func infoPlist(
    _ kind: Kind, program: String, _ name: String, _ bundle: String
  ) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>CFBundleExecutable</key>
    \t<string>\(program)</string>
    \t<key>CFBundleIdentifier</key>
    \t<string>\(bundle.escaped(in: .xmlText))</string>
    \t<key>CFBundleName</key>
    \t<string>\(name.escaped(in: .xmlText))</string>
    \(extensionKeys(kind, name))</dict>
    </plist>

    """
  }

  private static func extensionKeys(_ kind: Kind, _ name: String) -> String {
    guard let point = kind.point else { return "" }
    let rule = """
      \t\t<key>NSExtensionAttributes</key>
      \t\t<dict>
      \t\t\t<key>NSExtensionActivationRule</key>
      \t\t\t<string>SUBQUERY (
      \t\t\t\textensionItems,
      \t\t\t\t$extensionItem,
      \t\t\t\tSUBQUERY (
      \t\t\t\t\t$extensionItem.attachments,
      \t\t\t\t\t$attachment,
      \t\t\t\t\tANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO "public.text" ||
      \t\t\t\t\tANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO "com.microsoft.intune.mam.public.text"
      \t\t\t\t).@count == $extensionItem.attachments.@count
      \t\t\t).@count == 1</string>
      \t\t</dict>

      """
    return """
      \t<key>NSExtension</key>
      \t<dict>
      \(kind == .share || kind == .action ? rule : "")\t\t<key>NSExtensionPointIdentifier</key>
      \t\t<string>\(point)</string>
      \t\t<key>NSExtensionPrincipalClass</key>
      \t\t<string>\(name.escaped(in: .xmlText))</string>
      \t</dict>

      """
  }

  /// The name of the app or extension in its scenario: its own, but for those of the apps beside it.
  private static func key(_ name: String) -> String {
    let own = name.lowercased()
    return ["host", "viewer", "null"].contains(own) ? "\(own)2" : own
  }

  private static func scenario(
    _ kind: Kind, _ name: String, _ folder: String, _ bundle: String
  ) -> String {
    let key = key(name)
    let containing = bundle.split(separator: ".").dropLast().joined(separator: ".")
    let apps =
      kind == .app
      ? "  \(key): { bundle: \(bundle), path: \(folder) }"
      : """
        host: { bundle: \(containing) }
        \(key): { bundle: \(bundle), path: \(folder), extension: \(kind.rawValue), containingApp: host }
      """
    return """
      name: \(folder)

      apps:
      \(apps)
        viewer: { bundle: com.example.viewer }

      cases:
        - name: it takes a text
          steps:
            - launch: \(kind == .app ? "[viewer, \(key)]" : "viewer")
      \(step(kind, key))

      """
  }

  private static func step(_ kind: Kind, _ key: String) -> String {
    let returned =
      "returned: { verdict: allowed, decidedBy: noRuleApplied, end: delivered, received: HELLO }"
    let expected = "verdict: allowed, decidedBy: noRuleApplied, end: delivered"
    return switch kind {
    case .app, .share:
      """
            - share: { from: viewer, to: \(key), text: hello }
              expect: { \(expected) }
      """
    case .action:
      """
            - share: { from: viewer, to: \(key), text: hello }
              expect: { \(expected), \(returned) }
      """
    case .keyboard:
      """
            - use: { app: viewer, feature: keyboard, text: hello, extension: \(key) }
              expect: { \(expected), \(returned) }
      """
    case .notificationService:
      """
            - use: { app: viewer, feature: notification, text: hello, extension: \(key) }
              expect: { \(expected), \(returned) }
      """
    }
  }
}
