internal import CConfinement
internal import Glibc
internal import SluiceKit

// Before anything else: from here on this process has its container and nothing more.
_ = sluice_confine_from_arguments(CommandLine.argc, CommandLine.unsafeArgv)

do {
  let app = DrivenApp()
  let application = try Application.connect(delegate: app)
  application.policyManager.delegate = app.wiping
  application.run()
} catch {
  let message = "sluice-guest: \(error)\n"
  _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(1)
}
