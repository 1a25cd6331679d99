import Output
import Testing

@Suite struct AppGlyphTests {
  /// The values are those of `hue` and `initial` in `map.js`; a test of pages compares both in a browser.
  @Test(arguments: [
    ("mail", "M", 119), ("mail-12", "M", 119), ("com.contoso.mail", "M", 119),
  ])
  func `an app has one glyph under all its names`(name: String, initial: String, hue: Int) {
    let glyph = AppGlyph(of: name)
    #expect(glyph.initial == initial)
    #expect(glyph.hue == hue)
  }

  @Test(arguments: [
    ("net.whatsapp.WhatsApp", "W"), ("", "?"), ("...", "?"), ("(ελλ)", "Ε"), ("7zip", "7"),
    ("a b.c", "A"), ("com.", "C"), ("-5", "5"),
  ])
  func `the initial is the first letter or digit`(name: String, initial: String) {
    let glyph = AppGlyph(of: name)
    #expect(glyph.initial == initial)
    #expect((0..<360).contains(glyph.hue))
  }
}
