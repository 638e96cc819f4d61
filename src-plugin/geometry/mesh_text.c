/* SPDX-License-Identifier: MIT
 * Text files word by word, and numbers that do not depend on the locale. */
#include <ctype.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/mesh_internal.h"

/* Longest number we accept; 17 digits would do, exporters write up to 50. */
#define NUMBER_MAX 120

/* Reads to the end of the stream: a size asked for beforehand fails on pipes and beyond long. */
static pd_status load_stream(FILE *file, char **data, size_t *size)
{
  size_t room = 1 << 16, n = 0, got;
  char *p = pd_malloc(room);
  while (p && (got = fread(p + n, 1, room - n - 1, file)) > 0) {
    n += got;
    if (n + 1 < room) continue;
    char *q = room > SIZE_MAX / 2 ? NULL : pd_realloc(p, 2 * room);
    if (!q) pd_free(p);
    p = q;
    room *= 2;
  }
  if (!p) return PD_ENOMEM;
  if (ferror(file)) {
    pd_free(p);
    return PD_EREAD;
  }
  p[n] = '\0';
  *data = p;
  *size = n;
  return PD_OK;
}

pd_status pd_file_load(const char *path, char **data, size_t *size)
{
  FILE *file = fopen(path, "rb");
  if (!file) return PD_EOPEN;
  const pd_status status = load_stream(file, data, size);
  fclose(file);
  return status;
}

pd_text pd_text_begin(const char *data, size_t size)
{
  pd_text text = {data, data + size, 1};
  if (size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0) text.next += 3;
  return text;
}

static int is_line_end(char c) { return c == '\n' || c == '\r'; }

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

/* Steps over one line end: LF, CR LF or CR. */
static void pass_line_end(pd_text *text)
{
  if (text->next[0] == '\r' && text->next + 1 < text->end && text->next[1] == '\n') text->next++;
  text->next++;
  text->line++;
}

static pd_word take_word(pd_text *text)
{
  pd_word word = {text->next, 0};
  while (text->next < text->end && !is_blank(*text->next) && !is_line_end(*text->next))
    text->next++;
  word.n = (size_t)(text->next - word.s);
  return word;
}

pd_word pd_text_word(pd_text *text)
{
  while (text->next < text->end && (is_blank(*text->next) || is_line_end(*text->next))) {
    if (is_line_end(*text->next))
      pass_line_end(text);
    else
      text->next++;
  }
  return take_word(text);
}

pd_word pd_text_word_in_line(pd_text *text)
{
  for (; text->next < text->end; text->next++) {
    const char *p = text->next;
    if (is_blank(*p)) continue;
    /* a backslash before the line end joins two lines */
    if (*p != '\\' || p + 1 >= text->end || !is_line_end(p[1])) break;
    text->next++;
    pass_line_end(text);
    text->next--;
  }
  pd_word word = take_word(text);
  if (word.n > 1 && word.s[word.n - 1] == '\\' && text->next < text->end &&
      is_line_end(*text->next)) {
    word.n--;
    text->next--;
  }
  return word;
}

void pd_text_skip_line(pd_text *text)
{
  while (text->next < text->end && !is_line_end(*text->next)) text->next++;
  if (text->next < text->end) pass_line_end(text);
}

int pd_word_is(pd_word word, const char *expected)
{
  if (word.n != strlen(expected)) return 0;
  for (size_t i = 0; i < word.n; i++)
    if (tolower((unsigned char)word.s[i]) != expected[i]) return 0;
  return 1;
}

/* Only plain decimals reach strtod: no hexadecimal numbers, no decimal comma of the locale. */
static int is_decimal(pd_word word)
{
  for (size_t i = 0; i < word.n; i++)
    if (!memchr("0123456789+-.eE", word.s[i], 15)) return 0;
  return 1;
}

/* "nan", "inf" and what printf of other systems makes of them, such as -nan(ind) or 1.#INF */
static int is_not_finite(pd_word word)
{
  while (word.n > 0 && (*word.s == '+' || *word.s == '-')) {
    word.s++;
    word.n--;
  }
  if (word.n < 3) return 0;
  const pd_word head = {word.s, 3};
  return pd_word_is(head, "nan") || pd_word_is(head, "inf") || memcmp(word.s, "1.#", 3) == 0;
}

pd_status pd_word_number(pd_word word, double *value)
{
  char copy[NUMBER_MAX + 16];
  const char *point = localeconv()->decimal_point;
  *value = NAN;
  if (is_not_finite(word)) return PD_ENAN;
  if (word.n == 0 || word.n > NUMBER_MAX || strlen(point) > 8 || !is_decimal(word))
    return PD_EFORMAT;

  /* strtod wants the point of the locale: put it where the first '.' is */
  const char *dot = memchr(word.s, '.', word.n);
  const size_t before = dot ? (size_t)(dot - word.s) : word.n;
  size_t n = before;
  memcpy(copy, word.s, before);
  if (dot) {
    memcpy(copy + n, point, strlen(point));
    n += strlen(point);
    memcpy(copy + n, dot + 1, word.n - before - 1);
    n += word.n - before - 1;
  }
  copy[n] = '\0';
  char *stop;
  *value = strtod(copy, &stop);
  if (stop != copy + n) return PD_EFORMAT;
  return isfinite(*value) ? PD_OK : PD_ENAN;
}
