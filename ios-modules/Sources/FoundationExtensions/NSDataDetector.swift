public import Foundation

/// Detects links in text: words that contain `://` or begin with `www.`. Other links, addresses, dates and phone
/// numbers are not found.
open class NSDataDetector: NSObject, @unchecked Sendable {
  public let checkingTypes: UInt64
  private let links: NSRegularExpression

  public init(types checkingTypes: UInt64) throws {
    self.checkingTypes = checkingTypes
    links = try NSRegularExpression(
      pattern: #"\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>"]*[^\s<>".,;:!?')\]}]"#,
      options: .caseInsensitive)
  }

  open func matches(
    in string: String, options: NSRegularExpression.MatchingOptions = [], range: NSRange
  ) -> [NSTextCheckingResult] {
    guard checkingTypes & LinkCheckingResult.type.rawValue != 0 else { return [] }
    return links.matches(in: string, options: options, range: range).compactMap { match in
      let text = (string as NSString).substring(with: match.range)
      let url = URL(string: text.lowercased().hasPrefix("www.") ? "http://" + text : text)
      return url.map { LinkCheckingResult($0, at: match.range) }
    }
  }

  open func firstMatch(
    in string: String, options: NSRegularExpression.MatchingOptions = [], range: NSRange
  ) -> NSTextCheckingResult? { matches(in: string, options: options, range: range).first }

  open func numberOfMatches(
    in string: String, options: NSRegularExpression.MatchingOptions = [], range: NSRange
  ) -> Int { matches(in: string, options: options, range: range).count }

  open func enumerateMatches(
    in string: String, options: NSRegularExpression.MatchingOptions = [], range: NSRange,
    using block: (
      NSTextCheckingResult?, NSRegularExpression.MatchingFlags, UnsafeMutablePointer<ObjCBool>
    ) -> Void
  ) {
    var stops = ObjCBool(false)
    for match in matches(in: string, options: options, range: range) where !stops.boolValue {
      block(match, [], &stops)
    }
  }
}

extension NSTextCheckingResult {
  /// The detected link; nil for other results.
  public var url: URL? { (self as? LinkCheckingResult)?.link }
}

private final class LinkCheckingResult: NSTextCheckingResult {
  /// `CheckingType.link`, created from its raw value, because Foundation on Linux marks `link` as deprecated.
  static var type: CheckingType { CheckingType(rawValue: 1 << 6) }

  let link: URL
  private let place: NSRange

  init(_ link: URL, at place: NSRange) {
    self.link = link
    self.place = place
    super.init()
  }

  required init?(coder: NSCoder) { nil }

  override var range: NSRange { place }
  override var resultType: CheckingType { Self.type }
  override func range(at idx: Int) -> NSRange {
    idx == 0 ? place : NSRange(location: NSNotFound, length: 0)
  }
}
