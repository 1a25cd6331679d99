internal import Model
internal import Policy
internal import Wire

/// A simple model of the device, with signed-in accounts, identities of windows, and owners of files.
struct WalkModel {
  let rules: WalkRules
  private var apps: [WalkAppState]
  private var pasteboard: WalkClip?
  var files: [WalkPlace: WalkFile] = [:]
  private var secrets: [WalkSecret: (value: [UInt8], owner: WalkAccount?)] = [:]
  /// The items that wait for suspended apps, in order of delivery.
  private(set) var waiting: [WalkArrival] = []
  /// The texts that only the organisation's account has ever written.
  private(set) var work: Set<WalkText> = []
  private var lastText = 0

  init(_ rules: WalkRules) {
    self.rules = rules
    apps = WalkApp.allCases.map(WalkAppState.init)
  }

  subscript(_ app: WalkApp) -> WalkAppState {
    get { apps[app.rawValue] }
    set { apps[app.rawValue] = newValue }
  }

  /// Returns a new text.
  ///
  /// - Parameter isWork: Whether the organisation's account writes it.
  private mutating func newText(isWork: Bool) -> WalkText {
    lastText += 1
    let text = WalkText(number: lastText)
    if isWork { work.insert(text) }
    return text
  }

  var newest: WalkText { WalkText(number: lastText) }

  // MARK: Steps

  /// Updates the model for a step, and returns the outcome that the device must have. ``allows(_:)`` must be true for
  /// the step.
  mutating func apply(_ step: WalkStep) -> WalkForecast {
    switch step {
    case .launch(let app): start(app)
    case .suspend(let app): self[app].isSuspended = true
    case .resume(let app): return resume(app)
    case .kill(let app): exit(app)
    case .relaunch(let app):
      exit(app)
      start(app)
    case .signIn(let app, let account):
      self[app].signIn(account)
      return WalkForecast(.allowed)
    case .signOut(let app, let account): return part(account, from: app, .allowed)
    case .wipe(let app, let account, let answer):
      if self[app].isReady, answer == .crash { exit(app) }
      return part(account, from: app, .none)
    case .answerSwitches(let answer): self[.notes].acceptsSwitches = answer == .success
    case .switchIdentity(let identity, let level): return switchIdentity(identity, level)
    case .share(let share): return self.share(share)
    case .fault(let fault, let share): return self.share(share, under: fault)
    case .copy(let app, let task, let content): return copy(content, app, task)
    case .paste(let app, let task): return paste(app, task)
    case .importItem(let step): return importItem(step)
    case .file(let app, let task, let work): return file(work, app, task)
    case .secret(let app, let task, let secret, let work): return store(secret, work, app, task)
    case .captureScreen(let app, let task):
      let isManaged = self[app].isManaged(self[app].identity(of: task))
      var forecast = WalkForecast(isManaged ? rules.screenCapture : .allowed)
      forecast.isPersonal = !isManaged
      return forecast
    }
    return WalkForecast()
  }

  // MARK: Lifecycle

  private mutating func start(_ app: WalkApp) { self[app].isRunning = true }

  private mutating func exit(_ app: WalkApp) {
    self[app].exit()
    waiting.removeAll { $0.app == app }
  }

  private mutating func resume(_ app: WalkApp) -> WalkForecast {
    self[app].isSuspended = false
    var forecast = WalkForecast()
    for arrival in waiting where arrival.app == app { arrive(arrival, in: &forecast) }
    waiting.removeAll { $0.app == app }
    return forecast
  }

  private mutating func switchIdentity(
    _ identity: WalkIdentity, _ level: WalkStep.SwitchLevel
  ) -> WalkForecast {
    guard identity.account.map(self[.notes].accounts.contains) ?? true else {
      return WalkForecast(.refused)
    }
    self[.notes].act(for: identity, level)
    return WalkForecast(.allowed)
  }

  /// Removes an account from an app, with all its data in the app.
  private mutating func part(
    _ account: WalkAccount, from app: WalkApp, _ answer: WalkAnswer
  ) -> WalkForecast {
    let before = self[app].front
    self[app].signOut(account)
    if self[app].front.account != before.account { waiting.removeAll { $0.app == app } }
    files = files.filter { place, file in
      file.owner != account || place.app.map { $0 != app } ?? false
    }
    let isShared = WalkApp.allCases.contains {
      $0 != app && $0.usesSDK && self[$0].accounts.contains(account)
    }
    secrets = secrets.filter { secret, value in
      value.owner != account || (secret.app.map { $0 != app } ?? isShared)
    }
    if let clip = pasteboard, clip.content.owner == account, clip.app == app { pasteboard = nil }
    var forecast = WalkForecast(answer)
    forecast.parted = (account, app)
    return forecast
  }

  // MARK: Deliveries

  /// Delivers an item immediately, or when the suspended app is resumed.
  private mutating func deliver(_ arrival: WalkArrival, in forecast: inout WalkForecast) {
    if self[arrival.app].isSuspended {
      waiting.append(arrival)
      forecast.isWaiting = true
    } else {
      start(arrival.app)
      arrive(arrival, in: &forecast)
    }
  }

  private mutating func arrive(_ arrival: WalkArrival, in forecast: inout WalkForecast) {
    forecast.arrivals.append(arrival)
    guard let content = arrival.content else { return }
    // The tag is invalid if its account has since been removed from the sending app.
    let isKnown = !content.isWork || self[arrival.from].accounts.contains(.work)
    self[arrival.app].received =
      isKnown ? WalkAppState.Received(content: content, from: arrival.from) : nil
  }
}

/// The content of the pasteboard.
private struct WalkClip {
  var content: WalkContent
  var app: WalkApp
  var identity: WalkIdentity
  /// Whether the organisation's account copied the content.
  var byWork: Bool
}

// MARK: Possible steps

extension WalkModel {
  /// Returns whether a step is possible in the current state. The check is needed because shrinking
  /// a walk can remove steps on which later steps depend.
  func allows(_ step: WalkStep) -> Bool {
    switch step {
    case .launch(let app): !self[app].isRunning
    case .suspend(let app): self[app].isReady
    case .resume(let app): self[app].isSuspended
    case .kill(let app), .relaunch(let app): self[app].isRunning
    case .signIn(let app, let account):
      app.usesSDK && self[app].isReady && !self[app].accounts.contains(account)
    case .signOut(let app, let account):
      self[app].isReady && self[app].accounts.contains(account)
    case .wipe(let app, let account, let answer):
      self[app].accounts.contains(account) && (self[app].isReady || answer == .failed)
    case .answerSwitches(let answer):
      self[.notes].isReady && self[.notes].acceptsSwitches != (answer == .success)
    case .switchIdentity: self[.notes].isReady
    case .share(let share): allows(share)
    // If a delivery waits for a suspended app, it does not reach the fault point within the step.
    case .fault(_, let share): allows(share) && !self[share.to].isSuspended
    case .copy(let app, let task, let content):
      allows(task, app) && allows(content, app, task)
    case .paste(let app, let task), .captureScreen(let app, let task),
      .secret(let app, let task, _, _):
      allows(task, app)
    case .importItem(let step):
      step.into != step.from && allows(step.task, step.into) && self[step.from].isReady
    case .file(let app, let task, let work): allows(work, app, task)
    }
  }

  private func allows(_ share: WalkStep.Share) -> Bool {
    share.from != share.to && allows(share.task, share.from)
      && allows(share.content, share.from, share.task) && !asksSuspended(share)
  }

  /// Returns whether an app can run a task. A task for the organisation's account requires this account to be signed
  /// in, because the task would otherwise test nothing: no policy would protect the account.
  private func allows(_ task: WalkTask, _ app: WalkApp) -> Bool {
    guard self[app].isReady, task == WalkTask() || app.isMultiIdentity else { return false }
    return task.thread != .account(.work) || self[app].accounts.contains(.work)
  }

  private func allows(
    _ content: WalkStep.Content, _ app: WalkApp, _ task: WalkTask
  ) -> Bool {
    guard content == .received else { return true }
    guard let received = self[app].received else { return false }
    return received.content.isWork || !self[app].isManaged(self[app].identity(of: task))
  }

  private func allows(
    _ work: WalkStep.FileWork, _ app: WalkApp, _ task: WalkTask
  ) -> Bool {
    guard self[app].isReady, work.place.app ?? app == app, task.window == nil,
      task == WalkTask() || app.isMultiIdentity
    else { return false }
    switch work.kind {
    case .write, .append, .read, .remove: return true
    case .protect: return app.usesSDK
    case .move(let target): return target != work.place && target.app ?? app == app
    }
  }

  // MARK: Sharing

  private mutating func share(_ share: WalkStep.Share) -> WalkForecast {
    let sender = self[share.from].identity(of: share.task)
    guard let content = outgoing(share.content, share.from, sender) else {
      return WalkForecast(.refused)
    }
    return hand(
      content, from: share.from, byWork: self[share.from].isManaged(sender), to: share.to,
      as: self[share.to].front, share)
  }

  private mutating func hand(
    _ content: WalkContent, from: WalkApp, byWork: Bool, to: WalkApp, as receiver: WalkIdentity,
    _ share: WalkStep.Share
  ) -> WalkForecast {
    var toWork = self[to].isManaged(receiver)
    var forecast = WalkForecast(.allowed)
    if content.isWork || byWork {
      forecast.answer = hands(content, of: from, toWork: toWork, via: share.via)
    } else if !toWork {
      forecast.isPersonal = true
    } else if !rules.receivesPersonal {
      guard canSwitch(to) else { return WalkForecast(.refused) }
      self[to].actForUnknown()
      toWork = false
    }
    guard forecast.answer != .refused else { return forecast }
    let isReadable = forecast.answer == .allowed
    deliver(
      WalkArrival(app: to, from: from, content: isReadable ? content : nil, toWork: toWork),
      in: &forecast)
    return forecast
  }

  /// Returns the device's expected answer if `app` shares data of the organisation.
  private func hands(
    _ content: WalkContent, of app: WalkApp, toWork: Bool, via: SharingPath
  ) -> WalkAnswer {
    isKept(content, by: app) ? rules.work(toWork: toWork, via: via) : .refused
  }

  /// Returns whether the app still has the content. The removal of an account from the app also removes the account's
  /// content.
  private func isKept(_ content: WalkContent, by app: WalkApp) -> Bool {
    !content.isWork || self[app].accounts.contains(.work)
  }

  /// Returns whether the app agrees to accept items for an unmanaged account if its managed account must not receive
  /// them. This requires a signed-in unmanaged account.
  private func canSwitch(_ app: WalkApp) -> Bool {
    app.isMultiIdentity && self[app].acceptsSwitches && self[app].accounts.contains(.personal)
  }

  /// Returns whether the device would ask a suspended receiver to switch its identity. The share would then wait for
  /// the receiver's answer.
  private func asksSuspended(_ share: WalkStep.Share) -> Bool {
    let sender = self[share.from].identity(of: share.task)
    let isWork =
      self[share.from].isManaged(sender)
      || share.content == .received && self[share.from].received?.content.isWork ?? false
    return self[share.to].isSuspended && share.to.isMultiIdentity && !isWork
      && self[share.to].accounts.contains(.personal)
      && self[share.to].isManaged(self[share.to].front)
  }

  /// Returns the content that an app shares; nil if its tag is forged.
  private mutating func outgoing(
    _ content: WalkStep.Content, _ app: WalkApp, _ identity: WalkIdentity
  ) -> WalkContent? {
    switch content {
    case .forged:
      _ = newText(isWork: self[app].isManaged(identity))
      return nil
    case .received: return self[app].received?.content
    case .own: return ownContent(of: app, identity)
    }
  }

  private mutating func ownContent(of app: WalkApp, _ identity: WalkIdentity) -> WalkContent {
    let isWork = self[app].isManaged(identity)
    let text = newText(isWork: isWork)
    return WalkContent(
      text: text, bytes: text.bytes(.short), owner: identity.account, isWork: isWork)
  }

  private mutating func importItem(_ step: WalkStep.Import) -> WalkForecast {
    let provider = self[step.from].front
    let content = ownContent(of: step.from, provider)
    let reader = self[step.into].identity(of: step.task)
    let toWork = self[step.into].isManaged(reader)
    var forecast = WalkForecast(.allowed)
    if content.isWork {
      forecast.answer = hands(content, of: step.from, toWork: toWork, via: step.via)
    } else if toWork {
      forecast.answer = rules.receivesPersonal ? .allowed : .refused
    } else {
      forecast.isPersonal = true
    }
    guard forecast.answer != .refused else { return forecast }
    let isReadable = forecast.answer == .allowed
    arrive(
      WalkArrival(
        app: step.into, from: step.from, content: isReadable ? content : nil, toWork: toWork),
      in: &forecast)
    return forecast
  }

  // MARK: Pasteboard

  private mutating func copy(
    _ content: WalkStep.Content, _ app: WalkApp, _ task: WalkTask
  ) -> WalkForecast {
    let identity = self[app].identity(of: task)
    guard let content = outgoing(content, app, identity), isKept(content, by: app) else {
      return WalkForecast(.refused)
    }
    pasteboard = WalkClip(
      content: content, app: app, identity: identity, byWork: self[app].isManaged(identity))
    var forecast = WalkForecast(.allowed)
    forecast.isPersonal = !content.isWork
    return forecast
  }

  private mutating func paste(_ app: WalkApp, _ task: WalkTask) -> WalkForecast {
    guard let clip = pasteboard else { return WalkForecast(.refused) }
    let reader = self[app].identity(of: task)
    let toWork = self[app].isManaged(reader)
    var forecast = WalkForecast(answer(toPasting: clip, into: app, reader))
    forecast.isPersonal = !clip.content.isWork && !clip.byWork && !toWork
    guard forecast.answer == .allowed else { return forecast }
    arrive(
      WalkArrival(app: app, from: clip.app, content: clip.content, toWork: toWork), in: &forecast)
    return forecast
  }

  private func answer(
    toPasting clip: WalkClip, into app: WalkApp, _ reader: WalkIdentity
  ) -> WalkAnswer {
    let toWork = self[app].isManaged(reader)
    let isWork = clip.content.isWork || clip.byWork
    guard isWork || toWork else { return .allowed }
    if isWork, !toWork { return .refused }
    let stays = clip.app == app && clip.identity.account == reader.account
    return stays ? .allowed : rules.paste(ofWork: isWork)
  }

  // MARK: Keychain

  private mutating func store(
    _ secret: WalkSecret, _ work: WalkStep.SecretWork, _ app: WalkApp, _ task: WalkTask
  ) -> WalkForecast {
    guard secret.app == app || secret.app == nil && app.usesSDK else {
      return WalkForecast(.refused)
    }
    switch work {
    case .add:
      let value = newText(isWork: false).bytes(.short)
      guard secrets[secret] == nil else { return WalkForecast(.failed) }
      // An account that is not signed in owns nothing.
      let owner = self[app].identity(of: task).account
      secrets[secret] = (value, owner.flatMap { self[app].accounts.contains($0) ? $0 : nil })
    case .query:
      guard let value = secrets[secret]?.value else { return WalkForecast(.failed) }
      var forecast = WalkForecast(.allowed)
      forecast.found = (value, true)
      return forecast
    case .delete:
      guard secrets.removeValue(forKey: secret) != nil else { return WalkForecast(.failed) }
    }
    return WalkForecast(.allowed)
  }
}

// MARK: - Files

struct WalkFile {
  var owner: WalkAccount?
  var bytes: [UInt8]
  var texts: Set<WalkText>
}

extension WalkModel {
  private mutating func file(
    _ work: WalkStep.FileWork, _ app: WalkApp, _ task: WalkTask
  ) -> WalkForecast {
    switch work.kind {
    case .write(let length): return write(work.place, length, app, task)
    case .append(let length): return append(work.place, length, app, task)
    case .read: return read(work.place, app, task)
    case .protect(let owner): return protect(work.place, owner, app, task)
    case .move(let target):
      guard let file = files.removeValue(forKey: work.place) else { return WalkForecast(.failed) }
      files[target] = file
      return WalkForecast(.allowed)
    case .remove:
      return WalkForecast(files.removeValue(forKey: work.place) == nil ? .failed : .allowed)
    }
  }

  private mutating func write(
    _ place: WalkPlace, _ length: WalkText.Length, _ app: WalkApp, _ task: WalkTask
  ) -> WalkForecast {
    let identity = self[app].fileIdentity(of: task)
    guard canOwn(identity.account, app) else { return WalkForecast(.refused) }
    let text = newText(isWork: self[app].isManaged(identity))
    files[place] = WalkFile(owner: identity.account, bytes: text.bytes(length), texts: [text])
    return allowed(toWork: self[app].isManaged(identity))
  }

  /// Appends a text. The file keeps its owner, and the new text belongs to the same owner.
  private mutating func append(
    _ place: WalkPlace, _ length: WalkText.Length, _ app: WalkApp, _ task: WalkTask
  ) -> WalkForecast {
    guard var file = files[place] else { return write(place, length, app, task) }
    guard isOpen(file, app, task) else { return WalkForecast(.refused) }
    let text = newText(isWork: file.owner == .work)
    file.bytes += text.bytes(length)
    file.texts.insert(text)
    files[place] = file
    return allowed(toWork: file.owner == .work)
  }

  private func read(_ place: WalkPlace, _ app: WalkApp, _ task: WalkTask) -> WalkForecast {
    guard let file = files[place] else { return WalkForecast(.failed) }
    guard isOpen(file, app, task) else { return WalkForecast(.refused) }
    var forecast = allowed(toWork: file.owner == .work)
    forecast.found = (file.bytes, self[app].isManaged(self[app].fileIdentity(of: task)))
    return forecast
  }

  private mutating func protect(
    _ place: WalkPlace, _ owner: WalkAccount?, _ app: WalkApp, _ task: WalkTask
  ) -> WalkForecast {
    guard var file = files[place] else { return WalkForecast(.failed) }
    guard isOpen(file, app, task), canOwn(owner, app) else { return WalkForecast(.refused) }
    if file.owner == .work, owner != .work { work.subtract(file.texts) }
    file.owner = owner
    files[place] = file
    return allowed(toWork: true)
  }

  private func allowed(toWork: Bool) -> WalkForecast {
    var forecast = WalkForecast(.allowed)
    forecast.isPersonal = !toWork
    return forecast
  }

  /// Returns whether a new file may belong to the account. The organisation's account can own a new file only if it is
  /// signed in.
  private func canOwn(_ owner: WalkAccount?, _ app: WalkApp) -> Bool {
    owner != .work || self[app].accounts.contains(.work)
  }

  /// Returns whether a task can open a file. The organisation's files can be opened only for its
  /// account, and all other files by every task.
  private func isOpen(_ file: WalkFile, _ app: WalkApp, _ task: WalkTask) -> Bool {
    file.owner != .work || self[app].isManaged(self[app].fileIdentity(of: task))
  }
}

/// Models the effects of faults on a share's outcome.
extension WalkModel {
  private mutating func share(_ share: WalkStep.Share, under fault: WalkFault) -> WalkForecast {
    var forecast = self.share(share)
    // A refused share does not reach the fault point.
    guard forecast.answer != .refused else { return forecast }
    let isStopped = fault.stopsDevice
    if !fault.isTooLateForItem, isStopped || fault.endedApp(of: share) == share.to {
      forecast.arrivals = []
    }
    if isStopped {
      // The device restarts with its persistent data.
      for app in WalkApp.allCases { exit(app) }
      pasteboard = nil
    }
    if let app = fault.endedApp(of: share) { exit(app) }
    return forecast
  }
}

// MARK: - Forecasts

enum WalkAnswer: String {
  /// The step requires no decision.
  case none = "not decided"
  case allowed
  case encrypted = "delivered encrypted"
  case refused
  /// The request is allowed, but its target does not exist, or the secret to add exists already.
  case failed
}

struct WalkForecast {
  var answer = WalkAnswer.none
  /// Whether the step transfers data only among accounts that no policy protects. Such steps must always be allowed.
  var isPersonal = false
  var arrivals: [WalkArrival] = []
  /// Whether an item waits for a suspended app.
  var isWaiting = false
  /// The bytes that the step reads, and whether the organisation's account reads them; nil if the step reads nothing.
  var found: (bytes: [UInt8], byWork: Bool)?
  /// The account that the step removes, and the app from which it is removed; nil if the step removes none.
  var parted: (account: WalkAccount, app: WalkApp)?

  init(_ answer: WalkAnswer = .none) { self.answer = answer }
}

struct WalkArrival {
  var app: WalkApp
  var from: WalkApp
  /// The item's content; nil if it is ciphertext.
  var content: WalkContent?
  /// Whether the organisation's account receives the item.
  var toWork: Bool
}

struct WalkContent {
  var text: WalkText
  var bytes: [UInt8]
  var owner: WalkAccount?
  /// Whether the organisation owns the content.
  var isWork: Bool
}

// MARK: - Rules

/// The policy settings on which the model's forecasts depend. The protection of the organisation's data is not a
/// setting, because every walk verifies it.
struct WalkRules {
  private let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  /// The settings in a walk without policies: the strictest settings under which managed apps can still work together.
  static let standard: Settings = {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.allowedInboundDataTransferSources = .managedApps
    settings.allowedOutboundClipboardSharingLevel = .managedApps
    settings.appDataEncryptionType = .whenDeviceLocked
    settings.pinRequired = true
    return settings
  }()

  var encryptsFiles: Bool { settings.appDataEncryptionType != .useDeviceSettings }

  /// Returns the expected answer to a share of the organisation's data. `isManaged` states whether the receiver acts
  /// for the organisation's account.
  fileprivate func work(toWork isManaged: Bool, via: SharingPath) -> WalkAnswer {
    let hidden: WalkAnswer = settings.filterOpenInToOnlyManagedApps ? .refused : .encrypted
    guard isManaged else {
      let isNone = settings.allowedOutboundDataTransferDestinations == .none
      return via == .sdk ? .refused : isNone ? .encrypted : hidden
    }
    guard settings.allowedInboundDataTransferSources != .none else { return .refused }
    guard settings.allowedOutboundDataTransferDestinations == .none else { return .allowed }
    return via == .sdk ? .refused : .encrypted
  }

  /// Whether the organisation's account accepts data that does not belong to the organisation.
  fileprivate var receivesPersonal: Bool { settings.allowedInboundDataTransferSources == .allApps }

  fileprivate func paste(ofWork isWork: Bool) -> WalkAnswer {
    switch settings.allowedOutboundClipboardSharingLevel {
    case .allApps, .managedAppsWithPasteIn: .allowed
    case .managedApps: isWork ? .allowed : .refused
    case .blocked: .refused
    }
  }

  /// The answer to a screen capture while the organisation's account is active.
  fileprivate var screenCapture: WalkAnswer {
    switch settings.screenCaptureConfigurationState {
    case .blocked: .refused
    case .notBlocked: .allowed
    case nil: settings.allowedOutboundDataTransferDestinations == .allApps ? .allowed : .refused
    }
  }
}
