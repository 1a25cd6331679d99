internal import CConfinement
internal import CZygote
internal import Glibc
internal import SluiceKit

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv

// In the zygote, this call does not return. It returns in each process that the zygote forks.
czygote_serve(&count, &arguments) { promises in
  try? Application.rehearse(delegate: DrivenApp())
  // Once this filter is installed, the zygote can fork only into new PID namespaces.
  guard promises & Int32(CZYGOTE_PROCESSES.rawValue) != 0,
    sluice_filter_calls(Int32(CZYGOTE_FILTER_DESCRIPTOR)) > 0
  else { return promises }
  return promises | Int32(CZYGOTE_FILTER.rawValue)
}

// The script is read now, because it is inaccessible once this process is confined.
let script = arguments.flatMap { ScriptGuest(count, $0) }

// The process is confined before anything else. From here on, it can access only its container.
_ = sluice_confine_from_arguments(count, arguments)

if let script { script.run() }

do {
  let app = DrivenApp()
  let application = try Application.connect(delegate: app)
  application.policyManager.delegate = app.wiping
  application.run()
  // Cleanup is skipped: all output is written, and the cleanup of the zygote's setup would copy
  // shared pages.
  _exit(0)
} catch {
  complain("\(error)")
  exit(1)
}
