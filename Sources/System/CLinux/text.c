#define _GNU_SOURCE
#include "text.h"

#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

// The part of a program's text that fills whole huge pages.
struct text {
  char *start;
  size_t size;
};

static int find_text(struct dl_phdr_info *program, size_t size, void *found) {
  (void)size;
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    const uintptr_t first = program->dlpi_addr + segment->p_vaddr;
    const uintptr_t start = (first + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    const uintptr_t end = (first + segment->p_memsz) & ~(uintptr_t)(HUGE_PAGE - 1);
    if (end > start) *(struct text *)found = (struct text){(char *)start, end - start};
  }
  // The first entry is the program; its libraries follow.
  return 1;
}

void move_text_to_huge_pages(void) {
  struct text text = {0};
  dl_iterate_phdr(find_text, &text);
  if (text.size == 0) return;
  char *room = mmap(NULL, text.size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return;
  char *copy = (char *)(((uintptr_t)room + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));
  const size_t before = (size_t)(copy - room);
  if (madvise(copy, text.size, MADV_HUGEPAGE) == 0) {
    memcpy(copy, text.start, text.size);
    // A single call moves the text, because this function itself may be in the moved range.
    if (mprotect(copy, text.size, PROT_READ | PROT_EXEC) == 0 &&
        mremap(copy, text.size, text.size, MREMAP_MAYMOVE | MREMAP_FIXED, text.start) != MAP_FAILED) {
      munmap(room, before);
      munmap(copy + text.size, HUGE_PAGE - before);
      return;
    }
  }
  munmap(room, text.size + HUGE_PAGE);
}
