internal import Host
internal import Model
internal import Wire

/// The ways in which each kind of step is carried out.
extension WalkDevice {
  func begin(_ step: WalkStep, _ watch: StepWatch) {
    switch step {
    case .launch(let app): device.guests.launch([app.name], done: watch.done)
    case .suspend(let app):
      device.guests.suspend(app.name)
      watch.done()
    case .resume(let app):
      device.guests.resume(app.name)
      watch.done()
    case .kill(let app): device.guests.kill([app.name], done: watch.done)
    case .relaunch(let app):
      device.guests.kill([app.name]) { [device] in
        device.guests.launch([app.name], done: watch.done)
      }
    case .signIn(let app, let account):
      ask(.signIn(account: account.account.upn), WalkTask(), app, watch)
    case .signOut(let app, let account):
      ask(.signOut(account: account.account.upn), WalkTask(), app, watch)
    case .wipe(let app, let account, let answer): wipe(account, app, answer, watch)
    case .answerSwitches(let answer):
      let behaviour = Behaviour(acceptsIdentitySwitch: answer == .success)
      device.driver.instruct(behaviour, on: WalkApp.notes.name, done: watch.performed)
    case .switchIdentity(let identity, let level):
      let change = SwitchIdentity(account: identity.accountID, level: level.identityLevel)
      ask(.switchIdentity(change), WalkTask(), .notes, watch)
    case .share(let share): self.share(share, watch)
    case .fault(let fault, let share):
      device.faults.arm(fault.fault(number, on: device, share))
      self.share(share, watch)
    case .copy(let app, let task, let content):
      ask(.copy(item(content, app, watch)), task, app, watch)
    case .paste(let app, let task): ask(.paste, task, app, watch)
    case .importItem(let step): importItem(step, watch)
    case .file(let app, let task, let work): perform(work, task, app, watch)
    case .secret(let app, let task, let secret, let work):
      ask(request(work, secret, watch), task, app, watch)
    case .captureScreen(let app, let task):
      ask(.use(SystemHandOff(channel: Channel.screenCapture.rawValue)), task, app, watch)
    }
  }

  private func ask(
    _ request: GuestMessage.Body, _ task: WalkTask, _ app: WalkApp, _ watch: StepWatch
  ) {
    device.driver.perform(request, as: task.context, on: app.name, done: watch.performed)
  }

  // MARK: wipes

  private func wipe(
    _ account: WalkAccount, _ app: WalkApp, _ answer: WipeBehaviour, _ watch: StepWatch
  ) {
    let wipe = { [device] in
      do throws(HostError) {
        try device.wipes.wipe(account.account, in: app.name, done: watch.done)
      } catch {
        watch.failed(error.description)
      }
    }
    // An app that does not run leaves the files to the SDK, as the app is installed.
    guard device.guests.isRunning(app.name), !device.guests.isSuspended(app.name) else {
      return wipe()
    }
    device.driver.instruct(Behaviour(wipe: answer), on: app.name) { _ in wipe() }
  }

  // MARK: items

  private func share(_ share: WalkStep.Share, _ watch: StepWatch) {
    let item = item(share.content, share.from, watch)
    let request = Wire.Share(
      destination: share.to.name, item: item, via: share.via, way: share.way)
    ask(.share(request), share.task, share.from, watch)
  }

  private func importItem(_ step: WalkStep.Import, _ watch: StepWatch) {
    let behaviour = Behaviour(provides: item(.own, step.from, watch))
    device.driver.instruct(behaviour, on: step.from.name) { [weak self] _ in
      self?.ask(.import(source: step.from.name, via: step.via), step.task, step.into, watch)
    }
  }

  private func item(
    _ content: WalkStep.Content, _ app: WalkApp, _ watch: StepWatch
  ) -> Item {
    var item = Item(type: Item.plainText, payload: .inline(watch.newText.bytes(.short)))
    switch content {
    case .own: break
    case .received: return received[app] ?? item
    case .forged:
      item.tag = OwnershipTag(
        ownerUPN: WalkAccount.personal.account.upn, ownerObjectID: "", ownerTenantID: "",
        isManaged: false, originApp: WalkApp.photos.bundleID, device: device.configuration.name,
        sequence: 1, seal: Array(repeating: 0, count: 32))
    }
    return item
  }

  // MARK: files and secrets

  private func perform(
    _ work: WalkStep.FileWork, _ task: WalkTask, _ app: WalkApp, _ watch: StepWatch
  ) {
    let file = work.place.reference
    let own: FileWork
    switch work.kind {
    case .move(let target):
      return ask(.moveFile(file, to: target.reference), task, app, watch)
    case .remove: return ask(.removeFile(file), task, app, watch)
    case .write(let length):
      own = FileWork(.write, file, content: watch.newText.bytes(length))
    case .append(let length):
      own = FileWork(.append, file, content: watch.newText.bytes(length))
    case .read: own = FileWork(.read, file)
    case .protect(let owner):
      own = FileWork(.protect, file, owner: owner?.account.upn ?? "")
    }
    device.driver.perform(own, as: task.context, on: app.name, done: watch.performed)
  }

  private func request(
    _ work: WalkStep.SecretWork, _ secret: WalkSecret, _ watch: StepWatch
  ) -> GuestMessage.Body {
    switch work {
    case .add: .keychainAdd(secret.key, value: watch.newText.bytes(.short))
    case .query: .keychainQuery(secret.key)
    case .delete: .keychainDelete(secret.key)
    }
  }
}

extension WalkStep.SwitchLevel {
  fileprivate var identityLevel: IdentityLevel {
    switch self {
    case .process: .process
    case .window(let window): .window(window.rawValue)
    }
  }
}
