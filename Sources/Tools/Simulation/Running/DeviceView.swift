internal import Declarations
internal import Enrollment
internal import Foundation
internal import Host
internal import JSON
internal import Model
internal import Scenario

/// The state of a running device that clients see: its work, its apps and accounts, and the status of its declarations.
final class DeviceView {
  private let blueprint: Blueprint
  private let folder: String
  private let run: CaseRun
  private let server: ControlServer
  private let queue: StepQueue

  /// Creates the view of a device.
  ///
  /// - Parameter folder: the folder of the device.
  init(
    of blueprint: Blueprint, in folder: String, _ run: CaseRun, _ server: ControlServer,
    _ queue: StepQueue
  ) {
    self.blueprint = blueprint
    self.folder = folder
    self.run = run
    self.server = server
    self.queue = queue
  }

  func writeStatus(to writer: inout JSONWriter) {
    let device = run.device
    writer.member("device", blueprint.scenario.device.name)
    writer.member("scenario", blueprint.scenario.name)
    writer.member("file", blueprint.scenario.file)
    writer.member("folder", folder)
    writer.member("socket", server.path)
    writer.member("process", Int(getpid()))
    writer.member("time", Timestamp.text(device.now))
    writer.array("running") { writer in
      for guest in device.guests.running { writer.string(guest) }
    }
    writer.member("clients", server.clientCount)
    writer.member("steps", queue.begun)
    writer.member("busy", queue.isBusy)
    writer.member("waiting", queue.count)
  }

  func writeApps(to writer: inout JSONWriter) {
    writer.array("apps") { writer in
      for app in blueprint.apps {
        for guest in app.specification.guests { write(guest, of: app, to: &writer) }
      }
    }
  }

  private func write(_ guest: String, of app: InstalledApp, to writer: inout JSONWriter) {
    let device = run.device
    let state =
      device.guests.isSuspended(guest)
      ? "suspended" : device.guests.isRunning(guest) ? "running" : "stopped"
    writer.object { writer in
      writer.member("name", guest)
      writer.member("bundle", app.description.bundleID)
      writer.member("extension", app.extensionKind?.rawValue)
      writer.member("state", state)
      writer.member("process", device.guests.processIdentifier(of: guest).map(Int.init))
      if let identity = device.identity(of: guest) {
        writer.member("identity", run.world.reference(identity.identity).text)
        writer.member("managed", identity.isManaged)
      }
      writer.array("signedIn") { writer in
        for account in device.accounts.accounts(signedInTo: guest) {
          writer.string(run.world.reference(.account(account)).text)
        }
      }
    }
  }

  func writeAccounts(to writer: inout JSONWriter) {
    writer.array("accounts") { writer in
      for known in blueprint.scenario.accounts {
        let account = run.world.account(known.name)
        writer.object { writer in
          writer.member("name", known.name)
          writer.member("upn", account.upn)
          writer.member("objectId", account.objectID)
          writer.member("tenant", account.tenantID)
        }
      }
    }
  }

  func writePolicies(to writer: inout JSONWriter) {
    writer.array("policies") { writer in
      for policy in blueprint.scenario.policies {
        writer.object { writer in
          writer.member("name", policy.name)
          if case .file(let path) = policy.document { writer.member("file", path) }
        }
      }
    }
  }

  /// Writes the last lines of each guest's log and standard error.
  func writeOutput(to writer: inout JSONWriter) {
    writer.array("output") { writer in
      for output in run.output { output.write(to: &writer) }
    }
  }

  /// Writes the device's status report about its declarations.
  func writeReport(to writer: inout JSONWriter) {
    let report = run.device.management.statusReport
    writer.member("declared", report != nil)
    if let report { writer.member(named: "report", report.write) }
  }

  /// Writes the keys with which services check tokens.
  func writeTokenKeys(to writer: inout JSONWriter) { run.device.tokens.keys.write(to: &writer) }
}
