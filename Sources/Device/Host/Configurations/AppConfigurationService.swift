package import AppConfiguration
internal import GraphDocuments
package import Model
internal import Policy
internal import Wire

/// Assigns app configurations to accounts, and delivers them to apps.
package final class AppConfigurationService: HostService {
  /// Called when MDM has changed an app's configuration. `before` contains the accounts that the app allowed before the
  /// change; nil if it allowed all accounts.
  var didConfigure: (_ guest: Guest, _ keys: [String], _ before: AllowedAccounts?) -> Void = {
    _, _, _ in
  }
  /// Called when configurations have been assigned to an account. The assignment may enroll the account.
  var didAssign: (_ account: Account) -> Void = { _ in }
  /// Called when a changed configuration of an account switches the control of screen captures on or off.
  var didChangeFacts: (_ guest: Guest) -> Void = { _ in }
  /// The configurations with their target accounts and apps.
  private var book: ConfigurationBook
  /// The configuration most recently encoded as JSON, with the encoding. It is cached because many guests get the same
  /// configuration.
  private var last: (delivered: DeliveredConfiguration, json: [UInt8]) = (.init(), [])
  /// The limit on a guest's output queue, in bytes. If the queue is longer, the guest gets a changed configuration
  /// later.
  private let backlog: Int

  init(_ core: ServiceCore, _ configuration: DeviceConfiguration) {
    book = ConfigurationBook(
      configuration.appConfigurations, tokenValues: configuration.configurationTokens,
      intuneUser: configuration.intuneUser)
    // The directory may have renamed accounts before this start.
    for (stated, current) in zip(configuration.accounts, core.directory.accounts)
    where stated.upn != current.upn {
      book.rename(stated, to: current)
    }
    backlog = configuration.limits.backlog
    super.init(core)
  }

  /// Assigns app configurations to an account, replacing earlier ones. Affected running apps are notified.
  package func assign(
    _ assignments: [AppConfigurationAssignment], to account: Account
  ) {
    transaction {
      book.assign(assignments, to: account)
      renewConfigurations()
      didAssign(account)
    }
  }

  /// The running instances of extensions. `registry.installed` does not contain them.
  private var extensionsRunning: [Guest] {
    registry.all.filter { $0.work != nil }.sorted { $0.name < $1.name }
  }

  package var warnings: [AppConfigurationWarning] {
    let keys = registry.installed.map {
      ($0.app.protectedBundleID, Set($0.app.configuration.keys))
    }
    return book.warnings(for: keys.map(\.0), beside: Dictionary(keys) { $0.union($1) })
  }

  /// If Intune manages the device, changes the Intune user in the apps' configurations.
  func setIntuneUser(_ user: Account) {
    guard book.intuneUser != nil else { return }
    book.intuneUser = user
    renewConfigurations()
  }

  /// Delivers changed configurations to apps and running extensions.
  func renewConfigurations() {
    for guest in registry.installed { renewConfigurations(of: guest) }
    for instance in extensionsRunning { renewConfigurations(of: instance) }
  }

  private func renewConfigurations(of guest: Guest) {
    let managed = book.managed(bundleID: guest.app.protectedBundleID)
    guard managed == guest.app.managedConfiguration else {
      let before = policies.allowedAccounts(of: guest.app)
      guest.app.managedConfiguration = managed
      let keys = Set(managed.keys).union(guest.app.configuration.keys)
      return didConfigure(guest, keys.sorted(), before)
    }
    for account in guest.accounts.signedIn.map(\.account) {
      renewConfiguration(of: account, in: guest)
    }
  }

  // MARK: Configurations of accounts

  /// Returns the configuration that an app gets through MDM. It comes from the app configuration documents for managed
  /// devices.
  func managed(_ app: AppDescription) -> [String: ConfigurationValue] {
    book.managed(bundleID: app.protectedBundleID)
  }

  func rename(_ account: Account, to new: Account) { book.rename(account, to: new) }

  func configured(_ account: SignedInAccount, _ guest: Guest) -> SignedInAccount {
    var account = account
    account.configuration = delivered(to: account, guest)
    return account
  }

  /// Returns the names of the configurations that target the account in the app, one per line; nil if there are none,
  /// or the app does not integrate the SDK. Targeted configurations enroll the account, with or without a policy.
  func revision(for account: Account, in app: AppDescription) -> String? {
    guard app.integratesSDK else { return nil }
    let names = book.targeted(at: account, in: configuredApp(app, account))
    return names.isEmpty ? nil : names.joined(separator: "\n")
  }

  /// Returns whether the account is enrolled in the guest's app, through a policy or a targeted configuration.
  func isEnrolled(_ account: SignedInAccount, in guest: Guest) -> Bool {
    account.policy != nil
      || registry.isTargeted(account.account, in: guest)
        && revision(for: account.account, in: guest.app) != nil
  }

  /// Returns an account's configuration, which is empty until the account is enrolled. If the account is the app's
  /// enrolled MDM user, the configuration also contains the values that MDM delivers to the app.
  private func delivered(to account: SignedInAccount, _ guest: Guest) -> DeliveredConfiguration {
    guard isEnrolled(account, in: guest) else { return DeliveredConfiguration() }
    return book.delivered(
      to: account.account, in: configuredApp(guest.app, account.account))
  }

  private func configuredApp(_ app: AppDescription, _ account: Account) -> ConfiguredApp {
    let isEnrolledUser = app.namesEnrolledUser(account)
    let isMDMEnrolled = policies.deviceState.isMDMEnrolled
    let isManaged = isMDMEnrolled && app.isMDMManaged && isEnrolledUser
    return ConfiguredApp(
      bundleID: app.protectedBundleID,
      state: ManagementState(isMDMEnrolled: isMDMEnrolled, hasEnrolledUPN: isEnrolledUser),
      isServed: app.state(for: account).has(.configurationThroughService),
      managed: isManaged ? app.allManagedConfiguration : nil)
  }

  /// Updates the account's configuration in the app, and notifies the app of a change.
  func renewConfiguration(of account: Account, in guest: Guest) {
    guard
      let index = guest.accounts.signedIn.firstIndex(where: { $0.account.isSameUser(as: account) })
    else {
      return
    }
    let now = configured(guest.accounts.signedIn[index], guest)
    guard now.configuration != guest.accounts.signedIn[index].configuration else { return }
    let before = guest.disablesScreenCaptureControl(for: guest.accounts.signedIn[index])
    guest.accounts.signedIn[index] = now
    if guest.disablesScreenCaptureControl(for: now) != before { didChangeFacts(guest) }
    record(now, in: guest)
    tellConfiguration(of: now, to: guest)
  }

  /// Sends the app the configuration of a renamed account again, under the account's new name.
  func renameConfiguration(of account: Account, in guest: Guest) {
    guard let known = guest.accounts.signedIn.first(where: { $0.account.isSameUser(as: account) })
    else {
      return
    }
    renewConfigurations(of: guest)
    let now = guest.accounts.signedIn.first { $0.account.isSameUser(as: account) }
    guard guest.isReady, let now, !now.configuration.isEmpty,
      now.configuration == known.configuration
    else { return }
    send(now, isChange: false, to: guest)
  }

  /// Removes an account's configuration from the app before the account is signed out, and notifies the app.
  func takeConfiguration(of account: Account, from guest: Guest) {
    guest.accounts.outdatedConfigurations.removeAll { $0.isSameUser(as: account) }
    guard
      let index = guest.accounts.signedIn.firstIndex(where: { $0.account.isSameUser(as: account) }),
      !guest.accounts.signedIn[index].configuration.isEmpty
    else { return }
    guest.accounts.signedIn[index].configuration = DeliveredConfiguration()
    record(guest.accounts.signedIn[index], in: guest)
    tellConfiguration(of: guest.accounts.signedIn[index], to: guest)
  }

  /// Records that an account's configuration in the app has changed. Only the keys are recorded, because the values are
  /// private. Changes of the configuration that the app gets through MDM are recorded as `app.configured`.
  private func record(_ account: SignedInAccount, in guest: Guest) {
    guard !book.isEmpty else { return }
    let keys = account.configuration.keys
    audit.record(
      .configurationDelivered(
        app: guest.app.bundleID, account: account.account.upn, keys: keys,
        conflicts: keys.filter(account.configuration.hasConflict)))
  }

  // MARK: Delivery

  /// Returns the configurations for a guest's welcome message, up to 1 MiB in total. Any others are sent afterwards.
  func welcomeConfigurations(_ guest: Guest) -> [ConfigurationNews] {
    guest.accounts.outdatedConfigurations = []
    var news: [ConfigurationNews] = []
    var size = 0
    for account in guest.accounts.signedIn where !account.configuration.isEmpty {
      let next = self.news(of: account, isChange: false)
      size += next.dictionaries.count
      if size <= 1 << 20 {
        news.append(next)
      } else {
        guest.accounts.outdatedConfigurations.append(account.account)
      }
    }
    return news
  }

  private func tellConfiguration(of account: SignedInAccount, to guest: Guest) {
    guard guest.process.isWelcome, guest.isRunning else { return }
    guard guest.isReady, !isBehind(guest) else {
      // Only the latest configuration matters, so at most one message per account is queued.
      if !guest.accounts.outdatedConfigurations.contains(where: {
        $0.isSameUser(as: account.account)
      }) {
        guest.accounts.outdatedConfigurations.append(account.account)
      }
      return
    }
    send(account, isChange: true, to: guest)
  }

  /// Sends the configurations that changed while the guest could not receive them.
  func sendOutdatedConfigurations(to guest: Guest) {
    guard !guest.accounts.outdatedConfigurations.isEmpty, guest.isReady, !isBehind(guest) else {
      return
    }
    let outdated = guest.accounts.outdatedConfigurations
    guest.accounts.outdatedConfigurations = []
    for account in outdated {
      let signedIn = guest.accounts.signedIn.first { $0.account.isSameUser(as: account) }
      send(signedIn ?? SignedInAccount(account: account), isChange: true, to: guest)
    }
  }

  private func isBehind(_ guest: Guest) -> Bool {
    (guest.connection?.backlog ?? 0) > backlog
  }

  private func send(_ account: SignedInAccount, isChange: Bool, to guest: Guest) {
    transaction.send(
      HostMessage(.appConfiguration(news(of: account, isChange: isChange))), to: guest)
  }

  private func news(of account: SignedInAccount, isChange: Bool) -> ConfigurationNews {
    if last.json.isEmpty || last.delivered != account.configuration {
      last = (account.configuration, account.configuration.json)
    }
    return ConfigurationNews(
      account: account.account.upn, objectID: account.account.objectID ?? "",
      dictionaries: last.json, isChange: isChange)
  }
}

extension AppDescription {
  /// The configuration that MDM assigned to the app: ``configuration`` and ``managedConfiguration``. Values in
  /// ``configuration`` take precedence.
  fileprivate var allManagedConfiguration: [String: ConfigurationValue] {
    managedConfiguration.merging(configuration.mapValues { .text($0) }) { $1 }
  }
}
