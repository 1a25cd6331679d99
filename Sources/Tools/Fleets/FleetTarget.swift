/// Where the hosts of a fleet run.
package enum FleetTarget: String, Sendable, CaseIterable {
  /// Processes of this machine.
  case local
  /// Tasks of a Slurm, by srun.
  case slurm

  /// The commands that start hosts 1 to `count`.
  ///
  /// - Parameter host: what starts one; its number follows, unless srun tells it.
  func commands(for count: Int, _ host: [String]) -> [[String]] {
    switch self {
    case .local: (1...count).map { host + ["--number", "\($0)"] }
    // A task that ends is no reason to end the others.
    case .slurm:
      [
        [
          "/usr/bin/env", "srun", "--ntasks=\(count)", "--no-kill", "--kill-on-bad-exit=0",
          "--wait=0", "--job-name=sluice", "--input=none",
        ] + host
      ]
    }
  }

  /// The address at which links listen.
  package var listening: String {
    switch self {
    case .local: "127.0.0.1"
    case .slurm: "0.0.0.0"
    }
  }
}
