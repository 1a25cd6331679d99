/// The form in which `loadItem` returns bytes from another app.
///
/// On iOS, the form depends on how the sharing app registers the bytes. In this module, it depends
/// on the type and the name, as in the system's own apps: text and links are objects; images and
/// documents are files.
package enum ItemForm: Equatable, Sendable {
  /// An object of type `NSURL`.
  case url
  /// An object of type `NSString`.
  case text
  /// A dictionary, an array or a text from a property list.
  case propertyList
  /// The URL of a temporary file, as `NSURL`.
  case file
  /// An object of type `NSData`.
  case data

  /// Determines the form.
  ///
  /// - Parameter name: The suggested name; nil if the item has none and is therefore not a file.
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
