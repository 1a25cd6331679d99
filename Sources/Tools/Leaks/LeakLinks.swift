import Model
import Policy

/// The URLs that can carry data to somebody on the device, and who opens them before any policy is asked.
struct LeakLinks: Sendable {
  /// Whoever is installed, in its order.
  let openers: [LeakWorld.Opener]
  let managedBrowser: Int?
  /// The first opener of each scheme that may be used, or else the first.
  private let byScheme: [String: Int]
  /// The openers that name each host, and those that name all hosts below some domain.
  private let byHost: [String: [Int]]
  private let wildcards: [Int]
  /// The indices of the openers in which a policy protects an account.
  private let protecting: Set<Int>
  private(set) var all: [Link] = []
  /// The links that lead to each app before any policy is asked, by the app's index in the world.
  private var byApp: [Int: [Link]] = [:]
  /// The apps to which policies lead URLs, by their indices in the world.
  private var named: Set<Int> = []

  /// A URL up to the place where data stand.
  struct Link: Sendable {
    var url: String
    var scheme: String
    /// The opener's index among the openers.
    var target: URLTarget<Int>
    /// Whether an app with the SDK registers the scheme's twin, and so gets the scheme's URLs.
    var hasManagedTwin: Bool
  }

  /// The URLs of a world: of each scheme that somebody registers, or that settings know, and links to each host that
  /// somebody claims, to those that policies name, and to one of which neither is true.
  init(_ world: LeakWorld) {
    openers = world.openers
    managedBrowser = openers.firstIndex { $0.bundleID.lowercased() == ManagedBrowser.bundleID }
    var byScheme: [String: Int] = [:]
    for (index, opener) in world.openers.enumerated() {
      for scheme in opener.schemes {
        guard let first = byScheme[scheme], !world.openers[first].isBanned || opener.isBanned else {
          byScheme[scheme] = index
          continue
        }
      }
    }
    self.byScheme = byScheme
    var byHost: [String: [Int]] = [:]
    for (index, opener) in world.openers.enumerated() {
      for domain in opener.domains.compactMap(\.associatedDomain) {
        byHost[domain, default: []].append(index)
      }
    }
    self.byHost = byHost
    // Openers may name apps that the world contains only after a sign-in.
    let managed = Set(world.apps.indices.filter { world.apps[$0].hasManagedPersona })
    protecting = Set(
      world.openers.indices.filter { world.openers[$0].app.map(managed.contains) ?? false })
    wildcards = Set(byHost.filter { $0.key.hasPrefix("*.") }.flatMap(\.value)).sorted()
    let schemes = Set(byScheme.keys).union(URLRules.schemesWithSettings)
      .subtracting(["http", "https"])
    let hosts = (claimedHosts + ["example.org"]).unique
    let links = hosts.flatMap { ["https://\($0)/", "http://\($0)/"] } + Self.links(named: world)
    let urls =
      schemes.sorted().map { $0 + ":" }
      + links.unique.map { $0 + ($0.contains("?") ? "&" : "?") + "q=" }
    all = urls.compactMap(link)
    for link in all {
      guard let app = link.target.app.flatMap({ openers[$0].app }) else { continue }
      byApp[app, default: []].append(link)
    }
    named = Set(
      (Self.schemes(named: world).map(app(opening:)) + [managedBrowser])
        .compactMap { $0.flatMap { openers[$0].app } })
  }

  /// The links that may come to an app, whoever opens them.
  func links(to app: Int) -> [Link] { named.contains(app) ? all : byApp[app] ?? [] }

  private func link(_ url: String) -> Link? {
    URLScheme.of(url).map { scheme in
      Link(
        url: url, scheme: scheme, target: target(of: url, scheme),
        hasManagedTwin: managedTwin(of: scheme) != nil)
    }
  }

  /// A host for each entry of associated domains: of `*.` and a domain, one that nobody claims by its name.
  private var claimedHosts: [String] {
    let domains = openers.flatMap(\.domains).compactMap(\.associatedDomain)
    return domains.compactMap { domain in
      guard domain.hasPrefix("*.") else { return domain }
      return (0...byHost.count).lazy.map { "a\($0)" + domain.dropFirst() }
        .first { byHost[$0] == nil }
    }
  }

  /// The schemes by which policies name apps.
  private static func schemes(named world: LeakWorld) -> Set<String> {
    Set(
      policies(of: world).flatMap { settings in
        ["http", "https"].compactMap(settings.browserScheme) + [
          settings.customDialerAppProtocol, settings.messagingRedirectAppUrlScheme,
        ]
      }.map { $0.lowercased() })
  }

  private static func policies(of world: LeakWorld) -> [Settings] {
    var seen: Set<ObjectIdentifier> = []
    return world.apps.flatMap(\.personas).compactMap(\.party.policy)
      .filter { seen.insert(ObjectIdentifier($0)).inserted }.map(\.settings)
  }

  /// A link for each pattern by which a policy lets links go elsewhere than to browsers.
  private static func links(named world: LeakWorld) -> [String] {
    policies(of: world).flatMap { $0.exemptedUniversalLinks + $0.managedUniversalLinks }
      .compactMap(\.samples.first)
  }
}

extension LeakLinks: URLOpeners {
  func app(claiming host: String, for service: String) -> Int? {
    ((byHost[host] ?? []) + wildcards).sorted()
      .first { openers[$0].domains.contains { $0.claims(host, for: service) } }
  }

  func app(opening scheme: String) -> Int? { byScheme[scheme] }

  func integratesSDK(_ app: Int) -> Bool { openers[app].integratesSDK }

  func protectsAccount(_ app: Int) -> Bool { protecting.contains(app) }
}

extension String {
  /// The domain of an entry of associated domains, in lower case; nil where it is no entry.
  fileprivate var associatedDomain: String? {
    split(separator: ":", maxSplits: 1).dropFirst().first?.prefix { $0 != "?" }.lowercased()
  }
}

extension LeakWorld.App {
  /// Whether a policy protects an account in the app.
  var hasManagedPersona: Bool { personas.contains(where: \.party.isManaged) }
}
