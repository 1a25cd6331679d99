internal import CConfinement
internal import CZygote
internal import Glibc
internal import Scripting
internal import SluiceKit

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv

// A zygote goes no further; each process that it forks does.
czygote_serve(&count, &arguments) { try? Application.rehearse(delegate: DrivenApp()) }

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
} catch {
  complain("\(error)")
  exit(1)
}
