internal import Diagnostics
internal import Declarations
internal import Host
internal import JSON
internal import Scenario

extension Device {
  /// What a device is when a scenario begins on it.
  enum Beginning {
    /// Nobody has used it: the scenario's accounts are signed in.
    case fresh
    /// Somebody has: who is signed in is the device's own affair.
    case used
  }

  /// Installs the apps of a scenario.
  ///
  /// - Parameter declarations: in place of the scenario's; nil: those.
  /// - Throws: ``RunError`` with the place of the app that cannot be installed.
  func install(
    _ blueprint: Blueprint, _ beginning: Beginning, declaring declarations: DeclarationSet? = nil
  ) throws(RunError) {
    for installed in blueprint.apps {
      let specification = installed.specification
      do throws(HostError) {
        for guest in specification.guests {
          var app = installed.description
          app.name = guest
          try install(app)
          guard beginning == .fresh else { continue }
          for name in specification.signedIn {
            guard let account = blueprint.scenario.account(named: name) else { continue }
            try accounts.presetSignIn(account.account, in: guest)
          }
        }
      } catch {
        let place = specification.position
        throw RunError(
          .file(blueprint.scenario.file, place), "\(error)", rule: "app")
      }
    }
    guard let declarations = declarations ?? blueprint.declarations else { return }
    do throws(HostError) {
      try management.apply(declarations)
    } catch {
      throw RunError(error, file: blueprint.scenario.file)
    }
  }
}
