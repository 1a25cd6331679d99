/// Places that several apps share, as far as data have been left there: of what the first app leaves, all others get
/// it, of what the second does, the first.
struct SharedPlaces<Place: Hashable> {
  private var first: [Place: String] = [:]
  private var isRead: Set<Place> = []

  enum Readers: Equatable {
    case all
    case only(String)

    func includes(_ app: String) -> Bool {
      switch self {
      case .all: true
      case .only(let name): name == app
      }
    }
  }

  /// Who gets what an app leaves in a place; nil where all have it.
  mutating func readers(of place: Place, after app: String) -> Readers? {
    guard !isRead.contains(place) else { return nil }
    guard let name = first[place] else {
      first[place] = app
      return .all
    }
    guard name != app else { return nil }
    isRead.insert(place)
    return .only(name)
  }
}
