internal import CConfinement
internal import Glibc

// sluice-server [CONFINEMENT]… [--] FOLDER
//
// Serves the files of a folder over TLS, on a port of 127.0.0.1 that the kernel chooses. It reads its certificate, key
// and further settings from standard input, and reports on standard output its port and its clients.

// Before anything else is done with it: from here on this process reads its folder and nothing more.
let first = Int(sluice_confine_from_arguments(CommandLine.argc, CommandLine.unsafeArgv))

do {
  guard first + 1 == CommandLine.arguments.count else {
    throw ServerError("the command line must end with one folder")
  }
  let folder = try ServedFolder(CommandLine.arguments[first])
  let settings = try ServerSettings(StandardInput.text())
  try FileServer(folder, settings).run()
} catch {
  StandardOutput.write("\(error)")
  exit(1)
}
