internal import CConfinement

/// A version of Landlock's interface that adds something to the confinement of guests: docs/security.md, "Kernels".
struct LandlockGeneration {
  let abi: Int
  /// Its addition to the earlier ones.
  let addition: String
  /// The act that guests are not kept from without it, after "guests may"; nil where the filter of system calls keeps them from
  /// it.
  let gap: String?

  static let all = [
    LandlockGeneration(abi: 1, addition: "files", gap: "open every file that the user may"),
    LandlockGeneration(
      abi: 2, addition: "moving between folders", gap: "move files between their folders"),
    LandlockGeneration(abi: 3, addition: "truncating", gap: "truncate files that are not theirs"),
    LandlockGeneration(abi: 4, addition: "TCP", gap: "connect to every TCP port"),
    LandlockGeneration(abi: 5, addition: "device control", gap: "control devices"),
    LandlockGeneration(
      abi: 6, addition: "signals, abstract sockets",
      gap: "signal other processes, connect to abstract sockets"),
    LandlockGeneration(abi: 9, addition: "pathname sockets", gap: nil),
    LandlockGeneration(abi: 10, addition: "UDP", gap: nil),
  ]

  /// The first ABI that keeps everything that guests are promised.
  static let complete = Int(SLUICE_COMPLETE_LANDLOCK_ABI)
}
