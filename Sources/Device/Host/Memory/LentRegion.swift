internal import SharedMemory

/// A region that a guest was lent: as long as it exists, it counts among all that the device lends.
final class LentRegion {
  let region: SharedRegion
  private let budget: MemoryBudget

  init(_ region: SharedRegion, _ budget: MemoryBudget) {
    self.region = region
    self.budget = budget
  }

  deinit { budget.giveBack(region.bytes.count) }
}
