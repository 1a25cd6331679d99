internal import Foundation
public import Testing

/// The programs that speak TLS: a server, the link between hosts, and the example Landmarks.
public enum ServerPrograms {
  /// Whether they are built, which `SLUICE_WITHOUT` (Package.swift) says.
  public static let areBuilt = !(ProcessInfo.processInfo.environment["SLUICE_WITHOUT"] ?? "")
    .split(separator: ",").contains("tls")
}

extension Trait where Self == ConditionTrait {
  /// For tests that start one of these programs.
  public static var serverPrograms: Self {
    .enabled(if: ServerPrograms.areBuilt, "`make test SLUICE_WITHOUT=` builds what speaks TLS")
  }
}
