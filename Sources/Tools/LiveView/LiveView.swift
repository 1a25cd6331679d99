internal import Diagnostics
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import Picture
package import Simulation

/// A page about a device that is served on the loopback interface, and told what happens.
package struct LiveView {
  private let device: WatchedDevice
  private let picture: LivePicture
  private let controls: LivePicture.Controls

  /// A view of a device.
  ///
  /// - Parameter read: the text of a file that verdicts name; nil where the page may not show it.
  package init(
    of device: WatchedDevice, _ controls: LivePicture.Controls,
    reading read: @escaping @Sendable (String) -> String?
  ) {
    self.device = device
    self.controls = controls
    picture = LivePicture(title: device.name, controls, reading: read)
  }

  /// Serves until the journal cannot be read any more.
  ///
  /// - Parameters:
  ///   - port: the port of 127.0.0.1; 0: one that the system chooses.
  ///   - began: is told the page's address.
  /// - Throws: ``RunError`` where the journal cannot be read, or the port is taken.
  package func run(port: Int, _ began: (String) -> Void) throws(RunError) {
    let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    let desk = DeviceDesk(device)
    var audience = Audience(picture, desk)
    // What cannot be read is told before anybody is invited.
    try audience.readOn()
    let shared = NIOLoopBoundBox.makeBoxSendingValue(audience, eventLoop: loop)
    let site = Site(page: picture.page(), desk: controls == .steps ? desk : nil)
    desk.watch(from: loop)
    do {
      let server = try Self.bootstrap(loop, site, shared).bind(host: "127.0.0.1", port: port).wait()
      began("http://127.0.0.1:\(server.localAddress?.port ?? 0)/\(site.secret.text)/")
      try Self.keepTelling(shared, on: loop).wait()
    } catch let error as RunError {
      throw error
    } catch {
      throw RunError(.command, "cannot serve on port \(port): \(error)", rule: "port")
    }
  }

  private static func bootstrap(
    _ loop: any EventLoop, _ site: Site, _ audience: NIOLoopBoundBox<Audience>
  ) -> ServerBootstrap {
    let visitors = NIOLoopBoundBox.makeBoxSendingValue(Visitors(), eventLoop: loop)
    return ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          visitors.value.add(channel)
          channel.closeFuture.whenComplete { _ in visitors.value.remove(channel) }
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: true)
          try pipeline.addHandler(PageHandler(site, audience, visitors))
        }
      }
  }

  /// The time between two changes of the page.
  private static let beat = TimeAmount.milliseconds(100)

  /// Tells followers what happens, until the journal cannot be read.
  private static func keepTelling(
    _ audience: NIOLoopBoundBox<Audience>, on loop: any EventLoop
  ) -> EventLoopFuture<Void> {
    let ended = loop.makePromise(of: Void.self)
    loop.scheduleRepeatedTask(initialDelay: beat, delay: beat) { task in
      do {
        try audience.value.turn()
      } catch {
        task.cancel()
        ended.fail(error)
      }
    }
    return ended.futureResult
  }
}
