internal import Encodings

/// The files of a new app, extension or scenario, which run without changes.
package struct Scaffold: Sendable, Equatable {
  /// The files, in the order of writing.
  package var files: [File]
  /// The path of the scenario's file.
  package var scenario: String
  /// Warnings about the apps in the scenario, as `file: warning: message [rule]`.
  package private(set) var warnings: [String] = []

  /// A file to write, with its relative path.
  package struct File: Sendable, Equatable {
    package var path: String
    package var text: String
    package var isExecutable: Bool

    package init(path: String, text: String, isExecutable: Bool = false) {
      self.path = path
      self.text = text
      self.isExecutable = isExecutable
    }
  }

  package enum Language: String, Sendable, CaseIterable {
    case lua, python

    fileprivate var program: String {
      switch self {
      case .lua: "main.lua"
      case .python: "main.py"
      }
    }
  }

  package enum Kind: String, Sendable, CaseIterable {
    case app, share, action, keyboard, notificationService

    /// The kind's `NSExtensionPointIdentifier`; nil for an app.
    fileprivate var point: String? {
      switch self {
      case .app: nil
      case .share: "com.apple.share-services"
      case .action: "com.apple.ui-services"
      case .keyboard: "com.apple.keyboard-service"
      case .notificationService: "com.apple.usernotifications.service"
      }
    }
  }

  init(files: [File], scenario: String, warnings: [String] = []) {
    self.files = files
    self.scenario = scenario
    self.warnings = warnings
  }

  /// Creates an app or extension, and a scenario that runs it. A Python program needs the package
  /// `sluice_guest` in its bundle.
  ///
  /// - Parameters:
  ///   - name: Letters, digits and `-`, beginning with a letter.
  ///   - bundle: The bundle id, valid in scenarios. An extension's id begins with the id of its app.
  package init(_ kind: Kind, in language: Language = .lua, name: String, bundle: String) {
    let folder = Self.folder(kind, name: name)
    scenario = "\(name).yaml"
    files = [
      File(
        path: "\(folder)/Info.plist",
        text: Self.infoPlist(
          program: language.program, name, bundle, keys: Self.extensionKeys(kind, name))),
      File(
        path: "\(folder)/\(language.program)", text: ScaffoldProgram.text(kind, in: language),
        isExecutable: language == .python),
      File(path: scenario, text: Self.scenario(kind, name, folder, bundle)),
    ]
  }

  package static func folder(_ kind: Kind, name: String) -> String {
    "\(name).\(kind == .app ? "app" : "appex")"
  }

  /// Returns the beginning of a scenario: its name, an account, and a policy that keeps org data in managed apps.
  ///
  /// - Parameter managed: The bundle ids that the policy targets.
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

  /// The definition of the scenario's account, as a YAML value.
  enum AccountDetail: String {
    case named = "{ upn: anna@contoso.com, tenant: contoso.com }"
    /// An account with the object and tenant IDs that tokens contain.
    case registered = """

          upn: anna@contoso.com
          objectId: 7d6ee9ed-97cc-4fe0-a1b5-8a5bd4ae1e0b
          tenant: 2f2a9ee4-51b1-4d2f-9c1b-0b7fd2bd2a5c
      """
  }

  /// Creates a scenario with two ready-made apps and a policy.
  package init(scenario name: String) {
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

  // MARK: Texts

  /// Returns the text of an Info.plist. `keys` contains further keys with their values, as lines of the property list.
  private static func infoPlist(
    program: String, _ name: String, _ bundle: String, keys: String
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
    \(keys)</dict>
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

  /// Returns the name of the app or extension in its scenario: `name` in lower case. If another app or YAML already
  /// uses this word, `2` follows.
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
        \(viewer(beside: [containing, bundle]))

      cases:
        - name: \(kind == .app ? "the app" : "the extension") receives text
          steps:
            - launch: \(kind == .app ? "[viewer, \(key)]" : "viewer")
      \(step(kind, key))

      """
  }

  /// Returns the entry of a scenario's unmanaged app. Its bundle id is not in `taken`.
  private static func viewer(beside taken: [String]) -> String {
    let id = "org.example.viewer"
    let isTaken = taken.contains { $0.lowercased() == id }
    return "viewer: { bundle: \(isTaken ? "\(id)-2" : id) }"
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

// MARK: - Programs

/// The initial programs of new apps and extensions.
private enum ScaffoldProgram {
  static func text(_ kind: Scaffold.Kind, in language: Scaffold.Language) -> String {
    switch language {
    case .lua: lua(kind)
    case .python:
      """
      #!/usr/bin/python3
      import sluice_guest

      guest = sluice_guest.Guest()

      \(python(kind))

      guest.run()

      """
    }
  }

  private static func lua(_ kind: Scaffold.Kind) -> String {
    switch kind {
    case .app:
      """
      app.received(function(item)
        log("got " .. (item.text or item.type))
      end)

      app.provides(function() return "hello" end)

      """
    case .share:
      """
      share.loaded(function(item)
        local written, why = files.append("received.txt", (item.text or item.type) .. "\\n")
        if not written then return share.cancel(why.text) end
        share.complete()
      end)

      """
    case .action, .keyboard, .notificationService:
      """
      share.loaded(function(item)
        if not item.text then return share.cancel("only text is supported") end
        share.complete(item.text:upper())
      end)

      """
    }
  }

  private static func python(_ kind: Scaffold.Kind) -> String {
    switch kind {
    case .app:
      """
      @guest.on_receive
      def received(item, sender):
          guest.log(f"got {item.type} from {sender}")

      @guest.on_provide
      def provide(requester):
          return "hello"
      """
    case .share:
      """
      @guest.on_share
      def keep(request):
          with open("received.txt", "a") as file:
              for attachment in request.attachments:
                  file.write(attachment.load().text + "\\n")
      """
    case .action, .keyboard, .notificationService:
      """
      @guest.on_share
      def answer(request):
          return "".join(attachment.load().text for attachment in request.attachments).upper()
      """
    }
  }
}

// MARK: - Apps and extensions in Swift

/// The files around the existing sources of a Swift app or extension: a package that uses the modules of
/// `ios-modules`, a scenario, and tests on phones.
extension Scaffold {
  /// Existing sources of an app or extension.
  package struct SwiftSources: Sendable, Equatable {
    /// The folder of `ios-modules`.
    package var modules: String
    /// The path of the program `sluice`, with which a test runs the scenario.
    package var sluice: String
    /// Whether the sources have an entry point: `main.swift`, or in an app `@main`.
    package var hasEntry: Bool
    /// Whether the sources import Combine or SwiftUI, which take long to compile.
    package var usesCombine: Bool
    /// Whether the app needs a policy to start (`MAMPolicyRequired`).
    package var requiresPolicy: Bool

    package init(
      modules: String, sluice: String, hasEntry: Bool, usesCombine: Bool = false,
      requiresPolicy: Bool = false
    ) {
      self.modules = modules
      self.sluice = sluice
      self.hasEntry = hasEntry
      self.usesCombine = usesCombine
      self.requiresPolicy = requiresPolicy
    }
  }

  /// An extension with existing sources.
  package struct SwiftExtension: Sendable, Equatable {
    /// Share or action.
    package var kind: Kind
    /// The name of the class that handles the extension's requests.
    package var principal: String
    /// The text of the Info.plist; nil to write an Info.plist that accepts text.
    package var infoPlist: String?
    /// The type of the items that the scenario shares with the extension. The extension's activation rule accepts it.
    package var type: String

    package init(kind: Kind, principal: String, infoPlist: String?, type: String) {
      self.kind = kind
      self.principal = principal
      self.infoPlist = infoPlist
      self.type = type
    }
  }

  /// Returns the folder of the sources, relative to the folder of the written files.
  package static func sources(of name: String) -> String { "\(name)/Sources/\(name)" }

  /// Creates the files around the sources of an app. The sources are at ``sources(of:)``.
  ///
  /// - Parameters:
  ///   - name: Letters, digits and `-`, beginning with a letter.
  ///   - infoPlist: The text of the Info.plist; nil to write one.
  package init(
    app name: String, bundle: String, infoPlist: String? = nil, from sources: SwiftSources
  ) {
    self.init(
      .app, around: sources, name: name,
      infoPlist: infoPlist ?? Self.infoPlist(program: name, name, bundle, keys: Self.swiftKeys),
      scenario: Self.swiftScenario(name, bundle, requiresPolicy: sources.requiresPolicy),
      tests: Self.appTests,
      entry: File(path: "AppDelegate.swift", text: Self.appDelegate))
  }

  /// Creates the files that complete the sources of an extension. The sources are at ``sources(of:)``.
  ///
  /// - Parameters:
  ///   - name: Letters, digits and `-`, beginning with a letter.
  ///   - bundle: The bundle id, which begins with the id of the extension's app.
  package init(
    extension name: String, bundle: String, _ details: SwiftExtension, from sources: SwiftSources
  ) {
    let written = Self.infoPlist(
      program: name, name, bundle, keys: Self.extensionKeys(details.kind, details.principal))
    self.init(
      details.kind, around: sources, name: name, infoPlist: details.infoPlist ?? written,
      scenario: Self.swiftScenario(name, bundle, details), tests: Self.tests(of: details),
      entry: File(
        path: "main.swift", text: "import UIKit\n\nUIExtensionMain(\(details.principal).self)\n"))
  }

  private init(
    _ kind: Kind, around sources: SwiftSources, name: String, infoPlist: String, scenario: String,
    tests: String, entry: File
  ) {
    let path = "\(name)/\(name).yaml"
    var files = [
      File(path: "\(name)/Package.swift", text: Self.package(name, sources)),
      File(path: "\(name)/\(Self.folder(kind, name: name))/Info.plist", text: infoPlist),
      File(path: path, text: scenario),
      File(
        path: "\(name)/Tests/PhoneTests/PhoneTests.swift",
        text: Self.phoneTests(name, sources, tests)),
    ]
    if !sources.hasEntry {
      files.append(File(path: "\(Self.sources(of: name))/\(entry.path)", text: entry.text))
    }
    self.init(files: files, scenario: path)
  }

  private static func package(_ name: String, _ sources: SwiftSources) -> String {
    """
    // swift-tools-version: 6.1
    import PackageDescription

    // Every file implicitly imports the parts of iOS's Foundation that are missing on Linux.
    let prelude = ["FoundationExtensions"].flatMap { ["-Xfrontend", "-import-module", "-Xfrontend", $0] }

    let package = Package(
      name: "\(name)",
      dependencies: [
        // IntuneMAMSwift, MSAL and UIKit on the simulated iPhone.
        .package(path: "\(sources.modules)"),
        // Apple's ManagedApp, and SluiceTesting.
        .package(name: "sluice", path: "\(sources.modules)/.."),
      ],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [
            .product(name: "IntuneMAMSwift", package: "ios-modules"),
            .product(name: "MSAL", package: "ios-modules"),
            .product(name: "UIKit", package: "ios-modules"),
            // Combine, and SwiftUI's `ObservableObject`.
            \(sources.usesCombine ? "" : "// ").product(name: "Combine", package: "ios-modules"),
            .product(name: "ManagedApp", package: "sluice"),
          ],
          swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(prelude)]),
        .testTarget(
          name: "PhoneTests",
          dependencies: ["\(name)", .product(name: "SluiceTesting", package: "sluice")]),
      ]
    )

    """
  }

  private static let swiftKeys = """
    \t<key>CFBundlePackageType</key>
    \t<string>APPL</string>
    \t<key>CFBundleShortVersionString</key>
    \t<string>1.0</string>
    \t<key>CFBundleVersion</key>
    \t<string>1</string>
    \t<key>IntuneMAMSettings</key>
    \t<dict>
    \t\t<key>MultiIdentity</key>
    \t\t<true/>
    \t</dict>

    """

  private static func swiftScenario(
    _ name: String, _ bundle: String, requiresPolicy: Bool
  ) -> String {
    // The first launch has no policy yet.
    let start =
      requiresPolicy ? "\n    # Instead of `MAMPolicyRequired`.\n    policyRequired: false" : ""
    return """
      \(world(name, managed: [bundle], as: .registered))
      apps:
        app:
          bundle: \(bundle)
          path: \(name).app
          executable: .build/debug/\(name)
          # Swift programs have worker threads.
          dispatch: true\(start)
        \(viewer(beside: [bundle]))

      cases:
        - name: the app starts, and a wipe removes the account
          steps:
            - launch: app
            - signIn: { app: app, account: anna }
              expect: { verdict: allowed, enrollment: newPoliciesReceived, state: enrolled }
            - wipe: { app: app, account: anna }

      """
  }

  private static func swiftScenario(
    _ name: String, _ bundle: String, _ details: SwiftExtension
  ) -> String {
    let containing = bundle.split(separator: ".").dropLast().joined(separator: ".")
    return """
      \(world(name, managed: ["com.contoso.mail"]))
      apps:
        mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
        \(viewer(beside: [containing, bundle]))
        host: { bundle: \(containing) }
        extension:
          bundle: \(bundle)
          path: \(folder(details.kind, name: name))
          executable: .build/debug/\(name)
          # Swift programs have worker threads.
          dispatch: true
          extension: \(details.kind.rawValue)
          containingApp: host

      cases:
        - name: the extension gets an item
          steps:
            - launch: viewer
            - \(share(from: "viewer", details))
              expect: { verdict: allowed, decidedBy: noRuleApplied }

        - name: org data does not reach the extension of an unmanaged app
          steps:
            - launch: mail
            - \(share(from: "mail", details))
              expect: { verdict: blocked, decidedBy: sendManagedAppsToUnmanaged }

      """
  }

  private static func share(from sender: String, _ details: SwiftExtension) -> String {
    "share: { from: \(sender), to: extension, text: hello, type: \(details.type) }"
  }

  private static func tests(of details: SwiftExtension) -> String {
    """
      @Test func `org data does not reach the extension`() async throws {
        let phone = try await Phone()
        _ = try await phone.launch("mail")
        let share = try await phone.step("\(share(from: "mail", details))")
        #expect(share.verdict == .blocked)
      }
    """
  }

  private static let appTests = """
      @Test func `an account is enrolled and wiped`() async throws {
        let phone = try await Phone()
        let app = try await phone.launch("app")
        try await phone.enroll("anna", in: app)
        try await app.received(.newPoliciesReceived, for: "anna")
        try await phone.wipe("anna", in: app)
        try await app.received(.wipeDidComplete, for: "anna")
      }

      @Test func `org data stays in managed apps`() async throws {
        let phone = try await Phone()
        let app = try await phone.launch("app")
        let viewer = try await phone.launch("viewer")
        try await phone.enroll("anna", in: app)
        let share = try await app.share("Quarterly figures", with: viewer, as: "anna")
        #expect(share.verdict == .blocked)
      }
    """

  private static func phoneTests(
    _ name: String, _ sources: SwiftSources, _ tests: String
  ) -> String {
    """
    import Foundation
    import SluiceTesting
    import Testing

    /// Each test has a fresh phone with the accounts, policies and apps of \(name).yaml.
    @Suite struct PhoneTests {
    \(tests)

      @Test func `the scenario passes`() throws {
        let sluice = Process()
        sluice.executableURL = URL(fileURLWithPath: "\(sources.sluice)")
        sluice.arguments = ["run", "\(name).yaml"]
        try sluice.run()
        sluice.waitUntilExit()
        #expect(sluice.terminationStatus == 0)
      }
    }

    """
  }

  private static let appDelegate = """
    import IntuneMAMSwift
    import UIKit

    /// The app's entry point. Set the delegates of the SDK here, before the app has launched.
    @main
    final class AppDelegate: UIResponder, UIApplicationDelegate {
      func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
      ) -> Bool {
        true
      }
    }

    """
}
