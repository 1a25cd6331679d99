extension PromiseFinding {
  static func network(_ facts: MachineFacts) -> PromiseFinding {
    namespace(
      .network, facts, kept: "guests have a network without a way out",
      open: "guests see the machine's network, and one that may reach a server may connect to its "
        + "port on any machine")
  }

  static func processes(_ facts: MachineFacts) -> PromiseFinding {
    namespace(
      .processes, facts, kept: "guests have processes and queues of their own",
      open: "guests see the numbers of other processes, and what they start may outlive the host")
  }

  static func execution(_ facts: MachineFacts) -> PromiseFinding {
    namespace(
      .execution, facts, kept: "nothing in the device's folder is executed",
      open: "programs may execute what they have written, by `ld.so` or a mapping")
  }

  static func view(_ facts: MachineFacts) -> PromiseFinding {
    namespace(
      .view, facts, kept: "guests see their part of the device's folder, and a /proc of their own",
      open: "programs learn that other guests' folders exist, and those with `dispatch` read "
        + "names, command lines and times of other processes in /proc")
  }

  private static func namespace(
    _ promise: MachinePromise, _ facts: MachineFacts, kept: String, open: String
  ) -> PromiseFinding {
    guard let obstacle = NamespaceObstacle(to: promise, facts) else {
      return PromiseFinding(promise, .kept, kept)
    }
    return PromiseFinding(promise, .not, obstacle.finding, open: open, change: obstacle.change)
  }
}
