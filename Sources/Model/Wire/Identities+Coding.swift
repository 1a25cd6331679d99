internal import CMessages
internal import CProtobufC

extension TaskContext {
  init(_ raw: Sluice__Task) {
    self.init(
      thread: raw.has_thread != 0 ? cString(raw.thread) : nil, window: cString(raw.window))
  }
}

extension SwitchIdentity {
  init(_ raw: Sluice__SwitchIdentity) {
    self.init(
      account: raw.unset != 0 ? nil : cString(raw.account),
      level: raw.process != 0 ? .process : .window(cString(raw.window)),
      others: (0..<raw.n_others).map { cString(raw.others[$0]) })
  }
}

extension IdentityChange {
  init(_ raw: Sluice__IdentityChanged) {
    self.init(
      account: raw.unset != 0 ? nil : cString(raw.account), isManaged: raw.managed != 0,
      level: raw.process != 0 ? .process : .window(cString(raw.window)))
  }
}

extension Arena {
  func task(_ task: TaskContext) -> UnsafeMutablePointer<Sluice__Task> {
    message(sluice__task__init) {
      $0.thread = string(task.thread ?? "")
      $0.has_thread = task.thread == nil ? 0 : 1
      $0.window = string(task.window)
    }
  }

  func switchIdentity(_ change: SwitchIdentity) -> UnsafeMutablePointer<Sluice__SwitchIdentity> {
    message(sluice__switch_identity__init) {
      $0.account = string(change.account ?? "")
      $0.unset = change.account == nil ? 1 : 0
      $0.window = string(change.level.window)
      $0.process = change.level == .process ? 1 : 0
      $0.others = strings(change.others)
      $0.n_others = change.others.count
    }
  }

  func identityChanged(_ change: IdentityChange) -> UnsafeMutablePointer<Sluice__IdentityChanged> {
    message(sluice__identity_changed__init) {
      $0.account = string(change.account ?? "")
      $0.unset = change.account == nil ? 1 : 0
      $0.managed = change.isManaged ? 1 : 0
      $0.window = string(change.level.window)
      $0.process = change.level == .process ? 1 : 0
    }
  }
}

extension IdentityLevel {
  fileprivate var window: String {
    if case .window(let name) = self { name } else { "" }
  }
}
