/// The form in which `loadItem` returns bytes from another app.
///
/// On iOS, the form depends on how the sharing app registers them. Here, it depends on type and name, as in the
/// system's own apps: text and links are objects, images and documents are files.
package enum ItemForm: Equatable, Sendable {
  /// An `NSURL`.
  case url
  /// An `NSString`.
  case text
  /// A dictionary, an array, or another property list object.
  case propertyList
  /// The `NSURL` of a temporary file.
  case file
  /// `NSData`.
  case data

  /// - Parameter name: the suggested name; nil if the item has none and is therefore not a file.
  package init(type: String, name: String?) {
    let conforms = { TypeMatching.conforms(type, to: $0) }
    self =
      if conforms("public.url") {
        .url
      } else if conforms("com.apple.property-list") {
        .propertyList
      } else if conforms("public.text"), name == nil {
        .text
      } else if conforms("public.image") || conforms("public.audiovisual-content") || name != nil {
        .file
      } else {
        .data
      }
  }
}
