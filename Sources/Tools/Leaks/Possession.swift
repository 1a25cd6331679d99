/// What an app has of somebody's data: a state of the search.
struct Possession: Hashable {
  /// The app's index in the world.
  var app: Int
  var form: Form

  /// The form in which an app has data, by which rules tell whose they are when the app hands them on.
  enum Form: Hashable {
    /// Under a tag that states this owner, by UPN in lower case; `""` for nobody.
    case tagged(owner: String)
    /// As content of the app's own, for the persona of that index.
    case own(persona: Int)
  }
}
