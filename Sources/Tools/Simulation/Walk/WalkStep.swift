internal import Model
internal import Wire

/// One step of a walk.
enum WalkStep: Equatable {
  case launch(WalkApp)
  case suspend(WalkApp)
  case resume(WalkApp)
  case kill(WalkApp)
  case relaunch(WalkApp)
  case signIn(WalkApp, WalkAccount)
  case signOut(WalkApp, WalkAccount)
  case wipe(WalkApp, WalkAccount, WipeBehaviour)
  /// The answer of the app under test from now on where it is to switch to an unmanaged account.
  case answerSwitches(SwitchAnswer)
  case switchIdentity(WalkIdentity, SwitchLevel)
  case share(Share)
  /// A share that a fault strikes, unless it is refused.
  case fault(WalkFault, Share)
  case copy(WalkApp, WalkTask, Content)
  case paste(WalkApp, WalkTask)
  case importItem(Import)
  case file(WalkApp, WalkTask, FileWork)
  case secret(WalkApp, WalkTask, WalkSecret, SecretWork)
  /// The proof that a policy is on, or off.
  case captureScreen(WalkApp, WalkTask)

  enum SwitchAnswer: CaseIterable {
    case success, failed
  }

  enum SwitchLevel: Equatable {
    case process
    case window(WalkWindow)
  }

  enum Content: CaseIterable {
    /// A new text of the identity that the task acts for.
    case own
    /// The item that the app received last, under the tag with which it came.
    case received
    /// A new text under a tag that the app has made up.
    case forged
  }

  struct Share: Equatable {
    var from: WalkApp
    var to: WalkApp
    var task: WalkTask
    var content: Content
    var way: Way
    var via: SharingPath
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
      /// The new owner of the file; nil: none.
      case protect(WalkAccount?)
      case move(to: WalkPlace)
      case remove
    }
  }

  enum SecretWork: CaseIterable {
    case add, query, delete
  }
}

extension WalkStep {
  /// The kind of step in a word or two, for counting.
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

  /// The step in one line.
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
      "\(account) is wiped from \(app), which answers \(answer)"
    case .answerSwitches(let answer): "notes answers required switches with \(answer)"
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

extension WalkStep.Share {
  fileprivate var text: String {
    "\(from)\(task.text) hands \(content.text) to \(to) by \(way) via \(via)"
  }
}

extension WalkStep.Content {
  fileprivate var text: String {
    switch self {
    case .own: "a text"
    case .received: "the text that it received last, tag and all,"
    case .forged: "a text with a forged tag"
    }
  }
}

extension WalkStep.FileWork {
  fileprivate var text: String {
    switch kind {
    case .write(let length): "writes a \(length) text to \(place.text)"
    case .append(let length): "appends a \(length) text to \(place.text)"
    case .read: "reads \(place.text)"
    case .protect(let owner): "gives \(place.text) to \(owner.map { "\($0)" } ?? "nobody")"
    case .move(let target): "moves \(place.text) to \(target.text)"
    case .remove: "removes \(place.text)"
    }
  }
}

extension WalkStep.SecretWork {
  fileprivate var text: String {
    switch self {
    case .add: "adds"
    case .query: "looks for"
    case .delete: "deletes"
    }
  }
}
