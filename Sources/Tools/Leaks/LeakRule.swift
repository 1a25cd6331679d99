package import Diagnostics

/// The kinds of places that data must not reach, as findings cite them.
package enum LeakRule: String, FindingRule, CaseIterable {
  case leakToApp
  case leakToSystem
  case leakToStorage
  case appReached

  package var severity: Severity { .error }

  package var summary: String {
    switch self {
    case .leakToApp: "Data of a managed account reach an app without policy"
    case .leakToSystem: "Data of a managed account reach a feature of the system"
    case .leakToStorage: "Data of a managed account reach storage that is not a managed account's"
    case .appReached: "Data of a managed account reach an app that --to asks about"
    }
  }

  package var help: String {
    "`sluice leaks` shows each way, and what closes it; --verify replays it on real processes"
  }
}

extension LeakRule {
  init(_ sink: Leak.Sink) {
    self =
      switch sink {
      case .app: .leakToApp
      case .outside(let outside): outside.location == nil ? .leakToSystem : .leakToStorage
      }
  }
}
