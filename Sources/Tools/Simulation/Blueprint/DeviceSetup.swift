internal import Declarations
internal import Foundation
package import Host
internal import JSON
internal import Output
internal import Scenario
package import SystemCalls

/// The way in which scenarios are run, independent of their contents.
package struct RunSettings: Sendable {
  package var programs: DeviceConfiguration.Programs
  /// The folder in which devices are made; each run makes folders of its own in it.
  package var folder: String
  /// The folder of a device that lives on, on which all cases run; nil: each case runs on a fresh device.
  package var device: String?
  /// The seed in place of the scenario's; nil: the scenario's.
  package var seed: UInt64?
  package var trace = DeviceConfiguration.TraceMode.off
  package var journal = DeviceConfiguration.JournalMode.written
  /// The facts by which the journal tells what items came from.
  package var lineage = DeviceConfiguration.Lineage.tags
  /// Whether the journal has the machine's time, too.
  package var realTime = DeviceConfiguration.RealTime.untold
  package var requiresConfinement = false
  /// The strictness of the filter of system calls for programs that are not Sluice's own.
  package var systemCalls = SystemCallProfile.Strictness.strict
  /// Whether reports and journals may show the values that apps find in their configurations.
  package var showsValues = false
  /// What the machine's clock shows, for devices that begin with it, in seconds since 1970-01-01T00:00:00Z; nil: what it shows
  /// when the device comes up.
  var machineTime: Int?
  /// The time that one step may take, in milliseconds of real time.
  package var stepLimit: UInt64 = 60_000

  /// Creates settings with which each case runs on a fresh device below `folder`.
  package init(programs: DeviceConfiguration.Programs, folder: String) {
    self.programs = programs
    self.folder = folder
  }
}

// MARK: - Bringing a device up

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

// MARK: - Servers

extension Device {
  /// Starts the servers of a scenario.
  ///
  /// - Throws: ``RunError`` with the place of the server that does not come up.
  func startServers(_ blueprint: Blueprint) throws(RunError) {
    let file = blueprint.scenario.file
    for server in blueprint.scenario.servers {
      let path = ScenarioFiles.resolve(server.folder, in: ScenarioFiles.folder(of: file))
      var description = ServerDescription(
        name: server.name, host: server.host, port: server.port,
        folder: URL(fileURLWithPath: path).standardizedFileURL.path)
      description.clientCertificate = server.clientCertificate == .none ? .none : .required
      description.version =
        switch server.version {
        case .any: .any
        case .tls12: .tls12
        case .tls13: .tls13
        }
      do throws(HostError) {
        try servers.start(description)
      } catch {
        let place = server.position
        throw RunError(
          .file(file, place), "\(error)", rule: "server",
          fault: error.code == .program ? .own : .input)
      }
    }
  }
}
