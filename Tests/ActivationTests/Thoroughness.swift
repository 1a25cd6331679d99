import Foundation

/// How many times as many random rules are drawn: `SLUICE_DRAWS`, or once.
let thoroughness = ProcessInfo.processInfo.environment["SLUICE_DRAWS"].flatMap(Int.init) ?? 1
