/* Text that comes from elsewhere: what it may be made of, and how it becomes harmless. */
#ifndef SCREE_BASE_TEXT_H
#define SCREE_BASE_TEXT_H

#include <stddef.h>

/* Bytes of the UTF-8 character at `text`, of which `left` bytes are there; 0: it is none, or one that
 * controls a terminal instead of being seen (tabs and ends of lines are characters here). */
size_t scr_character_length(const char *text, size_t left);

/* Text that others wrote, on its way to a terminal, a message or a page: what is not a character
 * becomes '?', and so do tabs and ends of lines unless they are in `keep`. In place; returns `text`,
 * which may be NULL. */
char *scr_text_tame(char *text, const char *keep);

#endif
