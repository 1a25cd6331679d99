/// A request to change the guest's acting identity at one level.
public struct SwitchIdentity: Sendable, Hashable, DeclaredMessage {
  /// A UPN or an object id; nil removes the identity, and `""` is the unknown account.
  public var account: String?
  public var level: IdentityLevel
  /// The other accounts whose data the window shows at the same time.
  public var others: [String]

  public init(
    account: String?, level: IdentityLevel = .mainWindow, others: [String] = []
  ) {
    self.account = account
    self.level = level
    self.others = others
  }

  static var blank: SwitchIdentity { SwitchIdentity(account: nil) }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &account, isNilIf: 2)
    form.field(window: 3, process: 4, &level)
    form.field(5, &others)
  }
}

/// The level at which an app sets an identity (Intune App SDK for iOS, stage 5, "Identity overview").
public enum IdentityLevel: Sendable, Hashable {
  /// The process. The identity applies to tasks whose window and thread have none.
  case process
  /// A window. The identity applies to its content. `""` is the main window.
  case window(String)

  public static let mainWindow = IdentityLevel.window("")
}

extension MessageForm {
  /// Declares an identity level as two fields, with the given field numbers: the window's name, and whether the level
  /// is the process.
  mutating func field(window: UInt32, process: UInt32, _ level: inout IdentityLevel) {
    var isProcess = level == .process
    var name = if case .window(let name) = level { name } else { "" }
    field(window, &name)
    field(process, &isProcess)
    level = isProcess ? .process : .window(name)
  }
}

/// A notice that a guest's acting identity at one level has changed.
public struct IdentityChange: Sendable, Hashable, DeclaredMessage {
  /// The account; nil if unset, `""` for the unknown account.
  public var account: String?
  /// Whether a policy applies to the account.
  public var isManaged: Bool
  public var level: IdentityLevel

  public init(account: String?, isManaged: Bool, level: IdentityLevel = .mainWindow) {
    self.account = account
    self.isManaged = isManaged
    self.level = level
  }

  static var blank: IdentityChange { IdentityChange(account: nil, isManaged: false) }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &account, isNilIf: 2)
    form.field(3, &isManaged)
    form.field(window: 4, process: 5, &level)
  }
}

/// The origin of a guest's request: the identity of its thread, and its window. The device derives the acting identity
/// from them.
public struct TaskContext: Sendable, Hashable, DeclaredMessage {
  /// The identity of the thread: a UPN or an object id, `""` for the unknown account; nil if the thread has none.
  public var thread: String?
  /// The window that the request comes from; `""` for the frontmost window.
  public var window: String

  /// Creates a context. Without arguments, it contains nothing.
  public init(thread: String? = nil, window: String = "") {
    self.thread = thread
    self.window = window
  }

  /// Whether the context contains neither a thread's identity nor a window.
  public var isEmpty: Bool { thread == nil && window.isEmpty }

  static var blank: TaskContext { TaskContext() }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &thread, isSetIf: 2)
    form.field(3, &window)
  }
}

/// The user's input when an account's access requirements, such as a PIN, must be met.
public struct Unlock: Sendable, Equatable, DeclaredMessage {
  /// The PIN that the user entered; `""` for none.
  public var pin: String
  public var hasBiometrics: Bool
  /// Whether the user entered the credentials of a work or school account.
  public var hasCredentials: Bool
  /// Whether the user sets `pin` as a new PIN.
  public var setsPIN: Bool
  public var isCancelled: Bool

  /// Creates an input. Without arguments, the user entered nothing.
  public init(
    pin: String = "", hasBiometrics: Bool = false, hasCredentials: Bool = false,
    setsPIN: Bool = false, isCancelled: Bool = false
  ) {
    self.isCancelled = isCancelled
    self.pin = pin
    self.hasBiometrics = hasBiometrics
    self.hasCredentials = hasCredentials
    self.setsPIN = setsPIN
  }

  static var blank: Unlock { Unlock() }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &pin)
    form.field(2, &hasBiometrics)
    form.field(3, &hasCredentials)
    form.field(4, &setsPIN)
    form.field(5, &isCancelled)
  }
}
