internal import AppProcess
internal import SluiceKit
internal import Wire

/// What the app shows to its user and waits for: alerts, share sheets, document pickers. Steps of a scenario answer in
/// the user's place; the last that was shown is in front.
@MainActor final class PresentedPrompts {
  static let shared = PresentedPrompts { AppProcess.current.signInPrompts.isShown }

  /// The prompts, the last that was shown at the end.
  private(set) var shown: [UIViewController] = []

  /// Whether the app asks its user to sign in, which is no controller of its own.
  private let isSignInShown: () -> Bool
  /// Whether the user waits for something to be shown, as that of an extension does, which runs for one request.
  var isPatient = false
  private var waiting: [(act: UserAct, done: @Sendable (String?) -> Void)] = []

  init(isSignInShown: @escaping () -> Bool = { false }) { self.isSignInShown = isSignInShown }

  func add(_ prompt: UIViewController) {
    shown.append(prompt)
    takeWaiting()
  }

  func remove(_ prompt: UIViewController) { shown.removeAll { $0 === prompt } }

  /// Has the user do something with what is in front, which goes away.
  ///
  /// - Parameter done: takes the reason why nothing of the kind is shown; nil once what the app asks the device for in
  ///   consequence has ended.
  func take(_ act: UserAct, _ done: @escaping @Sendable (_ failure: String?) -> Void) {
    guard isPatient else { return answer(act, done) }
    waiting.append((act, done))
    takeWaiting()
  }

  /// Has the user go on once the code that shows something has returned.
  private func takeWaiting() {
    guard !waiting.isEmpty, !shown.isEmpty else { return }
    Callback.onMain("UIAlertAction's handler") { [self] in
      guard !waiting.isEmpty, !shown.isEmpty else { return }
      let next = waiting.removeFirst()
      answer(next.act, next.done)
      takeWaiting()
    }
  }

  private func answer(
    _ act: UserAct, _ done: @escaping @Sendable (_ failure: String?) -> Void
  ) {
    switch act {
    case .tap(let button, let title):
      guard let alert = shown.last as? UIAlertController else {
        return done(absence(of: "alert"))
      }
      tap(button, of: alert, titled: title, done)
    case .choose(let destination):
      guard let sheet = shown.last as? UIActivityViewController else {
        return done(absence(of: "share sheet"))
      }
      close(sheet)
      sheet.share(with: destination) { done(nil) }
    case .pick(let document):
      guard let picker = shown.last as? UIDocumentPickerViewController else {
        return done(absence(of: "document picker"))
      }
      if let objection = picker.objection(to: document) { return done(objection) }
      close(picker)
      picker.pick(document, done)
    case .cancel:
      guard let prompt = shown.last as? any UIViewController & CancellablePrompt else {
        return done(absence(of: "share sheet or document picker"))
      }
      close(prompt)
      prompt.didCancel()
      done(nil)
    case .scene, .launch: done(nil)
    }
  }

  /// Taps a button, which runs its handler.
  private func tap(
    _ button: String, of alert: UIAlertController, titled title: String?,
    _ done: @escaping @Sendable (_ failure: String?) -> Void
  ) {
    if let objection = objection(to: button, of: alert, titled: title) { return done(objection) }
    let action = alert.actions.first { $0.title == button }
    close(alert)
    // The handler of an extension may complete its request, after which the device ends it.
    if isPatient { done(nil) }
    if let action { action.handler?(action) }
    if !isPatient { done(nil) }
  }

  /// The reason why a button cannot be tapped; nil: it can.
  private func objection(
    to button: String, of alert: UIAlertController, titled title: String?
  ) -> String? {
    if let title, title != alert.title ?? "" {
      return "in front is \(alert.words), and none titled `\(title)`"
    }
    let actions = alert.actions.filter { $0.title == button }
    guard let action = actions.first else {
      return "the alert in front has no button `\(button)`; it is \(alert.words)"
    }
    guard actions.count == 1 else {
      return "the alert in front has \(actions.count) buttons `\(button)`: which one is meant?"
    }
    return action.isEnabled ? nil : "the button `\(button)` is not enabled"
  }

  private func absence(of prompt: String) -> String {
    let absence = "the app shows no \(prompt)"
    if isSignInShown() {
      return absence + "; it asks its user to sign in, which the step `signIn` does"
    }
    guard let front = shown.last else {
      return absence + "; one that comes later, `wait: { said: … }` waits for"
    }
    guard let alert = front as? UIAlertController else {
      return "\(absence); in front is `\(front.named)`"
    }
    return "\(absence); in front is \(alert.words), which `tap` answers"
  }

  private func close(_ prompt: UIViewController) {
    remove(prompt)
    prompt.presentingViewController?.endPresentation()
  }
}

/// A prompt that the user can close without a choice.
@MainActor protocol CancellablePrompt {
  func didCancel()
}
