internal import Glibc
internal import Host
internal import Model
internal import Wire

enum WalkStep: Equatable {
  case launch(WalkApp)
  case suspend(WalkApp)
  case resume(WalkApp)
  case kill(WalkApp)
  case relaunch(WalkApp)
  case signIn(WalkApp, WalkAccount)
  case signOut(WalkApp, WalkAccount)
  case wipe(WalkApp, WalkAccount, WipeBehaviour)
  /// Sets the answer that the app under test gives when it must switch to an unmanaged account.
  case answerSwitches(SwitchAnswer)
  case switchIdentity(WalkIdentity, SwitchLevel)
  case share(Share)
  /// A share with an injected fault. If the share is refused, the fault does not occur.
  case fault(WalkFault, Share)
  case copy(WalkApp, WalkTask, Content)
  case paste(WalkApp, WalkTask)
  case importItem(Import)
  case file(WalkApp, WalkTask, FileWork)
  case secret(WalkApp, WalkTask, WalkSecret, SecretWork)
  /// A screen capture. The answer shows whether a policy applies to the task's identity.
  case captureScreen(WalkApp, WalkTask)

  enum SwitchAnswer: CaseIterable {
    case success, failed
  }

  enum SwitchLevel: Equatable {
    case process
    case window(WalkWindow)
  }

  enum Content: CaseIterable {
    /// A new text, written by the identity for which the task acts.
    case own
    /// The last item that the app received, with its original tag.
    case received
    /// A new text with a forged tag.
    case forged

    fileprivate var text: String {
      switch self {
      case .own: "a text"
      case .received: "the last text that it received, with its tag,"
      case .forged: "a text with a forged tag"
      }
    }
  }

  struct Share: Equatable {
    var from: WalkApp
    var to: WalkApp
    var task: WalkTask
    var content: Content
    var way: Way
    var via: SharingPath

    fileprivate var text: String {
      "\(from)\(task.text) hands \(content.text) to \(to) by \(way) via \(via)"
    }
  }

  struct Import: Equatable {
    var into: WalkApp
    var from: WalkApp
    var task: WalkTask
    var via: SharingPath
  }

  struct FileWork: Equatable {
    var place: WalkPlace
    var kind: Kind

    enum Kind: Equatable {
      case write(WalkText.Length)
      case append(WalkText.Length)
      case read
      /// Changes the file's owner; nil for no owner.
      case protect(WalkAccount?)
      case move(to: WalkPlace)
      case remove
    }

    fileprivate var text: String {
      switch kind {
      case .write(let length): "writes a \(length) text to \(place.text)"
      case .append(let length): "appends a \(length) text to \(place.text)"
      case .read: "reads \(place.text)"
      case .protect(let owner): "gives \(place.text) to \(owner.map { "\($0)" } ?? "no account")"
      case .move(let target): "moves \(place.text) to \(target.text)"
      case .remove: "removes \(place.text)"
      }
    }
  }

  enum SecretWork: CaseIterable {
    case add, query, delete

    fileprivate var text: String {
      switch self {
      case .add: "adds"
      case .query: "looks for"
      case .delete: "deletes"
      }
    }
  }

  /// The name of the step's kind, in one or two words. Reports count steps by this name.
  var kind: String {
    switch self {
    case .launch: "launch"
    case .suspend: "suspend"
    case .resume: "resume"
    case .kill: "kill"
    case .relaunch: "relaunch"
    case .signIn: "sign in"
    case .signOut: "sign out"
    case .wipe: "wipe"
    case .answerSwitches: "answer switches"
    case .switchIdentity: "switch"
    case .share: "share"
    case .fault: "fault"
    case .copy: "copy"
    case .paste: "paste"
    case .importItem: "import"
    case .file: "file"
    case .secret: "keychain"
    case .captureScreen: "screen capture"
    }
  }

  var text: String {
    switch self {
    case .launch(let app): "launch \(app)"
    case .suspend(let app): "suspend \(app)"
    case .resume(let app): "resume \(app)"
    case .kill(let app): "kill \(app)"
    case .relaunch(let app): "relaunch \(app)"
    case .signIn(let app, let account): "\(app) signs \(account) in"
    case .signOut(let app, let account): "\(app) signs \(account) out"
    case .wipe(let app, let account, let answer):
      "\(account) is wiped from \(app), and the app answers \(answer)"
    case .answerSwitches(let answer): "notes answers required identity switches with \(answer)"
    case .switchIdentity(let identity, .process):
      "the process of notes switches to \(identity.text)"
    case .switchIdentity(let identity, .window(let window)):
      "the \(window.text) window of notes switches to \(identity.text)"
    case .share(let share): share.text
    case .fault(let fault, let share): "\(share.text); \(fault.text(of: share))"
    case .copy(let app, let task, let content): "\(app)\(task.text) copies \(content.text)"
    case .paste(let app, let task): "\(app)\(task.text) pastes"
    case .importItem(let step):
      "\(step.into)\(step.task.text) imports a text from \(step.from) via \(step.via)"
    case .file(let app, let task, let work): "\(app)\(task.text) \(work.text)"
    case .secret(let app, let task, let secret, let work):
      "\(app)\(task.text) \(work.text) \(secret.text)"
    case .captureScreen(let app, let task): "the screen of \(app)\(task.text) is captured"
    }
  }
}

// MARK: - Files and secrets

struct WalkPlace: Hashable {
  /// The app whose container contains the file; nil for the app group's container.
  var app: WalkApp?
  var name: String

  static let names = ["a", "b", "c"]

  var reference: FileReference { FileReference(name, group: app == nil ? WalkApp.group : "") }

  /// The file's path, relative to the device's folder.
  var path: String {
    app.map { "Containers/\($0.name)/\(name)" } ?? "Groups/\(WalkApp.group)/\(name)"
  }

  var text: String { app == nil ? "the group's \(name)" : name }
}

struct WalkSecret: Hashable {
  /// The app to which the keychain item belongs; nil for the group that one team's apps share.
  var app: WalkApp?
  var name: String

  static let names = ["token", "seed"]

  var key: KeychainKey {
    KeychainKey(group: app?.ownKeychain ?? WalkApp.sharedKeychain, service: name, account: "")
  }

  var text: String { app == nil ? "the shared \(name)" : "its own \(name)" }
}

// MARK: Texts

/// A text that is unique in a walk, so it identifies its origin wherever it appears.
struct WalkText: Hashable {
  /// The text's number, from 1.
  let number: Int

  private static let prefix = "walk-text-"
  private static let digits = 6

  /// Returns the text, repeated so often that any sufficiently large part of the bytes contains a whole copy.
  func bytes(_ length: Length) -> [UInt8] {
    let digits = String(number)
    let padding = String(repeating: "0", count: max(0, Self.digits - digits.count))
    let text = Array("\(Self.prefix)\(padding)\(digits);".utf8)
    return (0..<length.repetitions).flatMap { _ in text }
  }

  enum Length: CaseIterable {
    case short
    /// A length of several pages in an encrypted file.
    case long

    fileprivate var repetitions: Int { self == .short ? 3 : 600 }
  }

  /// Returns all texts that `bytes` contain unencrypted.
  static func all(in bytes: [UInt8]) -> Set<WalkText> {
    let prefix = Array(prefix.utf8)
    var found: Set<WalkText> = []
    bytes.withUnsafeBytes { whole in
      guard var place = whole.baseAddress else { return }
      let end = place + whole.count
      while let hit = memchr(place, Int32(prefix[0]), end - place) {
        place = UnsafeRawPointer(hit)
        guard end - place >= prefix.count + digits else { return }
        if memcmp(place, prefix, prefix.count) == 0 {
          let number = UnsafeRawBufferPointer(start: place + prefix.count, count: digits)
          if let number = Int(String(decoding: number, as: UTF8.self)) {
            found.insert(WalkText(number: number))
          }
        }
        place += 1
      }
    }
    return found
  }
}

// MARK: - Faults

/// A fault injected into a ``WalkStep/Share``.
struct WalkFault: Equatable {
  var kind: Kind
  var point: FaultPoint
  /// The guest that the fault affects. Ignored for a fault that affects no single guest.
  var end: End

  enum Kind: CaseIterable {
    case kill, stop, slowReader, halfFrame, dropAnswer, fullDisk, clockJump, restartHost
  }

  enum End: CaseIterable {
    case sender, receiver
  }

  /// Returns the app that the fault ends; nil if it ends none or all apps.
  func endedApp(of share: WalkStep.Share) -> WalkApp? {
    switch kind {
    case .kill, .halfFrame: end == .sender ? share.from : share.to
    case .stop, .slowReader, .dropAnswer, .fullDisk, .clockJump, .restartHost: nil
    }
  }

  var stopsDevice: Bool { kind == .fullDisk || kind == .restartHost }

  /// Whether the fault occurs after the item has reached its receiver.
  var isTooLateForItem: Bool { point == .halfAcknowledged }

  /// Returns whether the sender ends before it receives its answer.
  func endsSender(of share: WalkStep.Share) -> Bool {
    stopsDevice || endedApp(of: share) == share.from
  }

  func fault(_ number: Int, on device: Device, _ share: WalkStep.Share) -> Fault {
    let guest = end == .sender ? share.from.name : share.to.name
    return switch kind {
    case .kill: Fault(number: number, .kill, at: point, guest: guest)
    case .halfFrame: Fault(number: number, .halfFrame, at: point, guest: guest)
    case .stop:
      Fault(number: number, .stop(milliseconds: Self.moment), at: point, guest: guest)
    case .slowReader:
      Fault(number: number, .slowReader(milliseconds: Self.moment), at: point, guest: guest)
    case .dropAnswer: Fault(number: number, .dropAnswer, at: point, guest: share.from.name)
    case .fullDisk: Fault(number: number, .fullDisk, at: point)
    case .restartHost: Fault(number: number, .restartHost, at: point)
    case .clockJump:
      Fault(
        number: number,
        .change(.clockJump) { [unowned device] in device.advanceClock(by: Self.jump) }, at: point)
    }
  }

  /// The time during which a guest is stopped or reads slowly, in milliseconds.
  private static let moment: UInt64 = 20
  /// The number of seconds by which the clock jumps.
  private static let jump = 3_600

  func text(of share: WalkStep.Share) -> String {
    let who = end == .sender ? share.from : share.to
    let event =
      switch kind {
      case .kill: "\(who) is killed"
      case .stop: "\(who) is paused briefly"
      case .slowReader: "\(who) briefly reads slowly"
      case .halfFrame: "the connection of \(who) is closed within a frame"
      case .dropAnswer: "the answer to \(share.from) is lost"
      case .fullDisk: "the disk is full"
      case .clockJump: "the clock jumps"
      case .restartHost: "the host dies"
      }
    return "\(event) when the transfer is \(point.rawValue)"
  }
}
