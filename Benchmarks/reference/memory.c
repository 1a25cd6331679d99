#include "memory.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { USE_OUTBOX = 0, USE_INBOX = 1 };

// Reads the two numbers of a SharedMemory, a SharedBytes or a Release.
static void read_numbers(struct bytes message, uint64_t numbers[2]) {
  struct field field;
  numbers[0] = numbers[1] = 0;
  while (wire_next_field(&message, &field)) {
    if (field.number == 1 || field.number == 2) numbers[field.number - 1] = field.value;
  }
}

static bool divide_outbox(struct memory *memory, size_t size) {
  memory->piece = (size + SHARED_ALIGNMENT - 1) / SHARED_ALIGNMENT * SHARED_ALIGNMENT;
  size_t count = memory->piece > 0 ? memory->outbox_size / memory->piece : 0;
  memory->free = calloc(count + 1, sizeof *memory->free);
  if (!memory->free) return false;
  while (count > 0) memory->free[memory->free_count++] = --count * memory->piece;
  return true;
}

bool memory_adopt(struct memory *memory, struct bytes body, int descriptor, size_t size) {
  uint64_t numbers[2];
  read_numbers(body, numbers);
  bool is_outbox = numbers[0] == USE_OUTBOX;
  int protection = is_outbox ? PROT_READ | PROT_WRITE : PROT_READ;
  void *start = descriptor < 0 ? MAP_FAILED : mmap(NULL, numbers[1], protection, MAP_SHARED, descriptor, 0);
  if (descriptor >= 0) close(descriptor);
  if (start == MAP_FAILED) return false;
  if (!is_outbox) {
    memory->inbox = start;
    memory->inbox_size = numbers[1];
    return true;
  }
  memory->outbox = start;
  memory->outbox_size = numbers[1];
  return divide_outbox(memory, size);
}

bool memory_take(struct memory *memory, uint64_t *offset) {
  if (memory->free_count == 0) return false;
  *offset = memory->free[--memory->free_count];
  return true;
}

void memory_release(struct memory *memory, struct bytes body) {
  uint64_t numbers[2];
  read_numbers(body, numbers);
  memory->free[memory->free_count++] = numbers[0];
}

struct bytes memory_find(const struct memory *memory, struct bytes shared, uint64_t *offset) {
  uint64_t numbers[2];
  read_numbers(shared, numbers);
  *offset = numbers[0];
  if (numbers[0] > memory->inbox_size || numbers[1] > memory->inbox_size - numbers[0]) return (struct bytes){0};
  return (struct bytes){memory->inbox + numbers[0], (size_t)numbers[1]};
}
