import { marked, type Tokens } from 'marked';
import { type Locale, replyLocale } from '#src/kernel/locale.ts';
import {
  type Card,
  type Choice,
  type ChoiceEffect,
  effectOf,
  type ReplyPayload,
} from '#src/kernel/message.ts';
import { nativeMoments } from '#src/kernel/moment.ts';
import { cut } from '#src/kernel/text.ts';
import { withVisibleLinks } from '#src/kernel/visible-links.ts';
import { displayWidth } from '#src/platform/display-width.ts';

export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An invisible character that breaks a mention between the sign and the name. */
const SEAM = '\u2060';

/** `<!channel>`, `<!here|…>`, `<!subteam^S1>`, and `<!date^…^text^address|…>`, which can hide a link behind text. */
const COMMAND = /<\s*!\s*(?=channel|here|everyone|group|subteam|date)/gi;
/** `@here` as plain text, which some Slack clients turn into a mention. */
const NAMED = /(?<![A-Za-z0-9_.])[@＠](?=(?:channel|here|everyone)\b)/gi;

/** Disables Slack's control sequences, so that no text notifies many people at once. */
export const withoutMassMentions = (text: string): string =>
  text.replaceAll(COMMAND, '‹!').replaceAll(NAMED, (sign) => sign + SEAM);

/** `<@U0ANN>` and `<@U0ANN|ann>`. */
const PERSON = /<\s*@(?=[A-Z0-9])/g;

/** Disables mentions of single people too: the text of an answer never decides whom the bot mentions. */
export const withoutMentions = (text: string): string => withoutMassMentions(text).replaceAll(PERSON, '‹@');

const MAX_MRKDWN = 3_000;
const MAX_PARTS = 12;

/** Slack shows each reader their own zone. The fallback is the written time. */
export const withNativeTimes = (mrkdwn: string, limit = MAX_MRKDWN): string => {
  const shown = nativeMoments(
    mrkdwn,
    ({ text, unixSeconds, hasWeekday }) =>
      `<!date^${unixSeconds}^${hasWeekday ? '{date_long_pretty}' : '{date_short_pretty}'} {time}|${text}>`,
  );
  return shown.length <= limit ? shown : mrkdwn;
};

const BOLD = /(?<![\p{L}\p{N}*])\*\*([^*\n]{1,500})\*\*(?![\p{L}\p{N}*])/gu;
/** Markup that differs between Markdown and mrkdwn, and the beginning of lists, headings and other blocks. */
const OTHER_MARKUP = /\*\*|[<>[\]\\~_`|]|^(?:#|[-+*] |\d{1,9}[.)] |\s)/mu;

/** The paragraph as mrkdwn, which supports times. Undefined if it has no time, or markup that differs in mrkdwn. */
const asMrkdwn = (paragraph: string): string | undefined => {
  const marked = paragraph.replace(BOLD, '\u0000$1\u0000');
  if (OTHER_MARKUP.test(marked) || marked.includes('*')) return undefined;
  const escaped = escapeText(marked.replaceAll('\u0000', '*'));
  const shown = withNativeTimes(escaped);
  return shown === escaped ? undefined : shown;
};

interface MarkdownPart {
  readonly kind: 'markdown' | 'mrkdwn';
  readonly text: string;
}

/** Separates the paragraphs with a time: Slack's Markdown blocks do not support times. */
const splitAtTimes = (markdown: string): readonly MarkdownPart[] => {
  const whole: MarkdownPart = { kind: 'markdown', text: markdown };
  if (markdown.includes('```') || markdown.includes('~~~') || withNativeTimes(markdown) === markdown)
    return [whole];
  const parts: MarkdownPart[] = [];
  for (const paragraph of markdown.split('\n\n')) {
    const mrkdwn = asMrkdwn(paragraph.trimEnd());
    const last = parts.at(-1);
    if (mrkdwn !== undefined) parts.push({ kind: 'mrkdwn', text: mrkdwn });
    else if (last?.kind === 'markdown')
      parts.splice(-1, 1, { kind: 'markdown', text: `${last.text}\n\n${paragraph}` });
    else parts.push({ kind: 'markdown', text: paragraph });
  }
  // Too many blocks are harder to read than a time in the requester's zone.
  return parts.length > MAX_PARTS ? [whole] : parts;
};

const MAX_TITLE = 150;
const MAX_FIELD = 1_900;
const MAX_FIELDS = 10;
const MAX_CARD_TEXT = 2_900;
/** A card has four blocks; the rest of Slack's fifty is for the text and the buttons. */
const MAX_CARDS = 10;

/** Escapes and shortens. Escaping makes a text longer, so it may be shortened again. */
export const safe = (text: string, limit: number): string => {
  const escaped = escapeText(withoutMassMentions(cut(text, limit)));
  return escaped.length <= limit ? escaped : safe(text, Math.floor((limit * limit) / escaped.length) - 1);
};

const MAX_MRKDWN_FIELD = 2_000;

/** Korean readers expect red for a rise and blue for a fall; others expect green and red. */
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

export const blocksOf = (card: Card, locale: Locale): readonly Block[] => [
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

/** A card as one line, for notifications and for cards beyond the limit. */
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

/** Removes Markdown: cells are shown as plain text. What is struck must not look like what stands in its place. */
export const plainCell = (markdown: string): string =>
  markdown
    .replaceAll(/~~([^~]{1,80})~~(?= \S)/g, '$1 →')
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
    // Slack refuses empty cells.
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
    Math.max(...cells.map((row) => displayWidth(row[column] ?? ''))),
  );
  const lineOf = (row: readonly string[]): string =>
    widths
      .map((width, column) => {
        const text = row[column] ?? '';
        const space = ' '.repeat(width - displayWidth(text));
        return alignOf(table, cells, column) === 'right' ? space + text : text + space;
      })
      .join('  ')
      .trimEnd();
  const [header = [], ...rows] = cells;
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return ['```', lineOf(header), rule, ...rows.map(lineOf), '```', ''].join('\n');
};

/** Slack draws one table per message. Further tables, and those too large, become aligned code blocks. */
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
  /** Shown in notifications, and by clients that cannot draw the blocks. Below 4,000 characters. */
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Slack cuts texts above 4,000 characters; this leaves room for additions. */
export const MAX_MESSAGE_LENGTH = 3_800;
const MAX_FALLBACK_TEXT = 3_900;
const MAX_BUTTONS = 25;
const MAX_LABEL = 75;

/** The prefix of the action ids of choices. The value of such a button is its command. */
export const CHOICE_ACTION = 'finclaw_choice_';

export const button = (label: string, actionId: string, value: string, style?: 'primary' | 'danger') => ({
  type: 'button',
  text: { type: 'plain_text', text: cut(withoutMassMentions(label), MAX_LABEL), emoji: true },
  action_id: actionId,
  value,
  ...(style ? { style } : {}),
});

/** Buttons in one row. */
export const ROW = 5;

const EFFECTS = [
  ['put_', 'replaces'],
  ['end_', 'ends'],
] as const satisfies readonly (readonly [string, ChoiceEffect])[];

export const actionOf = (choice: Choice, index: number): string => {
  const effect = effectOf(choice);
  return `${CHOICE_ACTION}${EFFECTS.find(([, each]) => each === effect)?.[0] ?? ''}${index}`;
};

/** The effect of a pressed button. */
export const effectOfAction = (actionId: string): ChoiceEffect | undefined =>
  EFFECTS.find(([prefix]) => actionId.startsWith(`${CHOICE_ACTION}${prefix}`))?.[1];

const FOR = 'finclaw_for_';

/** The person whose answer a row of buttons is below. */
export const ownerOfBlock = (blockId: string): string | undefined =>
  blockId.startsWith(FOR) ? blockId.slice(FOR.length).split('_')[0] : undefined;

export const styleOf = ({ isDestructive, isCurrent }: Choice): 'primary' | 'danger' | undefined => {
  if (isDestructive) return 'danger';
  return isCurrent ? 'primary' : undefined;
};

const choiceBlocks = (choices: readonly Choice[], recipientId: string): readonly Block[] => {
  const buttons = choices
    .slice(0, MAX_BUTTONS)
    .map((choice, index) => button(choice.label, actionOf(choice, index), choice.command, styleOf(choice)));
  return Array.from({ length: Math.ceil(buttons.length / ROW) }, (_none, row) => ({
    type: 'actions',
    block_id: `${FOR}${recipientId}_${row}`,
    elements: buttons.slice(row * ROW, (row + 1) * ROW),
  }));
};

const FENCE = /^ {0,3}(?:```|~~~)/u;
/** The line below the header of a table, or across the page. */
export const isRule = (line: string): boolean => line.includes('--') && /^[\s:|-]+$/u.test(line);

/** Phones show a notification as it is, so it has no markup. A row of a table is a line with its cells. */
const plainWords = (markdown: string): string =>
  markdown
    .split('\n')
    .filter((line) => !isRule(line) && !FENCE.test(line))
    .map((line) => {
      const cells = /^\s*\|(.*)\|\s*$/u.exec(line)?.[1]?.split(/(?<!\\)\|/u);
      if (cells) return cells.map(plainCell).join(' · ');
      return plainCell(line.replace(/^\s{0,3}(?:#{1,6}|>|-#)\s+/u, ''));
    })
    .join('\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();

/** The plain text of a message, never cut inside an entity. */
const fallback = (text: string): string => {
  const escaped = escapeText(withoutMassMentions(plainWords(withVisibleLinks(text))));
  return escaped.length <= MAX_FALLBACK_TEXT
    ? escaped
    : `${escaped.slice(0, MAX_FALLBACK_TEXT - 1).replace(/(?:&[a-z]{0,3}|[\uD800-\uDBFF])$/, '')}…`;
};

/** A message for one reader already has times in their zone. Slack refuses empty blocks. */
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

const mentionBlock = (userId: string): Block => ({
  type: 'section',
  text: { type: 'mrkdwn', text: `<@${userId}>` },
});

/** Only the person in `mentions` is notified. Buttons that change the message are for the recipient alone. */
export const render = (payload: ReplyPayload, recipientId = ''): Rendered => {
  const { text, cards = [], choices = [], mentions } = payload;
  const words = [text, ...cards.map(cardLine)].filter((line) => line.trim() !== '').join('\n');
  const shown = fallback(words) || '…';
  return {
    text: mentions === undefined ? shown : `<@${mentions}> ${shown}`,
    blocks: [
      ...(mentions === undefined ? [] : [mentionBlock(mentions)]),
      ...(text.trim() === '' ? [] : markdownBlocks(text, payload.ephemeral)),
      ...cardBlocks(cards, replyLocale(payload, 'auto')),
      ...choiceBlocks(choices, recipientId),
    ],
  };
};
