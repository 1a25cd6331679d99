internal import Glibc
internal import Scripting
internal import SluiceKit
internal import Wire

/// A script as this process's program: read before the process is confined, run after.
struct ScriptGuest {
  private let file: Result<ScriptFile, ScriptError>

  /// Reads the script; nil where the command line names none after `--`.
  ///
  /// Most guests run no script, and are spared a copy of their arguments.
  init?(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
    let arguments = UnsafeBufferPointer(start: arguments, count: Int(count))
    let separator = arguments.firstIndex { $0.map { strcmp($0, "--") == 0 } ?? false }
    guard let separator, separator + 1 < arguments.count, let path = arguments[separator + 1]
    else { return nil }
    file = Result { () throws(ScriptError) in try ScriptFile(path: String(cString: path)) }
  }

  /// The exit status of a script that failed: `EX_SOFTWARE` of sysexits.h.
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

  /// Tells the host, in place of a handshake, why there will be no handshake.
  private func refuse(_ why: String) {
    var frames = FrameBuffer()
    frames.append(GuestMessage(.failed(why: why)), using: Arena(capacity: 4096))
    // A host that does not listen learns it from the exit.
    _ = write(ProtocolVersion.descriptor, frames.bytes.baseAddress, frames.count)
  }
}

/// Writes a line to standard error.
func complain(_ text: String) {
  let message = "sluice-guest: \(text)\n"
  _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
