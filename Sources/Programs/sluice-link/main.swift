internal import EventLoop
internal import Glibc

// sluice-link
//
// Connects a process of a fleet to the others over mutual TLS. Descriptor 0 is a stream socket to
// the served process. In both directions, a frame contains the length of the rest, the number of a
// peer, and a message. The numbers are unsigned 32-bit little-endian integers. Frames between links
// omit the number, because the certificate identifies the sender.
//
// Frames with the number 0xFFFFFFFF carry no message: see `Order` and `Notice`.

FreedMemory.keep(upTo: 64 << 20)
do {
  try Exchange.serve(STDIN_FILENO)
} catch {
  let complaint = Array("sluice-link: \(error)\n".utf8)
  _ = write(STDERR_FILENO, complaint, complaint.count)
  exit(1)
}
