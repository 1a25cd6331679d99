internal import Wire

/// A naive model of the device: the accounts that are signed in, the identities of windows, and the owners of files.
struct WalkModel {
  let rules: WalkRules
  private var apps: [WalkAppState]
  var pasteboard: WalkClip?
  var files: [WalkPlace: WalkFile] = [:]
  var secrets: [WalkSecret: (value: [UInt8], owner: WalkAccount?)] = [:]
  /// The items that wait for suspended apps, in the order of handing over.
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

  /// A text that is not in the world yet.
  ///
  /// - Parameter isWork: whether the organisation's account writes it.
  mutating func newText(isWork: Bool) -> WalkText {
    lastText += 1
    let text = WalkText(number: lastText)
    if isWork { work.insert(text) }
    return text
  }

  /// The text that was made last.
  var newest: WalkText { WalkText(number: lastText) }

  /// Notes that the organisation's account has given the texts away.
  mutating func giveAway(_ texts: Set<WalkText>) { work.subtract(texts) }

  // MARK: steps

  /// Takes a step that ``allows(_:)`` lets through.
  mutating func take(_ step: WalkStep) -> WalkForecast {
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
    case .secret(let app, let task, let secret, let work): return keep(secret, work, app, task)
    case .captureScreen(let app, let task):
      let isManaged = self[app].isManaged(self[app].identity(of: task))
      var forecast = WalkForecast(isManaged ? rules.screenCapture : .allowed)
      forecast.isPersonal = !isManaged
      return forecast
    }
    return WalkForecast()
  }

  // MARK: lifecycle

  mutating func start(_ app: WalkApp) { self[app].isRunning = true }

  mutating func exit(_ app: WalkApp) {
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

  /// Removes an account from an app, with all that it owns there.
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

  // MARK: arriving

  /// Hands an item over, at once or when the suspended app is resumed.
  mutating func deliver(_ arrival: WalkArrival, in forecast: inout WalkForecast) {
    if self[arrival.app].isSuspended {
      waiting.append(arrival)
      forecast.isWaiting = true
    } else {
      start(arrival.app)
      arrive(arrival, in: &forecast)
    }
  }

  mutating func arrive(_ arrival: WalkArrival, in forecast: inout WalkForecast) {
    forecast.arrivals.append(arrival)
    guard let content = arrival.content else { return }
    // The tag of data of an account that has gone meanwhile does not count any more.
    let isKnown = !content.isWork || self[arrival.from].accounts.contains(.work)
    self[arrival.app].received =
      isKnown ? WalkAppState.Received(content: content, from: arrival.from) : nil
  }
}

/// The content of the pasteboard.
struct WalkClip {
  var content: WalkContent
  var app: WalkApp
  var identity: WalkIdentity
  /// Whether the organisation's account copied it.
  var byWork: Bool
}
