internal import Wire

extension WalkModel {
  /// Whether a step can be taken in the present state. Shrinking a walk removes steps, on which others may depend.
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
    // What waits for a suspended app reaches no point within the step.
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

  /// Whether an app can have a task for an identity. No policy protects an account that has signed out, so that its
  /// tasks show nothing of protection.
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
}
