internal import EventLoop
internal import Glibc

// sluice-link
//
// The way from one process of a fleet to the others, over mutual TLS. Descriptor 0 is a stream socket to the process that it
// serves. Frames go both ways there: the length of what follows and the number of a peer, unsigned 32-bit little-endian
// integers, then a message. Between links they go without the number: who sends, the certificate tells.
//
// Frames of the number 0xFFFFFFFF are no messages: see `Order` and `Notice`.

FreedMemory.keep(upTo: 64 << 20)
do {
  try Exchange.serve(STDIN_FILENO)
} catch {
  let complaint = Array("sluice-link: \(error)\n".utf8)
  _ = write(STDERR_FILENO, complaint, complaint.count)
  exit(1)
}
