internal import CConfinement
internal import CZygote
internal import Glibc
internal import SluiceKit

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv

// In the zygote, this call does not return; in each process that it forks, it does.
czygote_serve(&count, &arguments) { promises in
  try? Application.rehearse(delegate: DrivenApp())
  // Once this filter is installed, the zygote can fork only into PID namespaces.
  guard promises & Int32(CZYGOTE_PROCESSES.rawValue) != 0,
    sluice_filter_calls(Int32(CZYGOTE_FILTER_DESCRIPTOR)) > 0
  else { return promises }
  return promises | Int32(CZYGOTE_FILTER.rawValue)
}

// Read the script now, because it is inaccessible once this process is confined.
let script = arguments.flatMap { ScriptGuest(count, $0) }

// Confine the process before anything else; from here on it can access only its container.
_ = sluice_confine_from_arguments(count, arguments)

if let script { script.run() }

do {
  let app = DrivenApp()
  let application = try Application.connect(delegate: app)
  application.policyManager.delegate = app.wiping
  application.run()
  // Skip cleanup: all output is written, and tearing down the zygote's setup would copy shared pages.
  _exit(0)
} catch {
  complain("\(error)")
  exit(1)
}
