#include "scene/script.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/expression.h"

void scr_script_open(scr_script *s, const char *text)
{
    *s = (scr_script){.at = text, .next_line = 1};
}

void scr_script_close(scr_script *s)
{
    for (int k = 0; k < s->variable_count; k++) free(s->variables[k].name), free(s->variables[k].text);
    scr_buffer_free(s->variables);
    free(s->command);
    *s = (scr_script){0};
}

/* ---- variables ---- */

static const char *variable_of(const scr_script *s, const char *name, size_t length)
{
    for (int k = s->variable_count - 1; k >= 0; k--)
        if (strlen(s->variables[k].name) == length && !strncmp(s->variables[k].name, name, length))
            return s->variables[k].text;
    return NULL;
}

// v_NAME and NAME in arithmetic
static bool find(void *context, const char *name, const double *argument, scr_operand *found, char *why, size_t size)
{
    const scr_script *s = context;
    const char *plain = !strncmp(name, "v_", 2) ? name + 2 : name, *text = variable_of(s, plain, strlen(plain));
    char *end;
    if (!strcmp(name, "PI")) return found->number = M_PI, true;
    if (argument || !text) {
        snprintf(why, size, "the variable '%.60s' is not defined", name);
        return false;
    }
    found->number = strtod(text, &end);
    if (end != text && !*end) return true;
    snprintf(why, size, "the variable '%.60s' is not a number", name);
    return false;
}

static bool evaluate(const scr_script *s, const char *text, double *value, char *why, size_t size)
{
    scr_names names = {.find = find, .context = (void *)s};
    return scr_expression_number(text, &names, value, why, size);
}

static bool set_variable(scr_script *s, const char *name, const char *text)
{
    scr_script_variable v = {strdup(name), strdup(text)};
    if (v.name && v.text && scr_push(s->variables, s->variable_count, v)) return true;
    free(v.name), free(v.text);
    return false;
}

// variable NAME STYLE ...: a number, or the first word
static void define(scr_script *s)
{
    if (s->count < 4) return;
    const char *style = s->words[2];
    char text[64];
    double value;
    if (!strcmp(style, "equal")) {
        char whole[1000] = "";
        for (int k = 3; k < s->count; k++)
            snprintf(whole + strlen(whole), sizeof whole - strlen(whole), "%s%s", k > 3 ? " " : "", s->words[k]);
        if (!evaluate(s, whole, &value, s->why, sizeof s->why)) return;
        snprintf(text, sizeof text, "%.17g", value);
        set_variable(s, s->words[1], text);
    } else if (!strcmp(style, "index") || !strcmp(style, "string") || !strcmp(style, "loop")) {
        set_variable(s, s->words[1], !strcmp(style, "loop") ? "1" : s->words[3]);
        if (s->count > 4 || !strcmp(style, "loop"))
            snprintf(s->why, sizeof s->why, "only the first value of '%.60s' is used", s->words[1]);
    } else {
        snprintf(s->why, sizeof s->why, "variables of style %.40s are not evaluated", style);
    }
}

/* ---- lines ---- */

// the whole command without comments, lines joined; *length is that of what was read
static char *gather(scr_script *s)
{
    char *out = malloc(strlen(s->at) + 2);
    size_t n = 0;
    bool more = true;
    while (out && more && *s->at) {
        const char *end = s->at + strcspn(s->at, "\n");
        char quote = 0;
        size_t begin = n;
        for (const char *c = s->at; c < end; c++) {
            if (quote ? *c == quote : *c == '"' || *c == '\'') quote = quote ? 0 : *c;
            if (*c == '#' && !quote) break;
            out[n++] = *c == '\t' || *c == '\r' ? ' ' : *c;
        }
        while (n > begin && out[n - 1] == ' ') n--;
        more = n > begin && out[n - 1] == '&';
        if (more) out[n - 1] = ' ';
        s->at = *end ? end + 1 : end;
        s->next_line++;
    }
    if (out) out[n] = 0;
    return out;
}

// ${name}, $x and $(arithmetic) replaced; false: one is not known
static char *fill_in(scr_script *s, const char *from)
{
    size_t room = strlen(from) + 4096, n = 0;
    char *out = malloc(room);
    for (const char *c = from; out && *c;) {
        if (*c != '$' || !c[1]) {
            if (n + 2 < room) out[n++] = *c;
            c++;
            continue;
        }
        bool braces = c[1] == '{', brackets = c[1] == '(';
        const char *name = c + (braces || brackets ? 2 : 1);
        size_t length = braces ? strcspn(name, "}") : brackets ? strcspn(name, ")") : 1;
        const char *text = brackets ? NULL : variable_of(s, name, length);
        char number[64], inner[400];
        double value;
        if (brackets) {
            snprintf(inner, sizeof inner, "%.*s", (int)length, name);
            if (evaluate(s, inner, &value, s->why, sizeof s->why)) {
                snprintf(number, sizeof number, "%.17g", value);
                text = number;
            }
        } else if (!text) {
            snprintf(s->why, sizeof s->why, "the variable '%.*s' is not defined", (int)(length < 60 ? length : 60),
                     name);
        }
        if (text && n + strlen(text) + 2 < room) n += (size_t)sprintf(out + n, "%s", text);
        c = name + length + ((braces || brackets) && name[length] ? 1 : 0);
    }
    if (out) out[n] = 0;
    return out;
}

static void cut(scr_script *s)
{
    s->count = 0;
    for (char *c = s->command; *c && s->count < SCR_SCRIPT_WORDS;) {
        c += strspn(c, " ");
        if (!*c) break;
        char quote = *c == '"' || *c == '\'' ? *c : 0;
        char *begin = quote ? c + 1 : c, *end = quote ? strchr(begin, quote) : begin + strcspn(begin, " ");
        if (!end) end = begin + strlen(begin);
        s->words[s->count++] = begin;
        c = *end ? end + 1 : end;
        *end = 0;
    }
}

bool scr_script_next(scr_script *s)
{
    while (*s->at) {
        s->line = s->next_line;
        s->why[0] = 0;
        char *text = gather(s);
        if (!text) return false;
        const char *begin = text + strspn(text, " ");
        snprintf(s->plain, sizeof s->plain, "%s", begin);
        free(s->command);
        s->command = fill_in(s, begin);
        free(text);
        if (!s->command) return false;
        cut(s);
        if (!s->count) continue;
        if (!strcmp(s->words[0], "variable")) define(s);
        return true;
    }
    return false;
}

bool scr_script_number(const scr_script *s, const char *word, double *value)
{
    char *end;
    if (!strncmp(word, "v_", 2)) word = variable_of(s, word + 2, strlen(word + 2));
    if (!word) return false;
    *value = strtod(word, &end);
    return end != word && !*end && isfinite(*value);
}
