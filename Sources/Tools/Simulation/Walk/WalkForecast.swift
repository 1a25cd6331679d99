/// The outcome of a step.
enum WalkAnswer: String {
  /// Nothing was decided.
  case none = "not decided"
  case allowed
  case encrypted = "delivered encrypted"
  case refused
  /// Allowed, but without anything to carry it out on.
  case failed
}

/// The model's expectation of a step.
struct WalkForecast {
  var answer = WalkAnswer.none
  /// Whether data stays among accounts that no policy protects, which must always be allowed.
  var isPersonal = false
  /// The items that apps receive by the step.
  var arrivals: [WalkArrival] = []
  /// Whether an item waits for a suspended app.
  var isWaiting = false
  /// The bytes that are read, and whether the organisation's account reads them; nil: none.
  var found: (bytes: [UInt8], byWork: Bool)?
  /// The account that is gone with all its data, and the app that it is gone from.
  var parted: (account: WalkAccount, app: WalkApp)?

  init(_ answer: WalkAnswer = .none) { self.answer = answer }
}

/// An item on its way into an app.
struct WalkArrival {
  var app: WalkApp
  /// The app that handed the item over.
  var from: WalkApp
  /// The content; nil: ciphertext.
  var content: WalkContent?
  /// Whether the organisation's account gets the item.
  var toWork: Bool
}

/// A text, its bytes and its owner.
struct WalkContent {
  var text: WalkText
  var bytes: [UInt8]
  var owner: WalkAccount?
  /// Whether the organisation owns the text.
  var isWork: Bool
}
