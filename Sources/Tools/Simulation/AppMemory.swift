/// The apps that a device keeps in memory: of more, those that were used longest ago are ended, as iOS ends suspended ones.
struct AppMemory {
  /// The most apps that stay in memory.
  let limit: Int
  /// The apps that have been used, the last one last.
  private var used: [String] = []

  init(limit: Int) { self.limit = limit }

  /// Notes that apps are used.
  ///
  /// - Returns: those of the others that run, and have to make room.
  mutating func use(_ apps: [String], isRunning: (String) -> Bool) -> [String] {
    used.removeAll(where: apps.contains)
    let others = used.filter(isRunning)
    used += apps
    return Array(others.prefix(max(0, others.count + apps.count - limit)))
  }
}
