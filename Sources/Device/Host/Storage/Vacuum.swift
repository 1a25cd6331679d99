/// Sees to it that nothing that was deleted is left in the database's files.
final class Vacuum {
  private let database: DeviceDatabase
  private let durability: Durability
  /// Whether the files may still hold what was deleted.
  private var isDue = false

  init(_ database: DeviceDatabase, durability: Durability) {
    self.database = database
    self.durability = durability
  }

  /// Something was deleted, and is erased when the device goes down.
  func schedule() { isDue = true }

  /// Erases what was deleted; where somebody reads the database just now, when the device goes down.
  func run() {
    durability.persist { () throws(HostError) in isDue = try !database.vacuum() }
  }

  func runIfDue() { if isDue { run() } }
}
