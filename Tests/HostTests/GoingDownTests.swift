import Foundation
import Model
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Ends that come at the wrong moment.
  @Suite struct GoingDownTests {
    @Test func `a device that goes down starts nobody, whatever its guests still ask for`() throws {
      let lab = try Lab()
      try lab.app("late")
      try lab.app("gone")
      lab.stop("gone")
      lab.device.guests.suspend("late")
      let share = Share(destination: "gone", item: Item(text: "too late"))
      lab.device.driver.perform(.share(share), on: "late") { _ in }
      lab.close()
      #expect(lab.device.guests.running.isEmpty)
    }

    @Test func `a guest that was killed to be started anew is ready before anybody goes on`() throws
    {
      let lab = try Lab()
      try lab.app("phoenix")
      var isReady: Bool?
      lab.device.guests.kill(["phoenix"]) {
        lab.device.guests.launch(["phoenix"]) { isReady = lab.device.isReady("phoenix") }
      }
      lab.wait("the guest to start anew") { isReady != nil }
      #expect(isReady == true)
      lab.close()
    }

    @Test func `a guest that is to stop before it is ready stops in order`() throws {
      let lab = try Lab()
      try lab.device.install(AppDescription(name: "brief", bundleID: "com.example.brief"))
      var isDone = false
      lab.device.guests.launch(["brief"]) {}
      lab.device.guests.stop(["brief"]) { isDone = true }
      lab.wait("the guest to stop") { isDone }
      #expect(!lab.device.guests.isRunning("brief"))
      #expect(lab.exits(of: "brief") == ["stopped"])
      lab.close()
    }
  }
}

extension Device {
  fileprivate func isReady(_ name: String) -> Bool {
    owners.registry.guest(named: name)?.isReady ?? false
  }
}
