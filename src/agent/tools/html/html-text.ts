import type * as HtmlParser from 'htmlparser2';
import { createRequire } from 'node:module';
import { changeInSteps, joinInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { HtmlReader, isHtmlElement } from './html-reader.ts';

/** A `main` or `article` region replaces the whole page if its text is at least this long. */
const NON_TRIVIAL_CHARS = 200;
const NON_TRIVIAL_SHARE = 0.4;

const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;
const LINES_A_STEP = 256;

/** Keeps at most one empty line in a row, and drops table rows without content. */
const tidy = function* (untidy: string): Steps<string> {
  const text = yield* changeInSteps(untidy, (slice) => slice.replace(UNSEEN, ''));
  const kept: string[] = [];
  let wasEmpty = false;
  let count = 0;
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end);
    const tidied = /^[| ]*$/.test(line) ? '' : line.trimEnd();
    if (tidied !== '' || !wasEmpty) kept.push(tidied, '\n');
    wasEmpty = tidied === '';
    from = end === -1 ? text.length + 1 : end + 1;
    count += 1;
    if (count % LINES_A_STEP === 0) yield;
  }
  return (yield* joinInSteps(kept)).trim();
};

/** The parser is loaded with the first page, because it takes megabytes and most bots never read HTML. */
const load = createRequire(import.meta.url);
const tokenizerOf = (reader: HtmlReader): HtmlParser.Tokenizer => {
  const parser = load('htmlparser2') as typeof HtmlParser;
  return new parser.Tokenizer({}, reader);
};

/** Positions that the tokenizer reports refer to the whole text, so pieces may end anywhere. */
const READ_CHARS = 8_192;

const read = function* (html: string, isProse: boolean): Steps<HtmlReader> {
  const reader = new HtmlReader(html, isProse);
  const tokenizer = tokenizerOf(reader);
  for (let at = 0; at < html.length; at += READ_CHARS) {
    tokenizer.write(html.slice(at, at + READ_CHARS));
    yield;
  }
  tokenizer.end();
  return reader;
};

/**
 * Converts a page to the text that a person would read: the title first, a line for each block, tables as rows,
 * links with their address. Scripts, styles, menus, comments and hidden parts are left out. Runs in linear time
 * for any input.
 */
export const htmlToText = function* (html: string): Steps<string> {
  const reader = yield* read(html, false);
  const all = yield* tidy(yield* reader.writer.between(0, reader.writer.position));
  const isEnough = (text: string): boolean =>
    text.length >= NON_TRIVIAL_CHARS || (text !== '' && text.length >= all.length * NON_TRIVIAL_SHARE);
  let body = all;
  for (const name of ['main', 'article'] as const) {
    const region = yield* tidy(yield* reader.region(name));
    if (!isEnough(region)) continue;
    body = region;
    break;
  }
  const { title } = reader;
  const [firstLine = ''] = body.split('\n', 1);
  if (title === '' || firstLine.replace(/^#+ /, '') === title) return body;
  return `# ${title}\n\n${body}`.trim();
};

const DOCUMENT =
  /^\s*(?:<!--(?:[^-]|-(?!->)){0,4000}-->\s*)?(?:<\?xml[^<>]{0,200}\?>\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i;
const FIRST_TAG = /^\s*<([a-z][a-z0-9]{0,10})(\s[^<>]{0,2000})?\/?>/i;
const BEGIN_TAGS = /<([a-z][a-z0-9]{0,10})(\s[^<>]{0,2000})?>/gi;
const END_TAGS = /<\/([a-z][a-z0-9]{0,10})\s{0,4}>/gi;
/** Element names that feeds use as well. */
const AMBIGUOUS = new Set(['title', 'link', 'source', 'data', 'time', 'summary', 'menu', 'object', 'map']);

const isRealTag = (name: string, attributes: string): boolean =>
  isHtmlElement(name) && !AMBIGUOUS.has(name) && (attributes.trim() === '' || attributes.includes('='));

/** Whether the text has an HTML element with both its start tag and its end tag. */
const hasElement = function* (text: string): Steps<boolean> {
  const ended = new Set<string>();
  let count = 0;
  for (const [, name = ''] of text.matchAll(END_TAGS)) {
    if (isHtmlElement(name.toLowerCase())) ended.add(name.toLowerCase());
    count += 1;
    if (count % LINES_A_STEP === 0) yield;
  }
  for (const [, written = '', attributes = ''] of ended.size === 0 ? [] : text.matchAll(BEGIN_TAGS)) {
    count += 1;
    if (count % LINES_A_STEP === 0) yield;
    const name = written.toLowerCase();
    // The first tag of a name decides.
    if (ended.delete(name) && isRealTag(name, attributes)) return true;
  }
  return false;
};

/**
 * Converts HTML, and prose that contains HTML elements, to text. Everything else is returned unchanged:
 * "PER <15 and ROE> 20", `Map<string>`, <AAPL>, XML, code.
 */
export const withoutHtml = function* (text: string): Steps<string> {
  if (!text.includes('<')) return text;
  if (DOCUMENT.test(text)) return yield* htmlToText(text);
  if (text.includes('```')) return text;
  const first = FIRST_TAG.exec(text);
  if (first && isRealTag((first[1] ?? '').toLowerCase(), first[2] ?? '')) return yield* htmlToText(text);
  const isXml = /^\s*<[?!a-z]/i.test(text);
  if (isXml || !(yield* hasElement(text))) return text;
  const reader = yield* read(text, true);
  return yield* tidy(yield* reader.writer.between(0, reader.writer.position));
};
