internal import Declarations
internal import Diagnostics
internal import Host
internal import JSON
internal import Scenario

extension Blueprint {
  /// Brings up a device for the scenario.
  ///
  /// - Throws: ``RunError`` where the device cannot be brought up.
  func device(_ settings: RunSettings, in folder: String) throws(RunError) -> Device {
    do throws(HostError) {
      return try Device(configuration(settings, folder: folder))
    } catch {
      throw RunError(error, file: settings.device ?? scenario.file)
    }
  }
}

extension Device {
  /// The state of a device when a scenario begins on it.
  enum Beginning {
    /// A device that nobody has used: the scenario's accounts are signed in.
    case fresh
    /// A device that somebody has used: its own accounts are signed in.
    case used
  }

  /// Installs the apps of a scenario, and applies its declarations.
  ///
  /// - Parameter declarations: declarations in place of the scenario's; nil: the scenario's.
  /// - Throws: ``RunError`` with the place of the app that cannot be installed, or the declarations that cannot be
  ///   stored.
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
          .file(blueprint.scenario.file, place),
          "\(error)\(hint(on: specification, of: blueprint))",
          rule: "app")
      }
    }
    guard let declarations = declarations ?? blueprint.declarations else { return }
    do throws(HostError) {
      try management.apply(declarations)
    } catch {
      throw RunError(error, file: blueprint.scenario.file)
    }
  }

  /// The key that lets an app have several managed accounts, if each of its accounts could sign in alone.
  private func hint(on app: AppSpecification, of blueprint: Blueprint) -> String {
    let signedIn = app.signedIn.compactMap { blueprint.scenario.account(named: $0)?.account }
    guard signedIn.count > 1, !app.allowsSeveralManagedAccounts,
      app.guests.allSatisfy({ guest in signedIn.allSatisfy { accounts.accepts([$0], in: guest) } })
    else { return "" }
    return "; `multiIdentity` and `multiManagedIdentities: true` let the app take several"
  }
}
