internal import CConfinement
internal import Glibc
internal import SluiceKit

// Before anything else: from here on this process has its container and nothing more.
_ = sluice_confine_from_arguments(CommandLine.argc, CommandLine.unsafeArgv)

do {
  try Application.connect(delegate: DrivenApp()).run()
} catch {
  let message = "sluice-guest: \(error)\n"
  _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(1)
}
