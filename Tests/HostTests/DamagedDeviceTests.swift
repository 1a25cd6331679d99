import EventLoop
import Foundation
import GRDB
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// A device whose folder is damaged comes up, or says in one error why not; nothing in its folder makes it trap.
  @Suite(.timeLimit(.minutes(15))) struct DamagedDeviceTests {
    private static func seeds(_ part: UInt64) -> Range<UInt64> {
      let count = 25 * UInt64(thoroughness)
      return part * count..<(part + 1) * count
    }

    @Test(arguments: (0..<4).map { seeds($0) })
    func `whatever is damaged, nothing traps`(seeds: Range<UInt64>) async {
      await #expect(processExitsWith: .success) { [seeds = seeds as Range<UInt64>] in
        for seed in seeds { try DamagedDeviceTests.live(seed: seed) }
      }
    }

    @Test(arguments: ["9223372036854775807", "-1", "9007199254740993"])
    func `a number in the journal that cannot be counted on from is named`(number: String) throws {
      let stored = try Self.device()
      let path = "\(stored.folder)/journal.jsonl"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let last = try #require(text.split(separator: "\n").last)
      let damaged = try last.replacing(Regex("\"seq\":[0-9]+"), with: "\"seq\":\(number)")
      try (text + damaged + "\n").write(toFile: path, atomically: false, encoding: .utf8)
      let error = #expect(throws: HostError.self) { try Device(Self.configuration(stored.folder)) }
      #expect(
        error?.description
          == "the journal `\(path)` is damaged: an event in it has the number \(number)")
    }

    @Test(arguments: ["device.sqlite", "journal.jsonl", "Containers", "Groups", "System"])
    func `what is no file or folder of the device's own is named, and nothing is made beyond it`(
      name: String
    ) throws {
      let stored = try Self.device()
      let path = "\(stored.folder)/\(name)"
      let isFile = name.contains(".")
      let elsewhere = try Workspace()
      try? FileManager.default.removeItem(atPath: path)
      if isFile {
        #expect(mkfifo(path, 0o600) == 0)
      } else {
        #expect(symlink(elsewhere.path, path) == 0)
      }
      let error = #expect(throws: HostError.self) { try Device(Self.configuration(stored.folder)) }
      #expect(
        error?.description
          == "the device's folder is damaged: `\(path)` is no \(isFile ? "file" : "folder")")
      #expect(throws: HostError.self) { try DeviceFolder(stored.folder).inventory() }
      #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
    }

    @Test(arguments: ["seal", "content", "wrap", "state", "token"])
    func `a secret of another length is named`(name: String) throws {
      let stored = try Self.device()
      let database = try DeviceDatabase(path: stored.database, isSynchronized: false)
      try database.access {
        try $0.execute(
          sql: "UPDATE secret SET value = x'0102' WHERE name = ?", arguments: [name])
      }
      try database.close()
      let error = #expect(throws: HostError.self) { try Device(Self.configuration(stored.folder)) }
      #expect(error?.description == "the secret `\(name)` in the device's database is damaged")
    }

    // MARK: lives

    private static func configuration(_ folder: String) -> DeviceConfiguration {
      var configuration = DeviceConfiguration(
        name: "phone", folder: folder,
        programs: .init(
          guest: "\(Lab.programs)/sluice-guest", launch: "\(Lab.programs)/sluice-launch"))
      configuration.accounts = [StoredDevice.anna, StoredDevice.ben]
      return configuration
    }

    /// A device with a journal of its own, that is down.
    private static func device() throws -> StoredDevice {
      let stored = try StoredDevice()
      try FileManager.default.removeItem(atPath: "\(stored.folder)/journal.jsonl")
      try live(in: stored.folder)
      return stored
    }

    /// Damages a device, and lives through a day with it.
    private static func live(seed: UInt64) throws {
      let stored = try device()
      let damaged = try DamagedDevice(stored.folder, seed: seed)
      // Where it traps, this is the last thing that is said.
      print("seed \(seed): \(damaged.damage)")
      do {
        _ = try DeviceFolder(stored.folder).name()
        try live(in: stored.folder)
        _ = try ResidueCheck(folder: stored.folder, account: StoredDevice.anna).run()
      } catch let error as HostError {
        precondition(!error.description.isEmpty, "an error says what is wrong")
      }
    }

    private static func live(in folder: String) throws {
      let device = try Device(configuration(folder))
      defer { device.close() }
      do {
        for (name, bundle) in [("mail", "com.contoso.mail"), ("viewer", "org.example.viewer")] {
          try device.install(AppDescription(name: name, bundleID: bundle, integratesSDK: true))
        }
        device.note(.caseBegan(suite: "a", name: "b", criterion: nil))
        device.note(.stepBegan(step: 1, text: "a day passes"))
        device.advanceClock(by: 86_400)
        _ = device.tokens.keySet
        var isDone = false
        device.guests.launch(["mail", "viewer"]) { isDone = true }
        device.run { isDone || device.fault != nil }
        var requests = 2
        for body in [
          GuestMessage.Body.signIn(account: StoredDevice.ben.upn),
          .signOut(account: StoredDevice.anna.upn),
        ] where device.guests.isRunning("mail") {
          device.driver.perform(body, on: "mail") { _ in requests -= 1 }
        }
        device.run {
          (requests == 0 || !device.guests.isRunning("mail")) && !device.wipes.isWiping
            || device.fault != nil
        }
        try device.saveInventory()
      } catch {
        stop(device)
        throw error
      }
      stop(device)
      if let fault = device.fault { throw fault }
    }

    private static func stop(_ device: Device) {
      var isStopped = false
      device.guests.stopAll { isStopped = true }
      device.run { isStopped }
    }
  }
}
