internal import Glibc
internal import Scripting
internal import SluiceKit
internal import Wire

/// A Lua script that is the program of this process. It is read before the process is confined, and runs afterwards.
struct ScriptGuest {
  private let file: Result<ScriptFile, ScriptError>

  /// Reads the script whose path follows `--` on the command line. Returns nil if there is none.
  ///
  /// The parameters are the raw arguments, because most guests run no script and need no copy of them.
  init?(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
    let arguments = UnsafeBufferPointer(start: arguments, count: Int(count))
    let separator = arguments.firstIndex { $0.map { strcmp($0, "--") == 0 } ?? false }
    guard let separator, separator + 1 < arguments.count, let path = arguments[separator + 1]
    else { return nil }
    file = Result { () throws(ScriptError) in try ScriptFile(path: String(cString: path)) }
  }

  /// The exit status if the script fails: `EX_SOFTWARE` of sysexits(3).
  private static let failed: Int32 = 70

  func run() -> Never {
    let script: Script
    do throws(ScriptError) {
      let file = try file.get()
      script = try Script(file.text, name: file.name)
    } catch {
      complain(error.description)
      refuse(error.description)
      exit(Self.failed)
    }
    do throws(ConnectionError) {
      let application = try Application.connect(delegate: script)
      script.run(in: application)
      application.run()
    } catch {
      complain(error.description)
      exit(1)
    }
    guard let failure = script.failure else { exit(0) }
    complain(failure.description)
    exit(Self.failed)
  }

  /// Sends the host the reason why the script cannot start, in place of the handshake.
  private func refuse(_ why: String) {
    var frames = FrameBuffer()
    frames.append(GuestMessage(.failed(why: why)), using: Arena(capacity: 4096))
    // If the write fails, the host still sees the exit status.
    _ = write(ProtocolVersion.descriptor, frames.bytes.baseAddress, frames.count)
  }
}

/// Writes a line to standard error.
func complain(_ text: String) {
  let message = "sluice-guest: \(text)\n"
  _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
