/// A limit of the machine that bounds the number of guests.
struct GuestBound {
  /// The limit's name with its value, in words.
  let words: String
  /// The number of guests that run within it.
  let guests: Int
  /// The change that gives room for as many guests as are asked for.
  let change: String
}

extension PromiseFinding {
  /// A finding about the bounds of one kind.
  ///
  /// - Parameter guests: the number of guests that are asked for.
  init(_ promise: MachinePromise, _ bounds: [GuestBound], guests: Int) {
    let low = bounds.filter { $0.guests < guests }
    let least = bounds.map(\.guests).min() ?? Int.max
    guard !low.isEmpty else {
      let tightest = bounds.first { $0.guests == least }
      self.init(promise, .kept, tightest.map { Self.sentence($0) } ?? "no limit")
      return
    }
    self.init(
      promise, least > 0 ? .partly : .not, low.map { Self.sentence($0) }.joined(separator: "; "),
      open: least > 0
        ? "about \(least) ready-made guests run at a time, of \(guests)" : "no guest runs",
      change: low.map(\.change).joined(separator: "; "))
  }

  private static func sentence(_ bound: GuestBound) -> String {
    "\(bound.words), which carries about \(bound.guests) ready-made guests"
  }
}
