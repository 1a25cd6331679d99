// The smallest guest. It completes the handshake on descriptor 3, and then waits for a Stop or the
// end of the connection.

#include <stdlib.h>

#include "connection.h"
#include "frame.h"

enum { BUFFER_CAPACITY = 512 };

static int serve(struct connection *connection) {
  while (connection_read(connection) == INPUT_READ) {
    struct bytes encoded;
    while (connection_next(connection, &encoded)) {
      struct host_message message;
      if (!wire_read_host_message(encoded, &message)) return EXIT_FAILURE;
      if (message.kind == HOST_REJECTED) return EXIT_FAILURE;
      if (message.kind == HOST_STOP) return EXIT_SUCCESS;
    }
  }
  return EXIT_SUCCESS;
}

int main(void) {
  struct connection connection;
  if (!connection_open(&connection, GUEST_DESCRIPTOR, BUFFER_CAPACITY, BUFFER_CAPACITY)) return EXIT_FAILURE;
  int status = connection_greet(&connection, "minimal") ? serve(&connection) : EXIT_FAILURE;
  connection_close(&connection);
  return status;
}
