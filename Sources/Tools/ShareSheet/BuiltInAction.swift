internal import UniformTypes

/// An action that the system itself offers in a share sheet.
package enum BuiltInAction: String, Sendable, CaseIterable {
  case airDrop
  case messageComposer
  case mailComposer
  case copy
  case saveToPhotos
  case saveToFiles
  case print

  package var title: String {
    switch self {
    case .airDrop: "AirDrop"
    case .messageComposer: "Message"
    case .mailComposer: "Mail"
    case .copy: "Copy"
    case .saveToPhotos: "Save to Photos"
    case .saveToFiles: "Save to Files"
    case .print: "Print"
    }
  }

  /// The content that the action takes, for people; nil: any.
  var takes: String? {
    switch self {
    case .airDrop, .messageComposer, .mailComposer, .copy: nil
    case .saveToPhotos: "images and movies"
    case .saveToFiles: "files, images, movies and sound"
    case .print: "text, images, PDF and office documents"
    }
  }

  /// Whether the action is offered for content of the type, which the app's own sharing hands to the system as it is.
  ///
  /// Which types the system prints and stores is assumed (`docs/ASSUMPTIONS.md`, share sheet).
  func takes(_ content: Sharing.Content, in library: TypeLibrary) -> Bool {
    guard let types else { return true }
    if self == .saveToFiles, content.fileName != nil { return true }
    return content.types.contains { type in
      let registered = library.registered(type)
      return types.contains { library.conforms(registered, to: $0) }
    }
  }

  /// The types that the action takes; nil: any.
  private var types: [TypeReference]? {
    switch self {
    case .airDrop, .messageComposer, .mailComposer, .copy: nil
    case .saveToPhotos: Self.photos
    case .saveToFiles: Self.files
    case .print: Self.printed
    }
  }

  private static let photos = ["public.image", "public.movie"].map(TypeReference.init)
  private static let files = ["public.image", "public.audiovisual-content"].map(TypeReference.init)
  private static let printed = [
    "public.text", "public.image", "public.composite-content", "public.presentation",
    "public.spreadsheet",
  ].map(TypeReference.init)
}
