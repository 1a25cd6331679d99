internal import Testing

@testable internal import UIKit

@MainActor @Suite struct PresentedPromptsTests {
  @Test func aTapRunsTheHandlerOfItsButton() {
    let prompts = PresentedPrompts()
    var tapped: [String] = []
    let alert = UIAlertController(title: "Delete?", message: nil, preferredStyle: .alert)
    for title in ["Delete", "Cancel"] {
      alert.addAction(UIAlertAction(title: title, style: .default) { _ in tapped.append(title) })
    }
    prompts.add(alert)
    #expect(!prompts.answer(button: "Keep"))
    #expect(prompts.answer(button: "Delete"))
    #expect(tapped == ["Delete"])
    #expect(prompts.shown.isEmpty)
    #expect(!prompts.answer(button: "Delete"))
  }

  @Test func aButtonThatIsDisabledCannotBeTapped() {
    let prompts = PresentedPrompts()
    let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
    let action = UIAlertAction(title: "OK", style: .default)
    action.isEnabled = false
    alert.addAction(action)
    prompts.add(alert)
    #expect(!prompts.answer(button: "OK"))
    #expect(prompts.shown.count == 1)
  }

  @Test func theLastAlertIsInFront() {
    let prompts = PresentedPrompts()
    var answered: [Int] = []
    for number in 1...2 {
      let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
      alert.addAction(UIAlertAction(title: "OK", style: .cancel) { _ in answered.append(number) })
      prompts.add(alert)
    }
    prompts.answer(button: "OK")
    #expect(answered == [2])
  }

  @Test func aShareSheetCanBeClosed() {
    let prompts = PresentedPrompts()
    var ends: [Bool] = []
    let sheet = UIActivityViewController(activityItems: ["a"], applicationActivities: nil)
    sheet.completionWithItemsHandler = { _, isDone, _, _ in ends.append(isDone) }
    prompts.add(sheet)
    #expect(prompts.cancel())
    #expect(!prompts.cancel())
    #expect(ends == [false])
  }
}
