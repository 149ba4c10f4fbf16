import type { Locale } from '#src/kernel/locale.ts';
import { type StyledSpan, type Spans, type Style } from './spans.ts';

/** Korean readers expect red for a rise and blue for a fall; others expect green and red. */
const COLOURS: Readonly<Record<Locale, { readonly up: Style; readonly down: Style }>> = {
  ko: { up: 'red', down: 'blueBright' },
  en: { up: 'green', down: 'red' },
};

const AMOUNT = String.raw`\d+(?:,\d+)*(?:\.\d+)?`;
const UNIT = '(?:%p?|원|달러|엔|유로|위안|포인트)';
const CURRENCY = String.raw`(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3} ?)`;

/**
 * An arrow with its amount, a line of blocks before its arrow, or a signed amount of money, percent or points: `▲ 300`,
 * `▁▄█ ▲`, `+₩1,200`, `-0.59%`. Not the dashes of
 * `2026-11-13`, `UTC+9` and `3–5`, and not a bare number, which may be a level (`-0.13`) or a day (`(+1)`).
 */
const MOVES = new RegExp(
  [
    String.raw`(?<![▁-█])[▁-█]{1,64} [▲▼]`,
    String.raw`[▲▼](?: ?\p{Sc}?${AMOUNT}${UNIT}?)?`,
    String.raw`(?<=[▲▼] ?)[+\-−]${CURRENCY}?${AMOUNT}${UNIT}?`,
    String.raw`(?<![\p{L}\p{N}.,)\]])[+\-−](?:${CURRENCY}${AMOUNT}${UNIT}?|${AMOUNT}${UNIT})`,
  ].join('|'),
  'gu',
);
const IS_UP = /^(?:[▁-█]+ )?[▲+]/u;
const IS_SOMETHING = /[▲▼]$|[1-9]/u;

/** Gives rises and falls their colours. Nothing has changed where the amount is zero. */
const withMoves = ({ text, styles }: StyledSpan, locale: Locale): Spans => {
  const spans: StyledSpan[] = [];
  let from = 0;
  for (const { 0: move, index } of text.matchAll(MOVES)) {
    if (!IS_SOMETHING.test(move)) continue;
    if (index > from) spans.push({ text: text.slice(from, index), styles });
    const { up, down } = COLOURS[locale];
    spans.push({ text: move, styles: [...styles, IS_UP.test(move) ? up : down] });
    from = index + move.length;
  }
  if (from < text.length) spans.push({ text: text.slice(from), styles });
  return spans;
};

/** In this order: an escaped sign, code, an address, bold, struck out, italic. */
const MARKED =
  /\\(?<escaped>[!-/:-@[-`{-~])|`(?<code>[^`]+)`|<(?<address>https?:\/\/[^\s<>]{1,2048})>|\*\*(?!\s)(?<bold>[^*]+)(?<!\s)\*\*|~~(?!\s)(?<struck>[^~]+)(?<!\s)~~|(?<![\w\p{L}])_(?<low>[^_]+)_(?![\w\p{L}])|(?<![\w*])\*(?![\s*])(?<star>[^*]+)(?<!\s)\*(?![\w*])/gu;

const STYLES = { bold: 'bold', struck: 'strikethrough', low: 'italic', star: 'italic' } as const;
/** Marks within marks within marks are text. */
const MAX_DEPTH = 3;

const readMarked = (text: string, styles: readonly Style[], locale: Locale, depth: number): Spans => {
  const spans: StyledSpan[] = [];
  let plain = '';
  const release = (): void => {
    if (plain !== '') spans.push(...withMoves({ text: plain, styles }, locale));
    plain = '';
  };
  let from = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(MARKED)) {
    plain += text.slice(from, index);
    from = index + whole.length;
    const { escaped, code, address } = groups;
    if (escaped !== undefined) {
      plain += escaped;
      continue;
    }
    release();
    if (code !== undefined) spans.push({ text: code, styles: [...styles, 'cyan'] });
    else if (address !== undefined) spans.push({ text: address, styles: [...styles, 'underline'] });
    for (const [name, style] of Object.entries(STYLES)) {
      const inner = groups[name];
      if (inner === undefined) continue;
      const within = [...styles, style];
      spans.push(
        ...(depth < MAX_DEPTH
          ? readMarked(inner, within, locale, depth + 1)
          : [{ text: inner, styles: within }]),
      );
    }
  }
  plain += text.slice(from);
  release();
  return spans;
};

/** One line of Markdown as styled pieces. */
export const readInline = (markdown: string, locale: Locale, styles: readonly Style[] = []): Spans =>
  readMarked(markdown, styles, locale, 0);
