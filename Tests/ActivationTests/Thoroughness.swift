import Foundation

/// How many times as many random rules are drawn: ten times where `SLUICE_STRICT` is set, as in CI.
let thoroughness = ProcessInfo.processInfo.environment["SLUICE_STRICT"] == nil ? 1 : 10
