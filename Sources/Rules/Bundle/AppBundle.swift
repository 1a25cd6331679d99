internal import Diagnostics
internal import UniformTypes

/// An app or extension as a bundle states it: `Info.plist` and entitlements.
public struct AppBundle: Sendable {
  public var info: InfoPlist
  public var entitlements: Entitlements
  public var kind: Kind
  /// The extensions of an app that can be launched, in the order of their folders' names.
  package var plugIns: [AppBundle] = []
  /// The findings about an app's other `PlugIns`: other extension points, and bundles that cannot be read.
  package var problems: [BundleFinding] = []
  /// The files that the bundle was read from.
  package var source: Source

  /// An app, or a kind of extension.
  public enum Kind: Sendable, Equatable, CaseIterable {
    case app
    case shareExtension
    /// An action with user interface.
    case actionExtension
    case actionWithoutInterface
    case notificationService
    case keyboard
    case safariWebExtension
    case fileProvider
    case packetTunnel
    case singleSignOn
  }

  /// The files of a bundle.
  package struct Source: Sendable {
    /// The folder, or the property list, as the user named it.
    package var path: String
    package var list: PropertyList
    /// The list of entitlements; nil where there is no such file.
    package var entitlements: PropertyList?
    /// The findings of reading the lists.
    package var findings: [BundleFinding]
    package var settings: BuildSettings
    /// Whether the bundle is a folder, so that the files around it are known.
    package var isFolder: Bool
    /// Whether several files in the folder may be the entitlements, so that none is taken.
    var hasCandidates = false

    /// Whether the bundle is a product of Xcode, or stands for one: a folder with a product's name, and no build
    /// settings given that complete it.
    var isBuilt: Bool {
      isFolder && [".app", ".appex"].contains { path.hasSuffix($0) }
        && settings["GENERATE_INFOPLIST_FILE"] != "YES"
    }
  }
}

extension AppBundle {
  /// The maximum number of types that a list declares, and names as what they conform to: the conformance of all of
  /// them to each other is held in memory. No real list comes near.
  static let maximumTypes = 4_000

  /// Creates a bundle from its lists.
  ///
  /// - Parameter entitlements: The list of entitlements; nil where there is no such file.
  /// - Throws: ``BundleError`` for an extension point that Sluice does not launch, for a folder that has the name
  ///   of an extension's and states none, and for a list with too many types.
  package init(
    _ list: PropertyList, entitlements granted: PropertyList?, settings: BuildSettings,
    path: String, isFolder: Bool = false
  ) throws(BundleError) {
    let (info, findings) = InfoPlistReader.read(list, settings: settings)
    guard info.declaredTypes.reduce(0, { $0 + 1 + $1.conformsTo.count }) <= Self.maximumTypes else {
      throw BundleError(
        file: list.file,
        message: "the list declares and names more than \(Self.maximumTypes) types")
    }
    var own = settings
    if own["PRODUCT_BUNDLE_IDENTIFIER"] == nil {
      own["PRODUCT_BUNDLE_IDENTIFIER"] = info.identifier
    }
    let rights = granted.map { Entitlements.read($0, settings: own) }
    self.info = info
    entitlements = rights?.entitlements ?? Entitlements()
    kind = try Kind(of: info, list: list, path: path)
    source = Source(
      path: path, list: list, entitlements: granted,
      findings: list.findings + findings + (granted?.findings ?? []) + (rights?.findings ?? []),
      settings: settings, isFolder: isFolder)
  }

  /// The team that signs the bundle; nil where neither entitlements nor settings tell.
  package var team: String? { entitlements.team ?? source.settings["DEVELOPMENT_TEAM"] }

  package var isExtension: Bool { kind != .app }

  /// The faults of the activation rules of the bundle and of the extensions inside of it, so that none can be asked.
  package var invalidRules: [BundleFinding] {
    ([self] + plugIns).compactMap(\.info.appExtension?.invalidRule)
  }
}
