import Analysis
import Model
import Policy
import TestSupport
import Testing

@Suite struct ExplainedVerdictTextTests {
  private static let policy = Samples.policy("common", Samples.common)

  private static func text(_ scene: Scene) -> String {
    let request = scene.request(under: policy)
    return Explainer.explain(request, evaluate(request)).text(on: request)
  }

  @Test func `explained verdicts match the golden file`() throws {
    let scenes = [
      Scene(.share, Parties(.managed, to: .unmanaged)),
      Scene(.share, via: .os, Parties(.managed, to: .unmanaged)),
      Scene(.share, Parties(.managed, to: .otherOrganisation)),
      Scene(.clipboard, Parties(.orgData, to: .unmanaged), .text(51), .enrolled),
      Scene(.saveTo, Parties(.managed, to: .unmanaged), .location(.dropbox)),
      Scene(.openFrom, Parties(.otherOrganisation, to: .managed), .location(.box)),
      Scene(.openURL, Parties(.managed, to: .unmanaged), .url("https://www.example.org/")),
      Scene(.webView, Parties(.managed, to: .system), .page(.currentIdentity, .external)),
      Scene(.documentPickerImport, Parties(.system, to: .managed)),
      Scene(.print, Parties(.managed, to: .system)),
    ]
    try checkGolden(
      scenes.map(Self.text).joined(separator: "\n"), "Tests/AnalysisTests/Golden/explain.txt")
  }

  @Test func `the text of a verdict marks the deciding rule`() {
    let text = Self.text(Scene(.share, Parties(.unmanaged, to: .managed)))
    #expect(text.hasPrefix("BLOCKED: org.example.viewer (no account, unmanaged) -> "))
    #expect(text.contains("> 2. receiveManagedAppsFromUnmanaged (receiver) decides (documented)\n"))
    #expect(text.contains("  1. unmanagedSender (sender)\n"))
    #expect(text.contains("To allow it:\n"))
  }
}
