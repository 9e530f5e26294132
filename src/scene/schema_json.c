/* JSON schema of a scene file (see help.h). A section with kinds becomes a choice of objects, one
 * per kind, told apart by the selector key; a quantity is a number or a text of number and unit. */
#include <stdlib.h>
#include <string.h>

#include "scene/help.h"

// ---- a small JSON writer ----

typedef struct {
    FILE *out;
    int depth;
    bool first; /* nothing stands in the innermost brackets yet */
} json;

static void put_text(json *j, const char *text)
{
    fputc('"', j->out);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(j->out, "\\%c", *p);
        else if (*p < ' ')
            fprintf(j->out, "\\u%04x", *p);
        else
            fputc(*p, j->out);
    }
    fputc('"', j->out);
}

// comma, line break, and the key unless we are in a list
static void begin(json *j, const char *key)
{
    if (j->depth) fprintf(j->out, "%s\n%*s", j->first ? "" : ",", 2 * j->depth, "");
    j->first = false;
    if (!key) return;
    put_text(j, key);
    fputs(": ", j->out);
}

static void json_open(json *j, const char *key, char bracket)
{
    begin(j, key);
    fputc(bracket, j->out);
    j->depth++;
    j->first = true;
}

static void json_close(json *j, char bracket)
{
    j->depth--;
    if (!j->first) fprintf(j->out, "\n%*s", 2 * j->depth, "");
    fputc(bracket, j->out);
    j->first = false;
}

static void json_text(json *j, const char *key, const char *value)
{
    begin(j, key);
    put_text(j, value);
}

// a number, true, false, or ready JSON
static void json_raw(json *j, const char *key, const char *value)
{
    begin(j, key);
    fputs(value, j->out);
}

// ---- types ----

static void write_words(json *j, const char *words)
{
    size_t length;
    json_open(j, "enum", '[');
    for (const char *w; (w = scr_words_next(&words, &length));) {
        char copy[64];
        snprintf(copy, sizeof copy, "%.*s", (int)length, w);
        json_text(j, NULL, copy);
    }
    json_close(j, ']');
}

static void write_bounds(json *j, const scr_param *p)
{
    scr_interval i = scr_interval_parse(p->allowed);
    char number[40];
    if (i.low > -1e300) {
        snprintf(number, sizeof number, "%.17g", i.low);
        json_raw(j, i.low_open ? "exclusiveMinimum" : "minimum", number);
    }
    if (i.high < 1e300) {
        snprintf(number, sizeof number, "%.17g", i.high);
        json_raw(j, i.high_open ? "exclusiveMaximum" : "maximum", number);
    }
}

// the ways to write one number, as members of a list of alternatives
static void write_number_ways(json *j, const scr_param *p, bool bounded)
{
    json_open(j, NULL, '{');
    json_text(j, "type", "number");
    if (bounded) write_bounds(j, p);
    json_close(j, '}');
    json_open(j, NULL, '{');
    json_text(j, "$ref", "#/$defs/quantity");
    json_close(j, '}');
    const char *words = scr_param_words(p);
    size_t length;
    for (const char *w; (w = scr_words_next(&words, &length));) {
        char word[40];
        snprintf(word, sizeof word, "%.*s", (int)length, w);
        json_open(j, NULL, '{');
        json_text(j, "const", word);
        json_close(j, '}');
    }
}

static void open_list(json *j, const char *key, int count)
{
    char number[16];
    snprintf(number, sizeof number, "%d", count);
    json_open(j, key, '{');
    json_text(j, "type", "array");
    json_raw(j, "minItems", number);
    json_raw(j, "maxItems", number);
}

static void write_number_list(json *j, const char *key, const scr_param *p, int count, bool bounded)
{
    open_list(j, key, count);
    json_open(j, "items", '{');
    json_open(j, "anyOf", '[');
    write_number_ways(j, p, bounded);
    json_close(j, ']');
    json_close(j, '}');
    json_close(j, '}');
}

static void write_words_or_list(json *j, const char *words)
{
    json_open(j, "anyOf", '[');
    json_open(j, NULL, '{');
    json_text(j, "type", "string");
    json_close(j, '}');
    json_open(j, NULL, '{');
    json_text(j, "type", "array");
    json_open(j, "items", '{');
    if (words)
        write_words(j, words);
    else
        json_text(j, "type", "string");
    json_close(j, '}');
    json_close(j, '}');
    json_close(j, ']');
}

// rows of numbers, or one row
static void write_matrix(json *j, const scr_param *p)
{
    json_open(j, "anyOf", '[');
    write_number_list(j, NULL, p, scr_param_columns(p), false);
    json_open(j, NULL, '{');
    json_text(j, "type", "array");
    json_raw(j, "minItems", "1");
    write_number_list(j, "items", p, scr_param_columns(p), false);
    json_close(j, '}');
    json_close(j, ']');
}

static void write_section_type(json *j, const scr_section *section);

static void write_type(json *j, const scr_param *p)
{
    switch (p->type) {
    case SCR_REAL:
    case SCR_SPAN:
        json_open(j, "anyOf", '[');
        write_number_ways(j, p, true);
        if (p->type == SCR_SPAN) write_number_list(j, NULL, p, 2, true);
        json_close(j, ']');
        break;
    case SCR_INT:
        json_open(j, "anyOf", '[');
        json_open(j, NULL, '{');
        json_text(j, "type", "integer");
        write_bounds(j, p);
        json_close(j, '}');
        json_open(j, NULL, '{');
        json_raw(j, "type", "\"string\"");
        json_text(j, "pattern", "^=.+$");
        json_close(j, '}');
        json_close(j, ']');
        break;
    case SCR_BOOL:
        json_open(j, "anyOf", '[');
        json_open(j, NULL, '{');
        json_text(j, "type", "boolean");
        json_close(j, '}');
        json_open(j, NULL, '{');
        write_words(j, "yes no on off");
        json_close(j, '}');
        json_close(j, ']');
        break;
    case SCR_TEXT: json_raw(j, "type", "[\"string\", \"number\"]"); break;
    case SCR_CHOICE: write_words(j, p->allowed); break;
    case SCR_VEC3:
        json_open(j, "allOf", '[');
        write_number_list(j, NULL, p, 3, false);
        json_close(j, ']');
        break;
    case SCR_BOX:
        json_text(j, "type", "array");
        json_raw(j, "minItems", "2");
        json_raw(j, "maxItems", "2");
        write_number_list(j, "items", p, 3, false);
        break;
    case SCR_AXES: write_words_or_list(j, "x y z"); break;
    case SCR_TEXTS: write_words_or_list(j, p->allowed); break;
    case SCR_MATRIX: write_matrix(j, p); break;
    case SCR_NESTED: write_section_type(j, p->nested); break;
    }
}

static void write_default(json *j, const scr_param *p)
{
    if (!p->fallback || !p->fallback[0]) return;
    char *end;
    strtod(p->fallback, &end);
    if (p->type == SCR_BOOL)
        json_raw(j, "default", scr_words_index("yes true on", p->fallback) >= 0 ? "true" : "false");
    else if (!*end || p->fallback[0] == '[')
        json_raw(j, "default", p->fallback);
    else
        json_text(j, "default", p->fallback);
}

static void write_param(json *j, const char *key, const scr_param *p)
{
    char text[1024], expects[512];
    scr_param_expects(p, expects, sizeof expects);
    snprintf(text, sizeof text, "%s%s%s (%s)", strcmp(key, p->name) ? "The same as " : "",
             strcmp(key, p->name) ? p->name : p->doc, strcmp(key, p->name) ? "." : "", expects);
    json_open(j, key, '{');
    json_text(j, "description", text);
    write_type(j, p);
    write_default(j, p);
    json_close(j, '}');
}

// with its other spellings
static void write_properties(json *j, const scr_param *params)
{
    for (const scr_param *p = params; p && p->name; p++) {
        write_param(j, p->name, p);
        size_t length;
        const char *also = p->also;
        for (const char *w; (w = scr_words_next(&also, &length));) {
            char key[64];
            snprintf(key, sizeof key, "%.*s", (int)length, w);
            write_param(j, key, p);
        }
    }
}

// ---- what must be there ----

static void write_required(json *j, const scr_param *params)
{
    for (const scr_param *p = params; p && p->name; p++)
        if (!p->fallback && !p->also) json_text(j, NULL, p->name);
}

static void write_one_of_keys(json *j, const char *key, size_t length)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%.*s", (int)length, key);
    json_open(j, NULL, '{');
    json_open(j, "required", '[');
    json_text(j, NULL, copy);
    json_close(j, ']');
    json_close(j, '}');
}

// a required key with several spellings: one of them
static void write_required_spellings(json *j, const scr_param *params)
{
    for (const scr_param *p = params; p && p->name; p++) {
        if (p->fallback || !p->also) continue;
        json_open(j, NULL, '{');
        json_open(j, "anyOf", '[');
        write_one_of_keys(j, p->name, strlen(p->name));
        size_t length;
        const char *also = p->also;
        for (const char *w; (w = scr_words_next(&also, &length));) write_one_of_keys(j, w, length);
        json_close(j, ']');
        json_close(j, '}');
    }
}

// ---- sections ----

// members of the object of one item
static void write_object(json *j, const scr_section *section, const scr_variant *variant)
{
    bool fallback = variant && section->selector_fallback && !strcmp(variant->name, section->selector_fallback);
    json_text(j, "type", "object");
    json_open(j, "properties", '{');
    if (variant) {
        json_open(j, section->selector, '{');
        json_text(j, "const", variant->name);
        json_text(j, "description", variant->doc);
        json_close(j, '}');
    }
    write_properties(j, section->params);
    if (variant) write_properties(j, variant->params);
    json_close(j, '}');
    json_open(j, "required", '[');
    if (variant && !fallback) json_text(j, NULL, section->selector);
    write_required(j, section->params);
    if (variant) write_required(j, variant->params);
    json_close(j, ']');
    json_open(j, "allOf", '[');
    write_required_spellings(j, section->params);
    if (variant) write_required_spellings(j, variant->params);
    // an empty list of conditions is not allowed
    json_raw(j, NULL, "true");
    json_close(j, ']');
    json_raw(j, "additionalProperties", section->open ? "true" : "false");
}

// members of the schema of one item
static void write_section_type(json *j, const scr_section *section)
{
    if (section->plain) {
        write_type(j, section->params);
        return;
    }
    if (!section->variants) {
        write_object(j, section, NULL);
        return;
    }
    json_open(j, "anyOf", '[');
    for (const scr_variant *const *v = section->variants; *v; v++) {
        json_open(j, NULL, '{');
        json_text(j, "title", (*v)->name);
        json_text(j, "description", (*v)->doc);
        write_object(j, section, *v);
        json_close(j, '}');
    }
    json_open(j, NULL, '{');
    json_open(j, "enum", '[');
    for (const scr_variant *const *v = section->variants; *v; v++) json_text(j, NULL, (*v)->name);
    json_close(j, ']');
    json_close(j, '}');
    json_close(j, ']');
}

static void write_section(json *j, const scr_section *section)
{
    json_open(j, section->name, '{');
    json_text(j, "description", section->doc);
    if (section->named) {
        json_text(j, "type", "object");
        json_raw(j, "minProperties", section->required ? "1" : "0");
        json_open(j, "additionalProperties", '{');
        write_section_type(j, section);
        json_close(j, '}');
    } else {
        write_section_type(j, section);
    }
    json_close(j, '}');
}

static void write_top(json *j, const scr_schema *schema)
{
    json_text(j, "type", "object");
    json_open(j, "properties", '{');
    for (const scr_section *const *s = schema->sections; *s; s++) {
        if ((*s)->name[0])
            write_section(j, *s);
        else
            write_properties(j, (*s)->params);
    }
    json_close(j, '}');
    json_open(j, "required", '[');
    for (const scr_section *const *s = schema->sections; *s; s++) {
        if (!(*s)->name[0])
            write_required(j, (*s)->params);
        else if ((*s)->required && !(*s)->unless)
            json_text(j, NULL, (*s)->name);
    }
    json_close(j, ']');
    json_raw(j, "additionalProperties", "false");
}

static void write_definitions(json *j)
{
    json_open(j, "$defs", '{');
    json_open(j, "quantity", '{');
    json_text(j, "type", "string");
    json_text(j, "description",
              "A number with a unit, such as 72 GPa, 4 mm or 2500 kg/m^3, or an expression such as "
              "=R/ratio.");
    json_text(j, "pattern", "^(=.+|[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)? *[^0-9 .].*)$");
    json_close(j, '}');
    json_close(j, '}');
}

void scr_schema_write_json(const scr_schema *schema, FILE *out)
{
    json j = {.out = out};
    json_open(&j, NULL, '{');
    json_text(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_text(&j, "title", "Scree scene");
    write_top(&j, schema);
    write_definitions(&j);
    json_close(&j, '}');
    fputc('\n', out);
}
