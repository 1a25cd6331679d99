internal import SwiftSyntax

/// A module that a source imports, and a remedy if the module is not available.
struct ImportedModule {
  let name: String

  /// Reads the module's name from an import. Returns nil if the import is inside `#if canImport(MODULE)`, because the
  /// compiler leaves the import out if the module does not exist.
  init?(_ node: ImportDeclSyntax) {
    guard let name = node.path.first?.name.text, !Self.isOptional(node, name) else { return nil }
    self.name = name
  }

  /// A message about the missing module, with a remedy; nil if the module exists.
  var advice: String? {
    guard !Self.available.contains(name) else { return nil }
    if let replacement = Self.replacements[name] {
      return "the module `\(name)` is not available: \(replacement)"
    }
    if Self.drawing.contains(name) {
      return
        "the module `\(name)` is not available, because Sluice does not draw: leave out this file"
    }
    return
      "the module `\(name)` is not available: add a package that contains it to Package.swift, "
      + "or leave out this file"
  }

  private static func isOptional(_ node: ImportDeclSyntax, _ name: String) -> Bool {
    sequence(first: Syntax(node), next: \.parent).contains { node in
      let condition = node.as(IfConfigClauseSyntax.self)?.condition?.trimmedDescription
      return condition?.contains("canImport(\(name))") ?? false
    }
  }

  /// The modules of `ios-modules` and `ManagedApp`, and the modules that come with Swift on Linux.
  static let available: Set<String> = [
    "Combine", "CoreServices", "FoundationExtensions", "IntuneMAMSwift", "MSAL", "ManagedApp",
    "MobileCoreServices", "OSLog", "Social", "SwiftUI", "UIKit", "UniformTypeIdentifiers",
    "UserNotifications", "os",
    "Dispatch", "Distributed", "Foundation", "FoundationEssentials",
    "FoundationInternationalization",
    "FoundationNetworking", "FoundationXML",
    "Glibc",
    "Observation", "RegexBuilder", "Swift", "Synchronization", "Testing", "XCTest", "_Concurrency",
  ]

  private static let replacements = [
    "CryptoKit": "add the package swift-crypto to Package.swift, and import `Crypto`",
    "Darwin": "import `Foundation` or `Glibc`",
    "IntuneMAM": "import `IntuneMAMSwift`, the SDK's current name",
    "ObjectiveC": "import `Foundation` instead; Linux has no Objective-C runtime",
    "IntuneMAMSwiftStub": "import `IntuneMAMSwift`, which includes it",
  ]

  /// The modules for user interfaces and graphics.
  private static let drawing: Set<String> = [
    "ARKit", "AVKit", "CoreGraphics", "MapKit", "Messages", "MessageUI", "Metal", "MetalKit",
    "PDFKit",
    "PhotosUI", "QuartzCore", "QuickLook", "SafariServices", "SceneKit", "SpriteKit", "StoreKit",
    "WebKit", "WidgetKit",
  ]
}
