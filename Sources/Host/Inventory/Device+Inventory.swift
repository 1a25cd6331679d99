extension Device {
  /// Writes down what is not written as it happens, for a device that is to live on: which apps are installed beside
  /// those that were before, and what the clock shows.
  ///
  /// - Throws: ``HostError`` also where an app has the name that another bundle had.
  public func saveInventory() throws(HostError) {
    try database.remember(
      order.map { InstalledApp(name: $0.name, bundleID: $0.app.bundleID, team: $0.app.team) })
    try database.setClock(clock.now)
  }
}
