package import Declarations
internal import Encodings
internal import Foundation
package import Host
internal import Output
internal import Scenario

/// The settings of a run, independent of the scenario's contents.
package struct RunSettings: Sendable {
  package var programs: DeviceConfiguration.Programs
  /// The parent folder of new devices. Each run creates its own folders in it.
  package var folder: String
  /// The folder of the persistent device on which all cases run; nil if each case runs on a fresh device.
  package var device: String?
  /// A seed that replaces the scenario's seed; nil if the scenario's seed is used.
  package var seed: UInt64?
  package var trace = DeviceConfiguration.TraceMode.off
  package var journal = DeviceConfiguration.JournalMode.written
  /// The facts that the journal records about the sources of items.
  package var lineage = DeviceConfiguration.Lineage.tags
  /// Whether the journal also records real time.
  package var realTime = DeviceConfiguration.RealTime.omitted
  package var requiresConfinement = false
  /// The strictness of the system call filter for programs other than Sluice's own.
  package var systemCalls = SystemCallProfile.Strictness.strict
  /// Whether reports and journals may show the values in apps' configurations.
  package var showsValues = false
  /// The initial time of the virtual clock on devices that start at the machine's time, in seconds since
  /// 1970-01-01T00:00:00Z. If nil, each such device reads the machine's clock when it starts.
  var machineTime: Int?
  /// The time limit of a step, in milliseconds of real time.
  package var stepLimit: UInt64 = 60_000

  /// Creates settings with which each case runs on a fresh device below `folder`.
  package init(programs: DeviceConfiguration.Programs, folder: String) {
    self.programs = programs
    self.folder = folder
  }
}

// MARK: Starting a device

extension ResolvedScenario {
  /// Starts a device for the scenario.
  package func device(_ settings: RunSettings, in folder: String) throws(RunError) -> Device {
    do throws(HostError) {
      return try Device(configuration(settings, folder: folder))
    } catch {
      if let folder = settings.device { throw RunError(error, device: folder) }
      throw RunError(error, file: scenario.file)
    }
  }
}

extension Device {
  /// The state of a device when a scenario begins on it.
  package enum Beginning {
    /// A new device. The scenario's accounts are signed in when the apps are installed.
    case fresh
    /// A device that was used before. It keeps the accounts that are signed in on it.
    case used
  }

  /// Installs the apps of a scenario, and applies its declarations.
  ///
  /// - Parameter declarations: Declarations that replace the scenario's declarations; nil if the scenario's are used.
  /// - Throws: ``RunError`` with the position of an app that cannot be installed, or if the declarations
  ///   cannot be stored.
  package func install(
    _ resolved: ResolvedScenario, _ beginning: Beginning,
    declaring declarations: DeclarationSet? = nil
  ) throws(RunError) {
    var failure: RunError?
    do throws(HostError) {
      try setUp {
        do throws(RunError) {
          for app in resolved.apps { try install(app, of: resolved, beginning) }
        } catch {
          failure = error
        }
      }
    } catch {
      throw failure ?? RunError(error, file: resolved.scenario.file)
    }
    if let failure { throw failure }
    guard let declarations = declarations ?? resolved.declarations else { return }
    do throws(HostError) {
      try management.apply(declarations)
    } catch {
      throw RunError(error, file: resolved.scenario.file)
    }
  }

  private func install(
    _ installed: ResolvedApp, of resolved: ResolvedScenario, _ beginning: Beginning
  ) throws(RunError) {
    let specification = installed.specification
    do throws(HostError) {
      for guest in specification.guests {
        var app = installed.description
        app.name = guest
        try install(app)
        guard beginning == .fresh else { continue }
        for name in specification.signedIn {
          guard let account = resolved.scenario.account(named: name) else { continue }
          try accounts.presetSignIn(account.account, in: guest)
        }
      }
    } catch {
      let place = specification.position
      throw RunError(
        .file(resolved.scenario.file, place),
        "\(error)\(hint(on: specification, of: resolved))",
        rule: "app")
    }
  }

  /// Returns a hint about the keys that let the app take several managed accounts; empty if the keys would not help.
  /// This is the case if the app has the keys, has only one account, or refuses an account even as its only account.
  private func hint(on app: AppDefinition, of resolved: ResolvedScenario) -> String {
    let signedIn = app.signedIn.compactMap { resolved.scenario.account(named: $0)?.account }
    guard signedIn.count > 1, !app.allowsSeveralManagedAccounts,
      app.guests.allSatisfy({ guest in signedIn.allSatisfy { accounts.accepts([$0], in: guest) } })
    else { return "" }
    return "; `multiIdentity` and `multiManagedIdentities: true` let the app take several"
  }
}

// MARK: - Servers

extension Device {
  /// Starts the servers of a scenario. Errors have the position of the server that cannot start.
  func startServers(_ resolved: ResolvedScenario) throws(RunError) {
    let file = resolved.scenario.file
    for server in resolved.scenario.servers {
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
          origin: error.code == .program ? .own : .input)
      }
    }
  }
}
