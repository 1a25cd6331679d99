internal import AppProcess
internal import SluiceKit
internal import Wire

/// The prompts that the app shows to the user: alerts, share sheets and document pickers. Steps of a scenario answer
/// them in the user's place. The prompt that was shown last is in front.
@MainActor final class PresentedPrompts {
  static let shared = PresentedPrompts(signIn: AppProcess.current.signInPrompts)

  /// The shown prompts. The last one is in front.
  private(set) var shown: [UIViewController] = []

  /// The sign-in prompts, which are not view controllers.
  private let signIn: SignInPrompts
  /// Whether a user action waits if no prompt is shown yet. True in extensions, because a process runs for a single
  /// request.
  var isPatient = false
  private var waiting: [(act: UserAct, done: @Sendable (String?) -> Void)] = []

  init(signIn: SignInPrompts = SignInPrompts()) { self.signIn = signIn }

  func add(_ prompt: UIViewController) {
    shown.append(prompt)
    takeWaiting()
  }

  func remove(_ prompt: UIViewController) { shown.removeAll { $0 === prompt } }

  /// Performs a user action on the prompt in front, and dismisses the prompt. If no prompt is shown, a tap presses a
  /// button of the app.
  ///
  /// - Parameter done: Called with nil after the app has handled the action. If the action is not possible, called with
  ///   the reason.
  func take(_ act: UserAct, _ done: @escaping @Sendable (_ failure: String?) -> Void) {
    guard isPatient else { return answer(act, done) }
    waiting.append((act, done))
    takeWaiting()
  }

  /// Performs the waiting actions, one by one. Each runs after the code that shows the prompt has returned.
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
        guard shown.isEmpty, title == nil, let control = shownButton(titled: button) else {
          return done(absence(of: "alert"))
        }
        guard control.isEnabled else { return done("the button `\(button)` is not enabled") }
        control.press()
        return done(nil)
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
        guard shown.isEmpty, signIn.dismiss() else {
          return done(absence(of: "sign-in, share sheet or document picker"))
        }
        // MSAL's completion block is called before, because it is in the queue already.
        return Callback.onMain("a dismissed sign-in") { done(nil) }
      }
      close(prompt)
      prompt.didCancel()
      done(nil)
    case .scene, .launch: done(nil)
    }
  }

  /// Dismisses an alert with a button, and runs the button's handler.
  private func tap(
    _ button: String, of alert: UIAlertController, titled title: String?,
    _ done: @escaping @Sendable (_ failure: String?) -> Void
  ) {
    if let objection = objection(to: button, of: alert, titled: title) { return done(objection) }
    let action = alert.actions.first { $0.title == button }
    close(alert)
    // An extension's handler may complete its request. The device then ends the extension, so the
    // action is reported first.
    if isPatient { done(nil) }
    if let action { action.handler?(action) }
    if !isPatient { done(nil) }
  }

  /// Returns the reason why the user cannot tap the button; nil if the user can.
  private func objection(
    to button: String, of alert: UIAlertController, titled title: String?
  ) -> String? {
    if let title, title != alert.title ?? "" {
      return "no alert titled `\(title)` is in front; in front is \(alert.words)"
    }
    let actions = alert.actions.filter { $0.title == button }
    guard let action = actions.first else {
      return "the alert in front has no button `\(button)`; it is \(alert.words)"
    }
    guard actions.count == 1 else {
      return "the alert in front has \(actions.count) buttons `\(button)`; expected one"
    }
    return action.isEnabled ? nil : "the button `\(button)` is not enabled"
  }

  /// Returns the app's visible button with this title; nil if there is none.
  private func shownButton(titled title: String) -> (any PressableButton)? {
    UIApplication.shared.windows.lazy
      .compactMap { $0.rootViewController?.button(titled: title) ?? $0.button(titled: title) }
      .first
  }

  private func absence(of prompt: String) -> String {
    let absence = "the app shows no \(prompt)"
    if signIn.isShown {
      return absence + "; it asks its user to sign in, which the steps `signIn` and `cancel` answer"
    }
    guard let front = shown.last else {
      return absence + "; if it shows one later, first wait with `wait: { said: … }`"
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

/// A button that the step `tap` presses.
@MainActor protocol PressableButton: AnyObject {
  var isEnabled: Bool { get }
  func press()
}

extension UIButton: PressableButton {
  func press() { sendActions(for: [.touchUpInside, .primaryActionTriggered]) }
}

extension UIBarButtonItem: PressableButton {}

/// A prompt that the user can cancel.
@MainActor protocol CancellablePrompt {
  func didCancel()
}

extension UIViewController {
  /// Returns the first button with this title; nil if there is none. If this controller presents another one, only the
  /// presented controller is searched. Otherwise, this controller and its visible children are searched.
  fileprivate func button(titled title: String) -> (any PressableButton)? {
    if let presentedViewController { return presentedViewController.button(titled: title) }
    return viewIfLoaded?.button(titled: title) ?? navigationItem.button(titled: title)
      ?? shownChildren.lazy.compactMap { $0.button(titled: title) }.first
  }
}

extension UIView {
  /// Returns the first button with this title in the tree; nil if there is none. Hidden views are skipped.
  fileprivate func button(titled title: String) -> UIButton? {
    guard !isHidden else { return nil }
    if let button = self as? UIButton, button.currentTitle == title { return button }
    return subviews.lazy.compactMap { $0.button(titled: title) }.first
  }
}
