public import Dispatch

extension DispatchGroup {
  /// Runs `work` when the group is empty, under the thread identity of who calls this.
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    queue: IdentityDispatchQueue, execute work: @escaping @Sendable () -> Void
  ) {
    notify(qos: qos, flags: flags, queue: queue.queue, execute: carryingIdentity(work))
  }

  /// Runs `item` when the group is empty.
  public func notify(queue: IdentityDispatchQueue, work item: IdentityDispatchWorkItem) {
    notify(queue: queue.queue, work: item.workItem)
  }
}
