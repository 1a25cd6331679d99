public import AppConfiguration
internal import Policy
public import Transfer
public import Wire

/// App configurations: which account has what in which app, and telling the apps.
extension Device {
  /// Assigns app configurations to an account, in place of all that were assigned to it. Apps that run hear of what
  /// changes for them.
  public func assignConfigurations(
    _ assignments: [AppConfigurationAssignment], to account: Account
  ) {
    turn {
      configurations.assign(assignments, to: account)
      for guest in order { renewConfigurations(of: guest) }
      for run in extensionsRunning { renewConfigurations(of: run) }
    }
  }

  /// Runs of extensions, which are installed under other names.
  private var extensionsRunning: [Guest] {
    guests.values.filter { $0.work != nil }.sorted { $0.name < $1.name }
  }

  /// What of the configurations is probably not meant.
  public var configurationWarnings: [AppConfigurationWarning] {
    configurations.warnings(for: order.map { protectedBundle(of: $0.app) })
  }

  private func renewConfigurations(of guest: Guest) {
    let managed = configurations.managed(bundleID: protectedBundle(of: guest.app))
    guard managed == guest.app.managedConfiguration else {
      let before = guest.app.allowedAccounts
      guest.app.managedConfiguration = managed
      let keys = Set(managed.keys).union(guest.app.configuration.keys)
      return didConfigure(guest, keys: keys.sorted(), before: before)
    }
    for account in guest.accounts.map(\.account) { renewConfiguration(of: account, in: guest) }
  }

  // MARK: what an account has

  /// `account` with what it is configured with.
  func configured(_ account: Guest.SignedIn, _ guest: Guest) -> Guest.SignedIn {
    var account = account
    account.configuration = delivered(to: account, guest.app)
    return account
  }

  /// Nothing before the account is enrolled; what MDM says, to the enrolled user only.
  private func delivered(
    to account: Guest.SignedIn, _ app: AppDescription
  ) -> DeliveredConfiguration {
    guard account.policy != nil else { return DeliveredConfiguration() }
    let isEnrolledUser = app.namesEnrolledUser(account.account)
    let isMDMEnrolled = configuration.state.isMDMEnrolled
    let isManaged = isMDMEnrolled && app.isMDMManaged && isEnrolledUser
    return configurations.delivered(
      to: account.account,
      in: ConfiguredApp(
        bundleID: protectedBundle(of: app),
        state: ManagementState(isMDMEnrolled: isMDMEnrolled, hasEnrolledUPN: isEnrolledUser),
        isServed: app.state(for: account.account).has(.configurationThroughService),
        managed: isManaged ? app.allManagedConfiguration : nil))
  }

  /// Finds out anew what the account has in the app, and tells the app where that is something else.
  func renewConfiguration(of account: Account, in guest: Guest) {
    guard let index = guest.accounts.firstIndex(where: { $0.account.isSame(as: account) }) else {
      return
    }
    let now = configured(guest.accounts[index], guest)
    guard now.configuration != guest.accounts[index].configuration else { return }
    guest.accounts[index] = now
    note(now, in: guest)
    tellConfiguration(of: now, to: guest)
  }

  /// The account has another name, and the app is to know its configuration by that.
  func renameConfiguration(of account: Account, in guest: Guest) {
    guard let known = guest.accounts.first(where: { $0.account.isSame(as: account) }) else {
      return
    }
    renewConfigurations(of: guest)
    let now = guest.accounts.first { $0.account.isSame(as: account) }
    guard guest.isReady, let now, !now.configuration.isEmpty,
      now.configuration == known.configuration
    else { return }
    send(now, isChange: false, to: guest)
  }

  /// The account is about to be signed out.
  func takeConfiguration(of account: Account, from guest: Guest) {
    guest.outdatedConfigurations.removeAll { $0.isSame(as: account) }
    guard let index = guest.accounts.firstIndex(where: { $0.account.isSame(as: account) }),
      !guest.accounts[index].configuration.isEmpty
    else { return }
    guest.accounts[index].configuration = DeliveredConfiguration()
    note(guest.accounts[index], in: guest)
    tellConfiguration(of: guest.accounts[index], to: guest)
  }

  /// Keys only: values are private. What the plain configuration of an app says, `app.configured` tells.
  private func note(_ account: Guest.SignedIn, in guest: Guest) {
    guard !configurations.isEmpty else { return }
    let keys = account.configuration.keys
    record(
      .configurationDelivered(
        app: guest.app.bundleID, account: account.account.upn, keys: keys,
        conflicts: keys.filter(account.configuration.hasConflict)))
  }

  // MARK: telling apps

  /// What an app that has just come up is told with its welcome; the rest it is to be told after it.
  func welcomeConfigurations(_ guest: Guest) -> [ConfigurationNews] {
    guest.outdatedConfigurations = []
    var news: [ConfigurationNews] = []
    var size = 0
    for account in guest.accounts where !account.configuration.isEmpty {
      let next = self.news(of: account, isChange: false)
      size += next.dictionaries.count
      if size <= 1 << 20 {
        news.append(next)
      } else {
        guest.outdatedConfigurations.append(account.account)
      }
    }
    return news
  }

  private func tellConfiguration(of account: Guest.SignedIn, to guest: Guest) {
    guard guest.isWelcome, guest.isRunning else { return }
    guard guest.isReady, !isBehind(guest) else {
      // The latest is enough: however often it changes, one message waits.
      if !guest.outdatedConfigurations.contains(where: { $0.isSame(as: account.account) }) {
        guest.outdatedConfigurations.append(account.account)
      }
      return
    }
    send(account, isChange: true, to: guest)
  }

  /// What the guest could not take when it changed.
  func sendOutdatedConfigurations(to guest: Guest) {
    guard !guest.outdatedConfigurations.isEmpty, guest.isReady, !isBehind(guest) else { return }
    let outdated = guest.outdatedConfigurations
    guest.outdatedConfigurations = []
    for account in outdated {
      let signedIn = guest.accounts.first { $0.account.isSame(as: account) }
      send(signedIn ?? Guest.SignedIn(account: account), isChange: true, to: guest)
    }
  }

  private func isBehind(_ guest: Guest) -> Bool {
    (guest.connection?.backlog ?? 0) > configuration.limits.backlog
  }

  private func send(_ account: Guest.SignedIn, isChange: Bool, to guest: Guest) {
    send(HostMessage(.appConfiguration(news(of: account, isChange: isChange))), to: guest)
  }

  private func news(of account: Guest.SignedIn, isChange: Bool) -> ConfigurationNews {
    if lastConfiguration.json.isEmpty || lastConfiguration.delivered != account.configuration {
      lastConfiguration = (account.configuration, account.configuration.json)
    }
    return ConfigurationNews(
      account: account.account.upn, objectID: account.account.objectID ?? "",
      dictionaries: lastConfiguration.json, isChange: isChange)
  }

  // MARK: driving

  /// Has the ready-made guest `name` look up a key of its configuration.
  ///
  /// - Parameter done: gets the answer, or why there is none.
  public func look(
    up question: ConfigurationQuestion, on name: String,
    done: @escaping (Result<ConfigurationAnswer, HostError>) -> Void
  ) {
    perform(.look(question), on: name) { performance in
      guard performance.failure == nil, let answer = ConfigurationAnswer(json: performance.found)
      else {
        let why = performance.failure ?? "`\(name)` gave no answer"
        return done(.failure(HostError(.folder, why)))
      }
      done(.success(answer))
    }
  }
}

extension AppDescription {
  /// What MDM has configured the app with, by both ways.
  fileprivate var allManagedConfiguration: [String: ConfigurationValue] {
    managedConfiguration.merging(configuration.mapValues { .text($0) }) { $1 }
  }
}
