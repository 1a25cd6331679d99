#ifndef SLUICE_ZYGOTE_TEXT_H
#define SLUICE_ZYGOTE_TEXT_H

// Moves the program's text to huge pages, as far as it fills them. Forked processes then map it
// with a few entries, instead of taking a page fault for every executed part of the file. Without
// huge pages in the kernel, does nothing.
void move_text_to_huge_pages(void);

#endif
