internal import Encodings

extension Action {
  /// What a step waits for.
  public enum Wait: Sendable, Equatable {
    /// Until no guest works, and nothing is on its way.
    case idle
    /// Real time.
    case duration(seconds: Int)
    case item(ExpectedItem)

    /// The longest that can be waited for without a reason, in seconds of real time.
    public static let longest = 30
  }

  /// An item that has come to an app, or will. What is nil may be anything.
  public struct ExpectedItem: Sendable, Equatable {
    /// Name of the guest that gets it, or of an extension.
    public var guest: String
    public var text: String?
    /// Uniform type.
    public var type: String?
    /// Name of the guest that it comes from, or a bundle id.
    public var sender: String?

    public init(guest: String, text: String? = nil, type: String? = nil, sender: String? = nil) {
      self.guest = guest
      self.text = text
      self.type = type
      self.sender = sender
    }
  }
}

extension Action.Wait {
  var text: String {
    switch self {
    case .idle: "wait until nothing is on its way"
    case .duration(let seconds): "wait \(ISODuration.text(seconds)) of real time"
    case .item(let item): "wait until \(item.guest) gets \(item.words)"
    }
  }
}

extension Action.ExpectedItem {
  /// `` `Minutes` of the type public.text from mail ``.
  public var words: String {
    let what = text.map { Excerpt($0).words } ?? "an item"
    return what + (type.map { " of the type \($0)" } ?? "") + (sender.map { " from \($0)" } ?? "")
  }
}
