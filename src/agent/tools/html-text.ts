import { createRequire } from 'node:module';
import type * as HtmlParser from 'htmlparser2';
import { isHtmlElement } from './html/elements.ts';
import { HtmlReader } from './html/html-reader.ts';

/** What is in `main` or in articles stands for the page if it is no mere frame. */
const NON_TRIVIAL_CHARS = 200;
const NON_TRIVIAL_SHARE = 0.4;

const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;

/** Rows of empty cells are nobody's content. */
const tidy = (text: string): string =>
  text
    .replace(UNSEEN, '')
    .split('\n')
    .map((line) => (/^[| ]*$/.test(line) ? '' : line.trimEnd()))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** Comes with the first page, and at once: it costs some megabytes, and most bots never see HTML. */
const load = createRequire(import.meta.url);
const tokenizerOf = (reader: HtmlReader): HtmlParser.Tokenizer => {
  const parser = load('htmlparser2') as typeof HtmlParser;
  return new parser.Tokenizer({}, reader);
};

const read = (html: string, isProse: boolean): HtmlReader => {
  const reader = new HtmlReader(html, isProse);
  const tokenizer = tokenizerOf(reader);
  tokenizer.write(html);
  tokenizer.end();
  return reader;
};

/**
 * What a person reads on a page, as text: the title first, a line for each block, tables as rows, links with
 * their address. Scripts, styles, menus, comments and hidden parts are left out. Takes time in proportion to
 * the page, whatever stands in it.
 */
export const htmlToText = (html: string): string => {
  const reader = read(html, false);
  const all = tidy(reader.writer.between(0, reader.writer.position));
  const isEnough = (text: string): boolean =>
    text.length >= NON_TRIVIAL_CHARS || (text !== '' && text.length >= all.length * NON_TRIVIAL_SHARE);
  const body = [tidy(reader.region('main')), tidy(reader.region('article'))].find(isEnough) ?? all;
  const { title } = reader;
  const [firstLine = ''] = body.split('\n', 1);
  if (title === '' || firstLine.replace(/^#+ /, '') === title) return body;
  return `# ${title}\n\n${body}`.trim();
};

const DOCUMENT =
  /^\s*(?:<!--(?:[^-]|-(?!->)){0,4000}-->\s*)?(?:<\?xml[^<>]{0,200}\?>\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i;
const FIRST_TAG = /^\s*<([a-z][a-z0-9]{0,10})(\s[^<>]{0,2000})?\/?>/i;
const END_TAGS = /<\/([a-z][a-z0-9]{0,10})\s{0,4}>/gi;
/** Feeds have these too. */
const AMBIGUOUS = new Set(['title', 'link', 'source', 'data', 'time', 'summary', 'menu', 'object', 'map']);

const isRealTag = (name: string, attributes: string): boolean =>
  isHtmlElement(name) && !AMBIGUOUS.has(name) && (attributes.trim() === '' || attributes.includes('='));

/** Whether there is a tag that ends where one of its name began. */
const hasElement = (text: string): boolean => {
  const ended = new Set([...text.matchAll(END_TAGS)].map(([, name = '']) => name.toLowerCase()));
  return [...ended].filter(isHtmlElement).some((name) => {
    const begin = new RegExp(`<${name}(\\s[^<>]{0,2000})?>`, 'i').exec(text);
    return begin !== null && isRealTag(name, begin[1] ?? '');
  });
};

/**
 * Replaces HTML by its text where a text is HTML, or prose with elements of it. Everything else stays to the
 * letter: "PER <15 and ROE> 20", `Map<string>`, <AAPL>, XML, code.
 */
export const withoutHtml = (text: string): string => {
  if (!text.includes('<')) return text;
  if (DOCUMENT.test(text)) return htmlToText(text);
  if (text.includes('```')) return text;
  const first = FIRST_TAG.exec(text);
  if (first && isRealTag((first[1] ?? '').toLowerCase(), first[2] ?? '')) return htmlToText(text);
  const isXml = /^\s*<[?!a-z]/i.test(text);
  if (isXml || !hasElement(text)) return text;
  const reader = read(text, true);
  return tidy(reader.writer.between(0, reader.writer.position));
};
