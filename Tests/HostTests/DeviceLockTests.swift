import Foundation
import TestSupport
import Testing

@testable import Host

/// One folder is one device's at a time.
@Suite struct DeviceLockTests {
  private let workspace: Workspace
  private var folder: String { workspace.path }

  init() throws { workspace = try Workspace() }

  @Test func `who comes second is told that the device is in use`() throws {
    let lock = try DeviceLock(folder: folder)
    let error = #expect(throws: HostError.self) { _ = try DeviceLock(folder: folder) {} }
    #expect(error?.code == .inUse)
    #expect(error?.description == "the device in `\(folder)` is in use")
    #expect(try DeviceLock.shared(folder: folder) == nil)
    lock.release()
  }

  /// A descriptor that is closed twice is somebody else's the second time.
  @Test func `who is refused closes what it opened once`() throws {
    let lock = try DeviceLock(folder: folder)
    var code: Int32 = 0
    do {
      errno = 0
      _ = try DeviceLock(folder: folder) {}
    } catch {
      code = errno
    }
    #expect(code != 0 && code != EBADF)
    lock.release()
  }

  @Test func `the folder is free once it is given back, or nobody holds the lock`() throws {
    let first = try DeviceLock(folder: folder)
    first.release()
    first.release()
    do { _ = try DeviceLock(folder: folder) }
    let third = try DeviceLock(folder: folder)
    third.release()
  }

  @Test func `who only looks is waited for`() throws {
    let look = open(folder, O_RDONLY)
    #expect(flock(look, LOCK_SH) == 0)
    let other = try #require(try DeviceLock.shared(folder: folder))
    other.release()
    var attempts = 0
    let lock = try DeviceLock(folder: folder) {
      attempts += 1
      if attempts == 3 { close(look) }
    }
    #expect(attempts == 3)
    lock.release()
  }

  @Test func `nothing is left in the folder`() throws {
    let lock = try DeviceLock(folder: folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    lock.release()
  }

  @Test func `a folder that is not there is an error of its own`() {
    let error = #expect(throws: HostError.self) {
      _ = try DeviceLock(folder: "\(folder)/missing")
    }
    #expect(error?.code == .folder)
  }
}

extension RealProcesses {
  @Suite struct DeviceInUseTests {
    @Test func `a second device does not come up in the folder of one that is up`() throws {
      let lab = try Lab()
      let configuration = lab.device.configuration
      let error = #expect(throws: HostError.self) { _ = try Device(configuration) }
      #expect(error?.code == .inUse)
      try lab.expectService()
      lab.close()
    }

    @Test func `a device that went down can come up again, and under no other name`() throws {
      let workspace = try Workspace()
      let programs = DeviceConfiguration.Programs(
        guest: "\(Lab.programs)/sluice-guest", launch: "\(Lab.programs)/sluice-launch")
      var configuration = DeviceConfiguration(
        name: "mine", folder: workspace.path("device"), programs: programs)
      try Device(configuration).close()
      try Device(configuration).close()
      configuration.name = "yours"
      let error = #expect(throws: HostError.self) { _ = try Device(configuration) }
      #expect(error?.description.contains("`mine`, and not to `yours`") == true)
    }
  }
}
