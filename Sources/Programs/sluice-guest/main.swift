internal import CConfinement
internal import CZygote
internal import Glibc
internal import Scripting
internal import SluiceKit

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv

// A zygote goes no further; each process that it forks does.
czygote_serve(&count, &arguments) { promises in
  try? Application.rehearse(delegate: DrivenApp())
  // The filter lets it fork into PID namespaces alone.
  guard promises & Int32(CZYGOTE_PROCESSES.rawValue) != 0,
    sluice_filter_calls(Int32(CZYGOTE_FILTER_DESCRIPTOR)) > 0
  else { return promises }
  return promises | Int32(CZYGOTE_FILTER.rawValue)
}

// A script is out of reach once this process is confined.
let script = arguments.flatMap { ScriptGuest(count, $0) }

// Before anything else is done with it: from here on this process has its container and nothing more.
_ = sluice_confine_from_arguments(count, arguments)

if let script { script.run() }

do {
  let app = DrivenApp()
  let application = try Application.connect(delegate: app)
  application.policyManager.delegate = app.wiping
  application.run()
  // Nothing is left to write, and taking down what the zygote has set up would write to pages that all share.
  _exit(0)
} catch {
  complain("\(error)")
  exit(1)
}
