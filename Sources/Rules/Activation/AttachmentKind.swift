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

  /// The key by which a rule supports the kind.
  package var key: String {
    self == .text
      ? "NSExtensionActivationSupportsText"
      : "NSExtensionActivationSupports\(rawValue)WithMaxCount"
  }

  /// The plural noun for attachments of this kind in messages.
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

  /// The types that make an attachment one of the kind: one of its types is among `sufficient`, or one is among
  /// `accepted` and none among `refused`. "Among" means conforming to one of them, or with strict matching being one.
  struct Types: Sendable {
    var sufficient: [String] = []
    var accepted: [String] = []
    var refused: [String] = []
  }

  var types: Types {
    switch self {
    case .image: Types(accepted: ["public.image"])
    case .movie: Types(accepted: ["public.movie"])
    case .webURL: Types(accepted: ["public.url"], refused: ["public.file-url"])
    case .webPage:
      Types(accepted: [
        "com.apple.active-webpage", "com.apple.property-list", "com.apple.webarchive",
      ])
    case .text: Types(accepted: ["public.text"])
    case .file:
      Types(
        sufficient: ["public.file-url"], accepted: ["public.data", "public.directory"],
        refused: ["public.url"])
    }
  }
}
