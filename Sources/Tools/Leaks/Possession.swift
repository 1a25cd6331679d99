/// What an app has of somebody's data: a state of the search.
struct Possession: Hashable {
  /// The app's index in the world.
  var app: Int
  var form: Form

  /// The form in which an app has data, by which rules tell whose they are when the app hands them on.
  enum Form: Hashable {
    /// As an item of a type under a tag that states this owner, by UPN in lower case; `""` for nobody.
    case tagged(owner: String, type: String)
    /// As content of the app's own, for the persona of that index, which makes an item of any type of it.
    case own(persona: Int)
  }
}
