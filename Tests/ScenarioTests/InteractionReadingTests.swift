import Model
import Testing

@testable import Scenario

/// Tests steps in which a user answers an app's prompt.
@Suite struct InteractionReadingTests {
  @Test func `every interaction step is read`() throws {
    let steps = try ScenarioReadingTests.steps(
      """
      - tap: { app: mail, button: Remove }
      - tap: { app: mail, button: "1", alert: "Remove?" }
      - chooseActivity: { app: mail, to: notes-1 }
      - chooseActivity: { app: mail, to: org.example.gone }
      - pickDocument: { app: mail, text: Figures }
      - pickDocument: { app: mail, file: { name: a.pdf, text: x }, type: com.adobe.pdf }
      - pickDocument: { app: mail, location: oneDriveForBusiness, account: anna }
      - pickDocument: { app: mail, location: photos, text: x }
      - pickDocument: { app: mail }
      - cancel: mail
      """)
    var pdf = Item(text: "x")
    pdf.name = "a.pdf"
    pdf.type = "com.adobe.pdf"
    let expected: [Action.Interaction.Kind] = [
      .tap(button: "Remove", alert: nil), .tap(button: "1", alert: "Remove?"),
      .choose(destination: "notes-1"), .choose(destination: "org.example.gone"),
      .pick(item: Item(text: "Figures"), location: nil, account: .unset),
      .pick(item: pdf, location: nil, account: .unset),
      .pick(item: nil, location: .oneDriveForBusiness, account: .account("anna")),
      .pick(item: Item(text: "x"), location: .photos, account: .unset),
      .pick(item: nil, location: nil, account: .unset), .cancel,
    ]
    #expect(
      steps.map(\.action) == expected.map { Action(Action.Interaction(guest: "mail", kind: $0)) })
    #expect(
      steps.map(\.text) == [
        "the user of mail taps `Remove`", "the user of mail taps `1` of `Remove?`",
        "the user of mail chooses notes-1 in the share sheet",
        "the user of mail chooses org.example.gone in the share sheet",
        "the user of mail picks `Figures`", "the user of mail picks `a.pdf`",
        "the user of mail picks a document at oneDriveForBusiness of anna",
        "the user of mail picks `x` at photos", "the user of mail picks a document",
        "the user of mail dismisses the app's prompt without a choice",
      ])
  }

  @Test(arguments: [
    ("tap: { app: mail }", "missing-key", "a tap needs `button`"),
    ("tap: { app: mail, buton: OK }", "unknown-key", "did you mean `button`?"),
    ("chooseActivity: { app: mail, to: nots }", "unknown-name", "did you mean `notes`?"),
    ("pickDocument: { text: x }", "missing-key", "a choice needs `app`"),
    (
      "pickDocument: { app: mail, text: x, account: anna }", "conflicting-keys",
      "`account` requires a `location`; add one"
    ),
    (
      "pickDocument: { app: mail, location: camera, account: anna }", "conflicting-keys",
      "`camera` belongs to no account; leave `account` out"
    ),
    ("pickDocument: { app: mail, location: onedrive }", "invalid-value", "oneDriveForBusiness"),
    ("cancel: mial", "unknown-name", "did you mean `mail`?"),
  ]) func `invalid interaction steps are reported`(step: String, code: String, message: String)
    throws
  {
    let error = try #require(throws: ScenarioError.self) {
      try ScenarioReadingTests.steps("- \(step)")
    }
    #expect(error.code.rawValue == code)
    #expect(error.message.contains(message), "\(error.message)")
  }
}
