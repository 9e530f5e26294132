#include "base/text.h"

#include <string.h>

size_t scr_character_length(const char *text, size_t left)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80) return (s[0] >= ' ' && s[0] != 127) || strchr("\t\n\r", s[0]) ? s[0] != 0 : 0;
    size_t n = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    if (!n || n > left) return 0;
    for (size_t k = 1; k < n; k++)
        if ((s[k] & 0xc0) != 0x80) return 0;
    // U+0080 to U+009F control terminals as escape sequences do
    if (s[0] == 0xc2 && s[1] < 0xa0) return 0;
    if (s[0] == 0xe0 && s[1] < 0xa0) return 0;
    if (s[0] == 0xed && s[1] > 0x9f) return 0;
    if (s[0] == 0xf0 && s[1] < 0x90) return 0;
    if (s[0] == 0xf4 && s[1] > 0x8f) return 0;
    return n;
}

char *scr_text_tame(char *text, const char *keep)
{
    size_t left = text ? strlen(text) : 0, n;
    for (char *c = text; left > 0; c += n, left -= n) {
        n = scr_character_length(c, left);
        if (!n || ((unsigned char)*c < ' ' && !strchr(keep, *c))) *c = '?', n = 1;
    }
    return text;
}
