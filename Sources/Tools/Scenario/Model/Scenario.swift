public import JSON

/// A scenario file: a device with its accounts, policies and apps, or several devices of one organisation, and the cases to
/// run on them.
///
/// Every case runs on fresh devices of its own.
public struct Scenario: Sendable, Equatable {
  /// The file as the user named it.
  public var file: String
  /// The name of the suite in reports.
  public var name: String
  public var device: DeviceSpecification
  /// The accounts in the file's order; all lists here are in that order.
  public var accounts: [AccountSpecification]
  public var policies: [PolicySpecification]
  public var conditionalAccess: [ConditionalAccessSpecification] = []
  public var configurations: [ConfigurationSpecification] = []
  public var servers: [ServerSpecification] = []
  public var apps: [AppSpecification]
  /// The scenario as each of several devices sees it, with its own ``device`` and ``apps`` and without cases; empty: there is
  /// one device, which ``device`` is.
  public var devices: [Scenario] = []
  /// What all ways between ``devices`` have in common.
  public var links = LinkSpecification()
  /// The cases, at least one.
  public var cases: [Case]
  /// The positions at which the file states the paths of other files, by path as written.
  public var filePositions: [String: Position] = [:]

  /// Creates a scenario.
  public init(
    file: String, name: String, device: DeviceSpecification = DeviceSpecification(),
    accounts: [AccountSpecification] = [], policies: [PolicySpecification] = [],
    apps: [AppSpecification] = [], cases: [Case]
  ) {
    self.file = file
    self.name = name
    self.device = device
    self.accounts = accounts
    self.policies = policies
    self.apps = apps
    self.cases = cases
  }

  /// The most values, in lists and mappings, that a scenario's text may have.
  package static let mostValues = 1_000_000

  /// The account of that name; nil where the file has none.
  public func account(named name: String) -> AccountSpecification? {
    accounts.first { $0.name == name }
  }

  /// The guest of that name, or all guests that run the app of that name.
  public func guests(named name: String) -> [String] {
    apps.first { $0.name == name }?.guests ?? [name]
  }

  /// The app that a guest of that name runs; nil where no app has such a guest.
  public func app(ofGuest guest: String) -> AppSpecification? {
    apps.first { $0.hasGuest(guest) }
  }
}
