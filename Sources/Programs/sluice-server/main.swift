internal import CConfinement
internal import Glibc

// sluice-server [CONFINEMENT]… [--] FOLDER
//
// Serves the files of a folder over TLS on a port of 127.0.0.1 chosen by the kernel. Reads its certificate,
// key and other settings from standard input. Reports its port and its clients on standard output.

// The process is confined before anything else. From here on, it can access only its folder.
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
