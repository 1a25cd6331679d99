/// A share sheet: every destination on the device, shown or hidden.
package struct Sheet: Sendable {
  package var sharing: Sharing
  /// The destinations, those that are shown before those that are hidden; in each group Open-In actions, share
  /// extensions, apps, action extensions and the system's actions, in the order of installation.
  package var destinations: [SheetDestination]

  /// Makes the share sheet that the user sees, and what it hides.
  package init(_ sharing: Sharing, apps: [SheetApp], extensions: [SheetExtension]) {
    let builder = SheetBuilder(sharing, apps: apps, extensions: extensions)
    self.sharing = sharing
    let kinds = SheetDestination.Kind.allCases
    var groups: [[SheetDestination]] = Array(repeating: [], count: 2 * kinds.count)
    func add(_ destination: SheetDestination) {
      let place = kinds.firstIndex(of: destination.kind) ?? 0
      groups[destination.visibility == .hidden ? kinds.count + place : place].append(destination)
    }
    for one in extensions { add(builder.destination(one)) }
    for app in apps { add(builder.destination(app)) }
    for action in BuiltInAction.allCases { add(builder.destination(action)) }
    destinations = groups.flatMap(\.self)
  }

  /// The destinations with a name, a title or a bundle id `name`, in any casing.
  package func destinations(named name: String) -> [SheetDestination] {
    let key = name.lowercased()
    return destinations.filter { destination in
      [destination.name, destination.title, destination.bundleID ?? ""].contains {
        $0.lowercased() == key
      }
    }
  }
}
