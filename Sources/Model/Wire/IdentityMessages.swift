internal import CMessages
internal import CProtobufC

/// A switch of the guest's acting identity.
public struct SwitchIdentity: Sendable, Hashable {
  /// A UPN or an object id; nil unsets the identity, `""` is the unknown account.
  public var account: String?
  public var level: IdentityLevel
  /// Other accounts whose data the window shows.
  public var others: [String]

  /// Creates a switch to `account` at `level`.
  public init(
    account: String?, level: IdentityLevel = .mainWindow, others: [String] = []
  ) {
    self.account = account
    self.level = level
    self.others = others
  }
}

/// The level at which an identity is set (Intune App SDK for iOS, stage 5, "Identity overview").
public enum IdentityLevel: Sendable, Hashable {
  /// The process: all tasks without an identity of their window or thread.
  case process
  /// The content of one window; `""` is the main one.
  case window(String)

  public static let mainWindow = IdentityLevel.window("")
}

/// A guest's new acting identity at one level.
public struct IdentityChange: Sendable, Hashable {
  /// The account; nil if unset, `""` for the unknown account.
  public var account: String?
  /// Whether a policy applies to the account.
  public var isManaged: Bool
  public var level: IdentityLevel

  /// Creates a change to `account` at `level`.
  public init(account: String?, isManaged: Bool, level: IdentityLevel = .mainWindow) {
    self.account = account
    self.isManaged = isManaged
    self.level = level
  }
}

/// The identity of a guest's task, if it differs from the guest's acting identity.
public struct TaskContext: Sendable, Hashable {
  /// The thread's identity: a UPN or an object id, `""` for the unknown account; nil if unset.
  public var thread: String?
  /// The requesting window; `""` for the frontmost one.
  public var window: String

  /// Creates a context. Without arguments, it is empty.
  public init(thread: String? = nil, window: String = "") {
    self.thread = thread
    self.window = window
  }

  /// Whether the context states neither thread nor window.
  public var isEmpty: Bool { thread == nil && window.isEmpty }
}

// MARK: - Coding

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
