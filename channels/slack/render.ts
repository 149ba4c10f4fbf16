import type stringWidthOf from 'string-width';
import { detectLocale, type Locale } from '#src/kernel/locale.ts';
import type { Card, Choice, ReplyPayload } from '#src/kernel/message.ts';
import {
  cut,
  escapeText,
  splitAtTimes,
  withNativeTimes,
  withoutMassMentions,
  withoutMentions,
} from './message-text.ts';
import { createRequire } from 'node:module';
import { marked, type Tokens } from 'marked';
import { withVisibleLinks } from '#src/kernel/visible-links.ts';

export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

const MAX_TITLE = 150;
const MAX_FIELD = 1_900;
const MAX_FIELDS = 10;
const MAX_CARD_TEXT = 2_900;
/** Four blocks each: the rest of the fifty is for the text and the buttons. */
const MAX_CARDS = 10;

/** Escaped it is longer: what does not fit then is shortened once more. */
const safe = (text: string, limit: number): string => {
  const escaped = escapeText(withoutMassMentions(cut(text, limit)));
  return escaped.length <= limit ? escaped : safe(text, Math.floor((limit * limit) / escaped.length) - 1);
};

const MAX_MRKDWN_FIELD = 2_000;

/** Korean readers expect red where it rises and blue where it falls; elsewhere it is green and red. */
const SIGNS: Readonly<Record<Locale, Readonly<Record<Card['tone'], string>>>> = {
  ko: { up: '🔴', down: '🔵', flat: '⚪' },
  en: { up: '🟢', down: '🔴', flat: '⚪' },
};

const fieldBlocks = ({ fields }: Card): readonly Block[] => {
  const texts = fields.map(({ name, value }) => ({
    type: 'mrkdwn',
    text: withNativeTimes(`*${safe(name, MAX_TITLE)}*\n${safe(value, MAX_FIELD)}`, MAX_MRKDWN_FIELD),
  }));
  return Array.from({ length: Math.ceil(texts.length / MAX_FIELDS) }, (_none, index) => ({
    type: 'section',
    fields: texts.slice(index * MAX_FIELDS, (index + 1) * MAX_FIELDS),
  }));
};

const blocksOf = (card: Card, locale: Locale): readonly Block[] => [
  {
    type: 'header',
    text: { type: 'plain_text', text: withoutMassMentions(cut(card.title, MAX_TITLE)) || ' ', emoji: true },
  },
  {
    type: 'section',
    text: { type: 'mrkdwn', text: `${SIGNS[locale][card.tone]} *${safe(card.headline, MAX_CARD_TEXT)}*` },
  },
  ...fieldBlocks(card).slice(0, 1),
  ...(card.footer === ''
    ? []
    : [
        {
          type: 'context',
          elements: [{ type: 'mrkdwn', text: withNativeTimes(safe(card.footer, MAX_CARD_TEXT)) }],
        },
      ]),
];

/** A line each, for notifications and for those that find no room. */
const cardLine = ({ title, headline }: Card): string => `${title}: ${headline}`;

const cardBlocks = (cards: readonly Card[], locale: Locale): readonly Block[] => {
  const rest = cards.slice(MAX_CARDS);
  return [
    ...cards.slice(0, MAX_CARDS).flatMap((card) => blocksOf(card, locale)),
    ...(rest.length === 0
      ? []
      : [
          {
            type: 'section',
            text: { type: 'mrkdwn', text: safe(rest.map(cardLine).join('\n'), MAX_CARD_TEXT) },
          },
        ]),
  ];
};

type StringWidth = typeof stringWidthOf;

const require = createRequire(import.meta.url);
let stringWidth: StringWidth | undefined;

/** Loaded with the first table that needs it: its own tables are large. */
const widthOf = (text: string): number => {
  if (/^[ -~]*$/.test(text)) return text.length;
  stringWidth ??= (require('string-width') as { readonly default: StringWidth }).default;
  return stringWidth(text);
};

interface TableBlock {
  readonly type: 'table';
  readonly rows: readonly (readonly { readonly type: 'raw_text'; readonly text: string }[])[];
  readonly column_settings: readonly {
    readonly align: 'left' | 'center' | 'right';
    readonly is_wrapped: boolean;
  }[];
}

type Passage =
  | { readonly kind: 'text'; readonly markdown: string }
  | { readonly kind: 'table'; readonly table: TableBlock };

const MAX_ROWS = 100;
const MAX_COLUMNS = 20;
const MAX_CHARACTERS = 9_000;

/** Cells are shown as they are: without the signs of Markdown. */
const plainCell = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)?\)/g, '$1')
    .replaceAll(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!|~])/g, '$1')
    .trim();

const NUMBER = /^[+\-−▲▼△▽]?\s*[$₩€¥£]?[+\-−]?[\d,.]+\s*(?:%|[A-Za-z₩$€¥£원]{1,3})?$/u;

const cellsOf = ({ header, rows }: Tokens.Table): readonly (readonly string[])[] =>
  [header, ...rows].map((row) => row.map(({ text }) => plainCell(text)));

const alignOf = (table: Tokens.Table, cells: readonly (readonly string[])[], column: number) => {
  const given = table.align[column];
  if (given) return given;
  const values = cells.slice(1).map((row) => row[column] ?? '');
  return values.some((value) => value !== '') && values.every((value) => value === '' || NUMBER.test(value))
    ? 'right'
    : 'left';
};

const toBlock = (table: Tokens.Table): TableBlock | undefined => {
  const cells = cellsOf(table);
  const size = cells.flat().reduce((sum, text) => sum + text.length, 0);
  if (cells.length > MAX_ROWS || table.header.length > MAX_COLUMNS || size > MAX_CHARACTERS) return undefined;
  return {
    type: 'table',
    // An empty cell is refused.
    rows: cells.map((row) => row.map((text) => ({ type: 'raw_text', text: text || ' ' }))),
    column_settings: table.header.map((_cell, column) => ({
      align: alignOf(table, cells, column),
      is_wrapped: true,
    })),
  };
};

const toCode = (table: Tokens.Table): string => {
  const cells = cellsOf(table);
  const widths = table.header.map((_cell, column) =>
    Math.max(...cells.map((row) => widthOf(row[column] ?? ''))),
  );
  const lineOf = (row: readonly string[]): string =>
    widths
      .map((width, column) => {
        const text = row[column] ?? '';
        const space = ' '.repeat(width - widthOf(text));
        return alignOf(table, cells, column) === 'right' ? space + text : text + space;
      })
      .join('  ')
      .trimEnd();
  const [header = [], ...rows] = cells;
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return ['```', lineOf(header), rule, ...rows.map(lineOf), '```', ''].join('\n');
};

/** Slack draws one table a message; the others, and those too large for it, are lined up as code. */
const readTables = (markdown: string): readonly Passage[] => {
  if (!markdown.includes('|')) return [{ kind: 'text', markdown }];
  const passages: Passage[] = [];
  let text = '';
  let hasTable = false;
  for (const token of marked.lexer(markdown)) {
    const table = token.type === 'table' ? (token as Tokens.Table) : undefined;
    const block = table && !hasTable ? toBlock(table) : undefined;
    if (block) {
      hasTable = true;
      if (text.trim() !== '') passages.push({ kind: 'text', markdown: text });
      passages.push({ kind: 'table', table: block });
      text = '';
    } else text += table ? toCode(table) : token.raw;
  }
  if (text.trim() !== '') passages.push({ kind: 'text', markdown: text });
  return passages;
};

export interface Rendered {
  /** What notifications show, and whoever cannot draw the blocks. Below 4,000 characters. */
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** With room for what we put around it: above 4,000 Slack cuts the text. */
export const MAX_MESSAGE_LENGTH = 3_800;
const MAX_FALLBACK_TEXT = 3_900;
const MAX_BUTTONS = 25;
const MAX_LABEL = 75;

/** Under it every choice is a button; its value is what pressing it says. */
export const CHOICE_ACTION = 'finclaw_choice_';

export const button = (label: string, actionId: string, value: string, style?: 'primary' | 'danger') => ({
  type: 'button',
  text: { type: 'plain_text', text: cut(withoutMassMentions(label), MAX_LABEL), emoji: true },
  action_id: actionId,
  value,
  ...(style ? { style } : {}),
});

/** More in one row look like a wall. */
const ROW = 5;

const choiceBlocks = (choices: readonly Choice[]): readonly Block[] => {
  const buttons = choices
    .slice(0, MAX_BUTTONS)
    .map(({ label, command }, index) => button(label, `${CHOICE_ACTION}${index}`, command));
  return Array.from({ length: Math.ceil(buttons.length / ROW) }, (_none, row) => ({
    type: 'actions',
    elements: buttons.slice(row * ROW, (row + 1) * ROW),
  }));
};

/** A cut through an entity would leave half of it to be read. */
const fallback = (text: string): string => {
  const escaped = escapeText(withoutMassMentions(withVisibleLinks(text)));
  return escaped.length <= MAX_FALLBACK_TEXT
    ? escaped
    : `${escaped.slice(0, MAX_FALLBACK_TEXT - 1).replace(/(?:&[a-z]{0,3}|[\uD800-\uDBFF])$/, '')}…`;
};

/** A message for one reader already has times in their zone. Empty blocks are left out: Slack refuses them. */
const wordBlocks = (markdown: string, isForOne: boolean): readonly Block[] =>
  (isForOne ? [{ kind: 'markdown', text: markdown } as const] : splitAtTimes(markdown))
    .filter(({ text }) => text.trim() !== '')
    .map(({ kind, text }) =>
      kind === 'mrkdwn'
        ? { type: 'section', text: { type: 'mrkdwn', text } }
        : { type: 'markdown', text: text.trimEnd() },
    );

/** `isForOne`: an ephemeral message notifies nobody, so it may mention people. */
export const markdownBlocks = (markdown: string, isForOne = false): readonly Block[] =>
  readTables((isForOne ? withoutMassMentions : withoutMentions)(withVisibleLinks(markdown))).flatMap(
    (passage): readonly Block[] =>
      passage.kind === 'table' ? [{ ...passage.table }] : wordBlocks(passage.markdown, isForOne),
  );

/** The reader's language. Payloads stored by an earlier version have none: then it is the language of the text. */
export const readerLocale = (
  { locale, text }: Pick<ReplyPayload, 'locale' | 'text'>,
  fixed: Locale | 'auto' = 'auto',
): Locale => locale ?? detectLocale(text, undefined, fixed);

const mentionBlock = (userId: string): Block => ({
  type: 'section',
  text: { type: 'mrkdwn', text: `<@${userId}>` },
});

/** Only the person in `mentions` is notified. */
export const render = (payload: ReplyPayload): Rendered => {
  const { text, cards = [], choices = [], mentions } = payload;
  const words = [text, ...cards.map(cardLine)].filter((line) => line.trim() !== '').join('\n');
  const shown = fallback(words) || '…';
  return {
    text: mentions === undefined ? shown : `<@${mentions}> ${shown}`,
    blocks: [
      ...(mentions === undefined ? [] : [mentionBlock(mentions)]),
      ...(text.trim() === '' ? [] : markdownBlocks(text, payload.ephemeral)),
      ...cardBlocks(cards, readerLocale(payload)),
      ...choiceBlocks(choices),
    ],
  };
};
