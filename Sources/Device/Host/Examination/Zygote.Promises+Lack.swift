package import EventLoop

extension Zygote.Promises {
  /// Every guarantee.
  package static let all: Zygote.Promises = [.network, .processes, .execution, .mounts]

  /// The sentence on the guarantees that are lacking; nil where none is.
  package var lack: String? {
    let lacking = MachinePromise.allCases.filter { promise in
      promise.guarantee.map { !contains($0) } ?? false
    }
    guard !lacking.isEmpty else { return nil }
    return "guests are confined in part, without \(lacking.map(\.title).joined(separator: ", ")); "
      + "`sluice doctor` says why, and what to change"
  }
}
