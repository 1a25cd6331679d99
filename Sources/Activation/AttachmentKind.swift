internal import UniformTypes

/// The kinds that a dictionary rule counts attachments by.
package enum AttachmentKind: String, Sendable, CaseIterable {
  case image = "Image"
  case movie = "Movie"
  case webURL = "WebURL"
  case webPage = "WebPage"
  case text = "Text"
  /// Any file that no other kind of the rule takes.
  case file = "File"

  /// The key by which a rule supports it.
  package var key: String {
    self == .text
      ? "NSExtensionActivationSupportsText"
      : "NSExtensionActivationSupports\(rawValue)WithMaxCount"
  }

  /// What messages call attachments of this kind.
  package var noun: String {
    switch self {
    case .image: "images"
    case .movie: "movies"
    case .webURL: "web URLs"
    case .webPage: "web pages"
    case .text: "text"
    case .file: "files"
    }
  }

  var types: Types { Self.types[self] ?? Types() }

  /// An attachment is of the kind where one of its types is among `sufficient`, or one among `accepted` and
  /// none among `refused`. Among means conforming to them, or with strict matching being one of them.
  struct Types: Sendable {
    var sufficient: [TypeReference] = []
    var accepted: [TypeReference] = []
    var refused: [TypeReference] = []

    init(sufficient: [String] = [], accepted: [String] = [], refused: [String] = []) {
      self.sufficient = sufficient.map(TypeReference.init)
      self.accepted = accepted.map(TypeReference.init)
      self.refused = refused.map(TypeReference.init)
    }
  }

  private static let types: [AttachmentKind: Types] = [
    .image: Types(accepted: ["public.image"]),
    .movie: Types(accepted: ["public.movie"]),
    .webURL: Types(accepted: ["public.url"], refused: ["public.file-url"]),
    .webPage: Types(accepted: [
      "com.apple.active-webpage", "com.apple.property-list", "com.apple.webarchive",
    ]),
    .text: Types(accepted: ["public.text"]),
    .file: Types(
      sufficient: ["public.file-url"], accepted: ["public.data", "public.directory"],
      refused: ["public.url"]),
  ]
}
