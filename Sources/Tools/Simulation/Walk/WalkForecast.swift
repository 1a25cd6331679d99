/// What a step comes to.
enum WalkAnswer: String {
  /// Nothing was decided.
  case none = "not decided"
  case allowed
  case encrypted = "delivered encrypted"
  case refused
  /// Allowed, and there was nothing to do it with.
  case failed
}

/// What the model expects of a step.
struct WalkForecast {
  var answer = WalkAnswer.none
  /// Whether data stays with those whom no policy protects, which must always be allowed.
  var isPersonal = false
  /// What apps receive by it.
  var arrivals: [WalkArrival] = []
  /// Whether something waits for an app that is suspended.
  var isWaiting = false
  /// What is read, and whether by the organisation's account; nil: nothing is.
  var found: (bytes: [UInt8], byWork: Bool)?
  /// From which app an account is gone with all that was its own.
  var parted: (account: WalkAccount, app: WalkApp)?

  init(_ answer: WalkAnswer = .none) { self.answer = answer }
}

/// Something on its way into an app.
struct WalkArrival {
  var app: WalkApp
  /// Who handed it over.
  var from: WalkApp
  /// nil: ciphertext.
  var content: WalkContent?
  /// Whether the organisation's account gets it.
  var toWork: Bool
}

/// A text, and whose.
struct WalkContent {
  var text: WalkText
  var bytes: [UInt8]
  var owner: WalkAccount?
  /// Whether the organisation owns it.
  var isWork: Bool
}
