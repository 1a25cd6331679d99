internal import Model

extension WalkModel {
  // MARK: handing over

  mutating func share(_ share: WalkStep.Share) -> WalkForecast {
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

  /// The answer to an app that hands over data of the organisation.
  private func hands(
    _ content: WalkContent, of app: WalkApp, toWork: Bool, via: SharingPath
  ) -> WalkAnswer {
    isKept(content, by: app) ? rules.work(toWork: toWork, via: via) : .refused
  }

  /// Whether the app still has the content: that of an account that is gone from the app is gone, too.
  private func isKept(_ content: WalkContent, by app: WalkApp) -> Bool {
    !content.isWork || self[app].accounts.contains(.work)
  }

  /// Whether the app agrees to take for an unmanaged account what its managed account may not have.
  private func canSwitch(_ app: WalkApp) -> Bool {
    app.isMultiIdentity && self[app].acceptsSwitches
  }

  /// Whether the device would have to wait for a suspended app's answer.
  func asksSuspended(_ share: WalkStep.Share) -> Bool {
    let sender = self[share.from].identity(of: share.task)
    let isWork =
      self[share.from].isManaged(sender)
      || share.content == .received && self[share.from].received?.content.isWork ?? false
    return self[share.to].isSuspended && share.to.isMultiIdentity && !isWork
      && self[share.to].isManaged(self[share.to].front)
  }

  /// The content that an app hands over; nil: content with a forged tag.
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

  mutating func importItem(_ step: WalkStep.Import) -> WalkForecast {
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

  // MARK: the pasteboard

  mutating func copy(
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

  mutating func paste(_ app: WalkApp, _ task: WalkTask) -> WalkForecast {
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

  // MARK: the keychain

  mutating func keep(
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
