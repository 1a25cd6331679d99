internal import Host
internal import Model
internal import Scenario

/// The output of guests in a case, by the name of the app or extension.
struct CaseOutput {
  private var byGuest: [String: GuestOutput] = [:]

  /// The outputs in the order of their guests' names.
  var all: [GuestOutput] { byGuest.sorted { $0.key < $1.key }.map(\.value) }

  mutating func append(_ writing: GuestWriting, of guest: String) {
    let name = InstanceName(guest)?.extension ?? guest
    byGuest[name, default: GuestOutput(guest: name)].append(writing)
  }
}

extension GuestOutput {
  fileprivate mutating func append(_ writing: GuestWriting) {
    switch writing {
    case .log(let text): append(lines: text)
    case .stream(let text): append(text)
    }
  }
}
