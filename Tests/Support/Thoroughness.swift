import Foundation

/// How many times as many random worlds, requests, rules, steps and kills are drawn: `SLUICE_DRAWS`, or once.
public let thoroughness =
  ProcessInfo.processInfo.environment["SLUICE_DRAWS"].flatMap(Int.init) ?? 1
