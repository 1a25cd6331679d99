internal import Encodings
internal import Model
internal import Policy

/// A policy's conditional launch: the conditions with their actions, and the consequences for a device that stays
/// offline. All results come from ``evaluateLaunch(_:)``.
struct LaunchConditions {
  /// A condition that the policy sets.
  struct Condition: Equatable {
    /// The condition's label in the admin centre.
    var title: String
    /// The condition's value in the admin centre's words.
    var value: String
    var action: LaunchAction
    /// The action in the admin centre's words.
    var actionWords: String
    var rule: Rule
    /// The reason for the action, as a clause.
    var text: String
  }

  /// A phase of the time since the last check-in, on a device that stays offline.
  struct Phase: Equatable {
    /// The time from the last check-in to the beginning of the phase, in seconds.
    var start: Int
    /// ``start`` in words; empty for the check-in itself.
    var words: String
    var action: LaunchAction
    var text: String
  }

  /// The conditions, the strictest actions first.
  let conditions: [Condition]
  /// The labels of conditions that the policy does not set.
  let unset: [String]
  let offline: [Phase]

  private static let offlineSettings: [Setting] = [
    .periodOfflineBeforeAccessCheck, .periodOfflineBeforeWipeIsEnforced,
  ]

  init(_ settings: Settings) {
    let lines = SettingPage.conditionalLaunch.lines
    let checked = lines.filter {
      $0.qualifier != Self.action && !Self.offlineSettings.contains($0.settings[0])
    }
    let found = checked.map { line in Self.condition(line, of: settings, among: lines) }
    conditions = LaunchAction.allCases.reversed().flatMap { action in
      found.compactMap(\.self).filter { $0.action == action }
    }
    unset = zip(checked, found).filter { $0.1 == nil }.map(\.0.title)
    offline = Self.phases(of: settings)
  }

  /// The qualifier of a line in the admin centre that states the action for another line's condition.
  private static let action = "action"

  /// Returns the condition in a line of the admin centre; nil if the policy does not set it. The condition is evaluated
  /// without the policy's other settings, so only this condition can cause an action.
  private static func condition(
    _ line: SettingPage.Line, of settings: Settings, among lines: [SettingPage.Line]
  ) -> Condition? {
    let actionLine = lines.first {
      $0.qualifier == action && $0.settings[0].label == line.settings[0].label
    }
    var alone = Settings()
    for setting in line.settings + (actionLine?.settings ?? []) {
      alone.copy(setting, from: settings)
    }
    if line.settings.contains(.maximumPinRetries) {
      // Without a PIN, attempts are not counted. A wrong PIN without a limit is only asked for again.
      guard settings.maximumPinRetries > 0 else { return nil }
      alone.copy(.pinRequired, from: settings)
    }
    let policy = EffectivePolicy(settings: alone)
    for request in failing(policy) {
      let verdict = evaluateLaunch(request)
      guard verdict.launchAction > .none, let reason = verdict.reasons.first else { continue }
      let value = settings.words(for: line.settings[0]) ?? ""
      let words = actionLine.flatMap { settings.words(for: $0.settings[0]) }
      let actionWords = words ?? Self.words(for: verdict.launchAction)
      return Condition(
        title: line.title, value: value == actionWords ? "" : value, action: verdict.launchAction,
        actionWords: actionWords, rule: reason.rule, text: reason.rule.text(for: reason.side))
    }
    return nil
  }

  /// Returns launches that together fail every condition. One launch is not enough: a version cannot be both below the
  /// minimum and above the maximum, and an SDK below the minimum version ignores most settings.
  private static func failing(_ policy: EffectivePolicy) -> [LaunchRequest] {
    let access = AccessState(
      current: .init(PIN.accepted(by: policy.settings, previous: []), setAt: 0),
      failedAttempts: 1 << 20)
    let versions: [(os: Version, sdk: Version?, threat: DevicePosture.ThreatLevel?)] = [
      (Version(0), nil, .high), (Version(1 << 20), nil, nil), (Version(0), Version(0), .high),
    ]
    return versions.map { os, sdk, threat in
      LaunchRequest(
        policy: policy,
        device: DevicePosture(
          osVersion: os, model: "another model", isJailbroken: true, threatLevel: threat),
        app: AppState(bundleID: "com.contoso.mail", linksSDK: true, sdkVersion: sdk),
        appVersion: Version(0),
        account: AccountConditions(isDisabled: true, isClockedOut: true, lastCheckIn: 0),
        access: access,
        offer: AccessOffer(.pin(PIN("wrong"))), now: 0)
    }
  }

  private static func words(for action: LaunchAction) -> String {
    switch action {
    case .none: ""
    case .warn: "Warn"
    case .block: "Block access"
    case .wipe: "Wipe data"
    }
  }

  /// Returns the phases of the time since the last check-in, on a device that stays offline. The first phase begins at
  /// the check-in, and each further phase at the end of one of the policy's periods.
  private static func phases(of settings: Settings) -> [Phase] {
    var alone = Settings()
    for setting in offlineSettings { alone.copy(setting, from: settings) }
    let policy = EffectivePolicy(settings: alone)
    let ends = [
      settings.periodOfflineBeforeAccessCheck, settings.periodOfflineBeforeWipeIsEnforced,
    ].filter { $0 > 0 }.sorted()
    var phases: [Phase] = []
    for time in [0] + ends {
      let verdict = evaluateLaunch(
        LaunchRequest(
          policy: policy, device: DevicePosture(osVersion: Version(1), isOnline: false),
          app: AppState(bundleID: "com.contoso.mail", linksSDK: true),
          account: AccountConditions(lastCheckIn: 0), now: time))
      guard let reason = verdict.reasons.first, phases.last?.start != time else { continue }
      phases.append(
        Phase(
          start: time, words: time == 0 ? "" : PeriodText.words(ofSeconds: time),
          action: verdict.launchAction,
          text: reason.rule.text(for: reason.side)))
    }
    return phases
  }

  /// Returns the number of conditions that differ from the saved file. All offline phases together count as one
  /// condition.
  func changeCount(since old: LaunchConditions) -> Int {
    let titles = Set((conditions + old.conditions).map(\.title))
    let changed = titles.count(where: { title in
      conditions.first { $0.title == title } != old.conditions.first { $0.title == title }
    })
    return changed + (offline == old.offline ? 0 : 1)
  }

  // MARK: JSON

  /// Writes the conditions with their differences from the saved file.
  func write(since old: LaunchConditions, to writer: inout JSONWriter) {
    writer.objects("conditions", of: conditions) { writer, condition in
      condition.writeMembers(to: &writer)
      let before = old.conditions.first { $0.title == condition.title }
      guard before != condition else { return }
      writer.member("isChanged", true)
      writer.member("before", before.map(\.words) ?? "not set")
    }
    writer.objects(
      "removed", of: old.conditions.filter { !conditions.map(\.title).contains($0.title) }
    ) { writer, condition in condition.writeMembers(to: &writer) }
    writer.strings("unset", unset)
    writer.objects("offline", of: offline) { $1.writeMembers(to: &$0) }
    if offline != old.offline {
      writer.objects("offlineBefore", of: old.offline) { $1.writeMembers(to: &$0) }
    }
  }
}

extension LaunchConditions.Condition {
  fileprivate var words: String { value.isEmpty ? actionWords : "\(value), \(actionWords)" }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("title", title)
    writer.member("value", value)
    writer.member("action", action.rawValue)
    // Too many wrong PINs block access only until the user has set a new one.
    if rule == .pinRetriesExceededResets { writer.member("resetsPIN", true) }
    writer.member("actionWords", actionWords)
    writer.member("rule", rule.rawValue)
    writer.member("text", text)
  }
}

extension LaunchConditions.Phase {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("start", start)
    writer.member("words", words)
    writer.member("action", action.rawValue)
    writer.member("text", text)
  }
}
