#ifndef SLUICE_ZYGOTE_TEXT_H
#define SLUICE_ZYGOTE_TEXT_H

// Moves the program's text to huge pages, as far as it fills them: processes that are forked then map it with a handful of
// entries, where each of them would take a page fault for every part of the file that it executes. Where the kernel has no huge
// pages, nothing happens.
void move_text_to_huge_pages(void);

#endif
