// This program runs the program in its first argument as a child, with the further arguments. The
// child's standard output is the file `outcomes`. The program exits with the child's status.
internal import Glibc

var child: pid_t = 0
var files = posix_spawn_file_actions_t()
posix_spawn_file_actions_init(&files)
posix_spawn_file_actions_addopen(&files, 1, "outcomes", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
let arguments = CommandLine.arguments.dropFirst().map { strdup($0) } + [nil]
let error = posix_spawn(&child, CommandLine.arguments[1], &files, nil, arguments, environ)
var status: Int32 = 0
guard error == 0, waitpid(child, &status, 0) == child else { exit(1) }
exit(status >> 8 & 0xFF)
