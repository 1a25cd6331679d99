internal import SluiceKit
internal import Synchronization
internal import Testing
@testable internal import UIKit
internal import Wire

@MainActor @Suite struct PresentedPromptsTests {
  private let prompts = PresentedPrompts()

  /// Performs a user's action. Returns nil, or the reason why the action was not performed.
  private func take(_ act: UserAct) -> String? {
    let answer = Mutex<String?>("no answer")
    prompts.take(act) { failure in answer.withLock { $0 = failure } }
    return answer.withLock { $0 }
  }

  @Test func `a tap on an alert's button runs the handler and closes the alert`() {
    var tapped: [String] = []
    let alert = UIAlertController(title: "Delete?", message: nil, preferredStyle: .alert)
    for title in ["Delete", "Cancel"] {
      alert.addAction(UIAlertAction(title: title, style: .default) { _ in tapped.append(title) })
    }
    prompts.add(alert)
    #expect(
      take(.tap(button: "Keep", title: nil))
        == "the alert in front has no button `Keep`; it is the alert `Delete?`; buttons: `Delete`, `Cancel`"
    )
    #expect(
      take(.tap(button: "Delete", title: "Keep?"))
        == "no alert titled `Keep?` is in front; in front is the alert `Delete?`; buttons: `Delete`, `Cancel`"
    )
    #expect(take(.tap(button: "Delete", title: "Delete?")) == nil)
    #expect(tapped == ["Delete"])
    #expect(prompts.shown.isEmpty)
    #expect(
      take(.tap(button: "Delete", title: nil))
        == "the app shows no alert; if it shows one later, first wait with `wait: { said: … }`")
  }

  @Test func `a disabled button cannot be tapped`() {
    let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
    let action = UIAlertAction(title: "OK", style: .default)
    action.isEnabled = false
    alert.addAction(action)
    prompts.add(alert)
    #expect(take(.tap(button: "OK", title: nil)) == "the button `OK` is not enabled")
    #expect(prompts.shown.count == 1)
  }

  @Test func `the alert presented last is frontmost`() {
    var answered: [Int] = []
    for number in 1...2 {
      let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
      alert.addAction(UIAlertAction(title: "OK", style: .cancel) { _ in answered.append(number) })
      prompts.add(alert)
    }
    #expect(take(.tap(button: "OK", title: nil)) == nil)
    #expect(answered == [2])
  }

  @Test func `an alert behind another view controller cannot be answered`() {
    let alert = UIAlertController(title: "A", message: nil, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default))
    prompts.add(alert)
    prompts.add(UIActivityViewController(activityItems: [], applicationActivities: nil))
    #expect(
      take(.tap(button: "OK", title: nil))
        == "the app shows no alert; in front is `UIActivityViewController`")
    #expect(take(.cancel) == nil)
    #expect(take(.tap(button: "OK", title: nil)) == nil)
  }

  @Test func `a share sheet can be closed`() {
    var ends: [Bool] = []
    let sheet = UIActivityViewController(activityItems: ["a"], applicationActivities: nil)
    sheet.completionWithItemsHandler = { _, isDone, _, _ in ends.append(isDone) }
    prompts.add(sheet)
    #expect(
      take(.tap(button: "OK", title: nil))
        == "the app shows no alert; in front is `UIActivityViewController`")
    #expect(take(.cancel) == nil)
    #expect(
      take(.cancel)
        == "the app shows no sign-in, share sheet or document picker; if it shows one later, first wait with `wait: { said: … }`"
    )
    #expect(ends == [false])
  }

  @Test func `a document picker rejects documents of types that it does not offer`() {
    let picker = UIDocumentPickerViewController(forOpeningContentTypes: [.pdf, .image])
    prompts.add(picker)
    #expect(
      take(.pick(PickedDocument(Item(text: "a"))))
        == "the document picker offers `com.adobe.pdf`, `public.image`, but not `public.utf8-plain-text`"
    )
    #expect(
      take(.pick(PickedDocument()))
        == "the app opens a document, but the step states none; add `text` or `file`")
    var item = Item(text: "a")
    item.name = "figures.pdf"
    #expect(picker.objection(to: PickedDocument(item)) == nil)
    item.type = "public.png"
    #expect(picker.objection(to: PickedDocument(item)) == nil)
    item.type = "public.html"
    #expect(picker.objection(to: PickedDocument(item)) != nil)
    #expect(
      picker.objection(to: PickedDocument(location: .dropbox))
        == "apps cannot open documents from `dropbox`; choose another `location`")
    #expect(prompts.shown == [picker])
  }
}
