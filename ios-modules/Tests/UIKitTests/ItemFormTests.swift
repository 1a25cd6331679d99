internal import FoundationExtensions
internal import Testing

@Suite struct ItemFormTests {
  @Test(arguments: [
    ("public.url", nil, ItemForm.url), ("public.file-url", "a", .url),
    ("public.plain-text", nil, .text), ("public.plain-text", "a.txt", .file),
    ("public.jpeg", nil, .file), ("public.movie", nil, .file), ("com.adobe.pdf", "a.pdf", .file),
    ("com.adobe.pdf", nil, .data), ("com.apple.property-list", nil, .propertyList),
    ("com.microsoft.intune.mam.public.url", nil, .url), ("org.example.note", nil, .data),
  ])
  func `an item becomes a URL, text, file or data by its type and name`(
    _ type: String, _ name: String?, _ form: ItemForm
  ) {
    #expect(ItemForm(type: type, name: name) == form)
  }
}
