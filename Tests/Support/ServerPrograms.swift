internal import Foundation
public import Testing

/// The programs that use TLS: a server, the link between hosts, and the example app Landmarks.
public enum ServerPrograms {
  /// Whether the programs are built. `SLUICE_WITHOUT` excludes them (Package.swift).
  public static let areBuilt = !(ProcessInfo.processInfo.environment["SLUICE_WITHOUT"] ?? "")
    .split(separator: ",").contains("tls")
}

extension Trait where Self == ConditionTrait {
  /// Skips tests that start one of these programs if they are not built.
  public static var serverPrograms: Self {
    .enabled(if: ServerPrograms.areBuilt, "`make test SLUICE_WITHOUT=` builds what speaks TLS")
  }
}
