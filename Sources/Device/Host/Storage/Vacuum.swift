/// The erasure of deleted data from the database's files.
final class Vacuum {
  private let database: DeviceDatabase
  private let durability: Durability
  /// Whether the files may still hold deleted data.
  private var isDue = false

  init(_ database: DeviceDatabase, durability: Durability) {
    self.database = database
    self.durability = durability
  }

  /// Has deleted data erased when the device goes down.
  func schedule() { isDue = true }

  /// Erases deleted data now; when the device goes down, where another process is reading the database now or the disk has
  /// no room for a copy.
  func run() {
    durability.persist { () throws(HostError) in isDue = try database.vacuum() != .done }
  }

  func runIfDue() { if isDue { run() } }
}
