internal import Host
internal import Model
internal import Scenario

/// The faults that the steps of a case have armed, on whichever device is up.
final class CaseFaults {
  private let world: CaseWorld
  /// The name of the case.
  private let name: String
  /// The faults that have not struck when the device was last looked at.
  private var armed: [Armed] = []
  /// The number of faults that have been armed since the case began.
  private var count = 0

  /// A fault, and the step that has armed it.
  private struct Armed {
    let number: Int
    let step: Int
    let fault: Action.Fault
  }

  init(of name: String, in world: CaseWorld) {
    self.name = name
    self.world = world
  }

  /// Arms a fault.
  func arm(_ fault: Action.Fault, by step: Int, on device: Device) {
    count += 1
    let new = Armed(number: count, step: step, fault: fault)
    armed.append(new)
    arm(new, on: device)
  }

  /// Arms the faults that have not struck on a device that has come up in place of `former`.
  func move(from former: Device, to device: Device) {
    look(at: former)
    for fault in armed { arm(fault, on: device) }
  }

  /// Withdraws the faults that have not struck.
  ///
  /// - Returns: the step that has armed each, and a sentence.
  func end(on device: Device) -> [(step: Int, why: String)] {
    look(at: device)
    device.faults.disarm()
    defer { armed = [] }
    return armed.map { ($0.step, "the fault has not struck: \($0.fault.words)") }
  }

  private func look(at device: Device) {
    let numbers = device.faults.armed
    armed.removeAll { !numbers.contains($0.number) }
  }

  private func arm(_ armed: Armed, on device: Device) {
    device.faults.arm(
      Fault(
        number: armed.number, of: name, effect(of: armed.fault, on: device),
        at: armed.fault.point, guest: armed.fault.guest))
  }

  private func effect(of fault: Action.Fault, on device: Device) -> Fault.Effect {
    switch fault.effect {
    case .kill: .kill
    case .stop(let seconds): .stop(milliseconds: UInt64(seconds) * 1_000)
    case .slowReader(let seconds): .slowReader(milliseconds: UInt64(seconds) * 1_000)
    case .halfFrame: .halfFrame
    case .dropAnswer: .dropAnswer
    case .fullDisk: .fullDisk
    case .restartHost: .restartHost
    case .clockJump(let seconds):
      .change(.clockJump) { [unowned device] in device.advanceClock(by: seconds) }
    case .policy(let assignment):
      .change(.policy) { [world, unowned device] in world.assign(assignment, on: device) }
    case .wipe(let account):
      .wipe { [world, unowned device] done in
        do throws(HostError) {
          try device.wipes.wipe(
            world.account(account), in: fault.guest ?? "", done: done)
        } catch {
          // The scenario's apps are all installed.
          done()
        }
      }
    }
  }
}
