internal import Encodings

/// The files around an app in Swift whose sources there are already: a package that builds it against the modules of
/// `ios-modules`, a scenario that runs it, and a test that runs the scenario.
extension Scaffold {
  /// What a package is put around.
  public struct SwiftSources: Sendable, Equatable {
    /// The folder of `ios-modules`.
    public var modules: String
    /// The path of `sluice`, by which the test runs the scenario.
    public var sluice: String
    /// Whether the sources say where the program begins: `@main`, or a `main.swift`.
    public var hasEntry: Bool

    /// Sources, and what they are built with.
    public init(modules: String, sluice: String, hasEntry: Bool) {
      self.modules = modules
      self.sluice = sluice
      self.hasEntry = hasEntry
    }
  }

  /// The folder of an app's sources, from the folder that the files are written to.
  public static func sources(of name: String) -> String { "\(name)/Sources/\(name)" }

  /// Makes what is around the sources of an app; they are at ``sources(of:)``.
  ///
  /// - Parameter name: letters, digits and `-`, a letter first.
  public init(app name: String, bundle: String, from sources: SwiftSources) {
    let scenario = "\(name)/\(name).yaml"
    var files = [
      File(path: "\(name)/Package.swift", text: Self.package(name, sources)),
      File(path: "\(name)/\(name).app/Info.plist", text: Self.swiftInfoPlist(name, bundle)),
      File(path: scenario, text: Self.swiftScenario(name, bundle)),
      File(
        path: "\(name)/Tests/ScenarioTests/ScenarioTests.swift",
        text: Self.scenarioTest(name, sources)),
    ]
    if !sources.hasEntry {
      files.append(
        File(path: "\(Self.sources(of: name))/AppDelegate.swift", text: Self.appDelegate))
    }
    self.init(files: files, scenario: scenario)
  }

  private static func package(_ name: String, _ sources: SwiftSources) -> String {
    """
    // swift-tools-version: 6.1
    import PackageDescription

    // What comes with Foundation on iOS and is missing on Linux is imported by every file.
    let prelude = ["FoundationExtensions"].flatMap { ["-Xfrontend", "-import-module", "-Xfrontend", $0] }

    let package = Package(
      name: "\(name)",
      dependencies: [
        // IntuneMAMSwift, MSAL and UIKit on the simulated iPhone.
        .package(path: "\(sources.modules)")
      ],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [
            .product(name: "IntuneMAMSwift", package: "ios-modules"),
            .product(name: "MSAL", package: "ios-modules"),
            .product(name: "UIKit", package: "ios-modules"),
          ],
          swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(prelude)]),
        .testTarget(name: "ScenarioTests", dependencies: ["\(name)"]),
      ]
    )

    """
  }

  private static func swiftInfoPlist(_ name: String, _ bundle: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>CFBundleExecutable</key>
    \t<string>\(name)</string>
    \t<key>CFBundleIdentifier</key>
    \t<string>\(bundle.escaped(in: .xmlText))</string>
    \t<key>CFBundleName</key>
    \t<string>\(name)</string>
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
    </dict>
    </plist>

    """
  }

  private static func swiftScenario(_ name: String, _ bundle: String) -> String {
    """
    \(world(name, managed: [bundle], as: .registered))
    apps:
      app:
        path: \(name).app
        executable: .build/debug/\(name)
        # A program of Swift has worker threads.
        dispatch: true

    cases:
      - name: the app comes up, and the account is wiped from it
        steps:
          - launch: app
          - signIn: { app: app, account: anna }
            expect: { verdict: allowed, enrollment: newPoliciesReceived, state: enrolled }
          - wipe: { app: app, account: anna }

    """
  }

  private static func scenarioTest(_ name: String, _ sources: SwiftSources) -> String {
    """
    import Foundation
    import Testing

    @Suite struct ScenarioTests {
      @Test func `the scenario holds`() throws {
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

    /// Where the app begins: set the delegates of the SDK here, before the app has launched.
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
