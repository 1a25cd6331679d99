internal import CConfinement
internal import Glibc
internal import Scripting
internal import SluiceKit

// A script is out of reach once this process is confined.
let script = ScriptGuest(CommandLine.argc, CommandLine.unsafeArgv)

// Before anything else is done with it: from here on this process has its container and nothing more.
_ = sluice_confine_from_arguments(CommandLine.argc, CommandLine.unsafeArgv)

if let script { script.run() }

do {
  let app = DrivenApp()
  let application = try Application.connect(delegate: app)
  application.policyManager.delegate = app.wiping
  application.run()
} catch {
  complain("\(error)")
  exit(1)
}
