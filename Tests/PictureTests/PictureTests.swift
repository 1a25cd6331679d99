import Model
import Testing

@testable import Picture

@Suite struct PictureTests {
  @Test func `the same recordings make the same bytes`() {
    func page() -> String {
      var picture = Picture(title: "a <script>") { _ in nil }
      picture.add(Recording([], name: "one"))
      return picture.page()
    }
    #expect(page() == page())
    #expect(page().contains("a &lt;script&gt;"))
  }
}
