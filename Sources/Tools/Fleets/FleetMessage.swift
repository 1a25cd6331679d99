package import Simulation

/// A message between a host of a fleet and its coordinator, or another host.
package enum FleetMessage {
  /// Of a host, its first: the address of its link, and its version.
  case greeting(address: String, version: String)
  case placement(Placement)
  /// Of the coordinator: all devices may go on until a time. By then, so many messages must have come from each host.
  case window(until: Int, expected: [Int: Int])
  case pause(Pause)
  case passage(Passage)
  /// Of the coordinator: the case is over for the host.
  case closing(Closing)
  /// Of a host, while it carries an order out: it is at work.
  case working

  /// What becomes of a host's devices.
  package enum Closing {
    /// They go down.
    case down
    /// They come up again on other hosts, for this one is lost to one of them.
    case lost
  }

  /// Of the coordinator to all hosts: who has which devices, at first and whenever a host is lost.
  package struct Placement: Equatable {
    var hosts: [Host]
    /// What the machine's clock showed when the case began, in seconds since 1970-01-01T00:00:00Z.
    var machineTime: Int
    /// Devices that come up again carry out all until this time.
    var until: Int

    struct Host: Equatable {
      /// From 1 on.
      var number: Int
      /// Where its link listens, such as `10.0.0.7:40123`.
      var address: String
      /// Places of devices among those of the scenario, from 0 on.
      var devices: [Int]
    }
  }

  /// Of a host: its devices have gone on as far as they may.
  package struct Pause: Equatable {
    /// When one of them goes on; nil: all have carried out their steps.
    var next: Int?
    /// When the first of the passages arrives that were sent since the last pause; nil: none was.
    var earliestArrival: Int?
    /// The number of messages that have gone to each host since the case began.
    var sent: [Int: Int]
    /// The peers that a connection to or from has ended.
    var lost: [Int] = []
    /// What has gone wrong, a sentence each.
    var problems: [String] = []
    /// Whether the case is over here, and the devices are down.
    var isClosed = false
  }
}
