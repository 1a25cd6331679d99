internal import SluiceKit

/// What the app shows to its user and waits for: alerts, share sheets, document pickers. Steps of a scenario answer in
/// the user's place; the last that was shown is in front.
@MainActor final class PresentedPrompts {
  static let shared = PresentedPrompts()

  /// The prompts, the last that was shown at the end.
  private(set) var shown: [UIViewController] = []

  init() {}

  func add(_ prompt: UIViewController) { shown.append(prompt) }
  func remove(_ prompt: UIViewController) { shown.removeAll { $0 === prompt } }

  /// Has the user do something with what is in front, which goes away.
  ///
  /// - Parameter done: takes the reason why nothing of the kind is shown; nil once what the app asks the device for in
  ///   consequence has ended.
  func take(_ act: UserAct, _ done: @escaping @Sendable (_ failure: String?) -> Void) {
    switch act {
    case .tap(let button, let title):
      guard let alert = last(UIAlertController.self) else { return done(absence(of: "alert")) }
      done(tap(button, of: alert, titled: title))
    case .choose(let destination):
      guard let sheet = last(UIActivityViewController.self) else {
        return done(absence(of: "share sheet"))
      }
      close(sheet)
      sheet.share(with: destination) { done(nil) }
    case .pick(let document):
      guard let picker = last(UIDocumentPickerViewController.self) else {
        return done(absence(of: "document picker"))
      }
      if let objection = picker.objection(to: document) { return done(objection) }
      close(picker)
      picker.pick(document, done)
    case .cancel:
      guard let prompt = shown.last(where: { $0 is any CancellablePrompt }) else {
        return done(absence(of: "share sheet or document picker"))
      }
      close(prompt)
      (prompt as? any CancellablePrompt)?.didCancel()
      done(nil)
    case .scene: done(nil)
    }
  }

  /// Taps a button, which runs its handler.
  ///
  /// - Returns: the reason why it cannot be tapped; nil: it was.
  private func tap(
    _ button: String, of alert: UIAlertController, titled title: String?
  ) -> String? {
    if let title, title != alert.title ?? "" {
      return "the alert in front is \(alert.title.map { "`\($0)`" } ?? "one without title")"
    }
    let titles = alert.actions.map { "`\($0.title ?? "")`" }.joined(separator: ", ")
    guard let action = alert.actions.first(where: { $0.title == button }) else {
      return "the alert in front has no button `\(button)`; it has \(titles)"
    }
    guard action.isEnabled else { return "the button `\(button)` is not enabled" }
    close(alert)
    action.handler?(action)
    return nil
  }

  private func absence(of prompt: String) -> String {
    guard let front = shown.last else { return "the app shows no \(prompt)" }
    return "the app shows no \(prompt); in front is `\(front.named)`"
  }

  private func last<Prompt: UIViewController>(_ type: Prompt.Type) -> Prompt? {
    shown.last { $0 is Prompt } as? Prompt
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
