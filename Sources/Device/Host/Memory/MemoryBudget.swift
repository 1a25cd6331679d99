/// The bytes that the device may still lend to guests.
final class MemoryBudget {
  private var rest: Int

  init(_ limit: Int) { rest = limit }

  /// Takes `count` bytes; false where fewer are left.
  func take(_ count: Int) -> Bool {
    guard count <= rest else { return false }
    rest -= count
    return true
  }

  func giveBack(_ count: Int) { rest += count }
}
