/// What the app shows to its user and waits for: alerts, share sheets, document pickers. Somebody answers in the user's
/// place; the last that was shown is in front.
@MainActor public final class PresentedPrompts {
  public static let shared = PresentedPrompts()

  /// The prompts, the last that was shown at the end.
  public private(set) var shown: [UIViewController] = []

  init() {}

  func add(_ prompt: UIViewController) { shown.append(prompt) }
  func remove(_ prompt: UIViewController) { shown.removeAll { $0 === prompt } }

  /// Taps a button of the alert in front, which goes away, and runs the button's handler.
  ///
  /// - Returns: false where no alert is shown, or it has no such button that is enabled.
  @discardableResult
  public func answer(button title: String) -> Bool {
    guard let alert = last(UIAlertController.self),
      let action = alert.actions.first(where: { $0.title == title && $0.isEnabled })
    else { return false }
    close(alert)
    action.handler?(action)
    return true
  }

  /// Chooses an app or extension in the share sheet in front.
  ///
  /// - Returns: false where no share sheet is shown.
  @discardableResult
  public func share(with bundleIdentifier: String) -> Bool {
    guard let sheet = last(UIActivityViewController.self) else { return false }
    close(sheet)
    sheet.share(with: bundleIdentifier)
    return true
  }

  /// Closes the share sheet or document picker in front without a choice.
  ///
  /// - Returns: false where none is shown.
  @discardableResult
  public func cancel() -> Bool {
    guard let prompt = shown.last(where: { $0 is any CancellablePrompt }) else { return false }
    close(prompt)
    (prompt as? any CancellablePrompt)?.didCancel()
    return true
  }

  func last<Prompt: UIViewController>(_ type: Prompt.Type) -> Prompt? {
    shown.last { $0 is Prompt } as? Prompt
  }

  func close(_ prompt: UIViewController) {
    remove(prompt)
    prompt.presentingViewController?.endPresentation()
  }
}

/// A prompt that the user can close without a choice.
@MainActor protocol CancellablePrompt {
  func didCancel()
}
