import Foundation

/// The factor for the number of random draws in tests, from `SLUICE_DRAWS`; 1 by default.
public let thoroughness =
  ProcessInfo.processInfo.environment["SLUICE_DRAWS"].flatMap(Int.init) ?? 1
