import Model

/// Data that come somewhere by a move, as one of an app's personas has them then.
struct Arrival {
  var app: Int
  var persona: Int
  var hop: LeakHop

  /// The data, as what the persona has of its own: nothing tells where they came from.
  var state: Possession { Possession(app: app, form: .own(persona: persona)) }
}
