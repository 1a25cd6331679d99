internal import Model
internal import Policy

extension Scene.Subject {
  /// The subject in a word or two; nil where there is none.
  var word: String? {
    switch self {
    case .none: nil
    case .text(let length): "\(length) character\(length == 1 ? "" : "s")"
    case .url(let url, let opener): opener.scheme.map { "\(url) in \($0):" } ?? url
    case .location(let location): location.rawValue
    case .page(let webViews, let page): page == .external ? "externalPage" : webViews.rawValue
    }
  }

  /// The subject in a word; nil for texts, which have no names, and where there is none.
  var name: String? {
    if case .text = self { nil } else { word }
  }
}
