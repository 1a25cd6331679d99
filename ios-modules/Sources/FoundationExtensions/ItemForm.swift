/// The form in which `loadItem` hands over the bytes that another app has shared.
///
/// On iOS it depends on how the sharing app has registered them. Here it depends on type and name, as the system's own
/// apps do: text and links are objects, pictures and documents are files.
package enum ItemForm: Equatable, Sendable {
  /// An `NSURL`.
  case url
  /// An `NSString`.
  case text
  /// A dictionary, an array, or another object of a property list.
  case propertyList
  /// The `NSURL` of a temporary file.
  case file
  /// `NSData`.
  case data

  /// - Parameter name: the suggested name; nil where the item has none, and is no file.
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
