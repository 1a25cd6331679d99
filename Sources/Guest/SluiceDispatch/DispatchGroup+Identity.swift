public import Dispatch

extension DispatchGroup {
  /// Runs `work` when the group is empty, under the thread identity of the caller.
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    queue: IdentityDispatchQueue, execute work: @escaping @Sendable () -> Void
  ) {
    notify(qos: qos, flags: flags, queue: queue.queue, execute: carryingIdentity(work))
  }

  /// Runs `item` when the group is empty, under the identity of the item's creator.
  public func notify(queue: IdentityDispatchQueue, work item: IdentityDispatchWorkItem) {
    notify(queue: queue.queue, work: item.workItem)
  }
}
