import { type Card, type CardField, cardLine, TONE_SIGNS } from '#src/kernel/chat/card.ts';
import { type Locale, replyLocale } from '#src/kernel/locale.ts';
import {
  asksFirst,
  type Choice,
  type ChoiceEffect,
  effectOf,
  type ReplyPayload,
} from '#src/kernel/chat/message.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { nativeMoments } from '#src/kernel/time.ts';
import { cut } from '#src/kernel/text.ts';
import { withVisibleLinks } from '#src/platform/text/visible-links.ts';
import { ratingBlock } from './feedback.ts';
import { slackTexts } from './texts.ts';
import { plainCell, readTables } from './tables.ts';

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
/** Escapes and shortens. Escaping makes a text longer, so it may be shortened again. */
export const safe = (text: string, limit: number): string => {
  const escaped = escapeText(withoutMassMentions(cut(text, limit)));
  return escaped.length <= limit ? escaped : safe(text, Math.floor((limit * limit) / escaped.length) - 1);
};

const MAX_MRKDWN_FIELD = 2_000;
const BETWEEN_FIELDS = '\n\n';
const MAX_BLOCKS = 50;

/** A link that the program wrote. Its address has no character that ends it. */
const linked = (text: string, url: string | undefined): string =>
  url === undefined ? text : `<${url}|${text.replaceAll('|', '/')}>`;

const fieldText = (field: CardField, locale: Locale): string => {
  const name = linked(safe(field.name, MAX_TITLE), field.url);
  const sign = field.tone === undefined ? '' : `${TONE_SIGNS[locale][field.tone]} `;
  return withNativeTimes(
    `${sign}*${name}*\n${safe(field.value, MAX_FIELD - (field.url?.length ?? 0))}`,
    MAX_MRKDWN_FIELD,
  );
};

/** Fields side by side in blocks of ten; wide ones below each other, as many in a block as fit. */
const fieldBlocks = ({ fields }: Card, locale: Locale): readonly Block[] => {
  const blocks: { readonly isWide: boolean; readonly texts: string[] }[] = [];
  for (const field of fields) {
    const isWide = field.isWide === true;
    const text = fieldText(field, locale);
    const last = blocks.at(-1);
    const hasRoom = isWide
      ? [...(last?.texts ?? []), text].join(BETWEEN_FIELDS).length <= MAX_MRKDWN
      : (last?.texts.length ?? 0) < MAX_FIELDS;
    if (last && last.isWide === isWide && hasRoom) last.texts.push(text);
    else blocks.push({ isWide, texts: [text] });
  }
  return blocks.map(({ isWide, texts }) =>
    isWide
      ? { type: 'section', text: { type: 'mrkdwn', text: texts.join(BETWEEN_FIELDS) } }
      : { type: 'section', fields: texts.map((text) => ({ type: 'mrkdwn', text })) },
  );
};

/** A header cannot be a link. */
const titleBlock = ({ title, url }: Card): Block =>
  url === undefined
    ? {
        type: 'header',
        text: { type: 'plain_text', text: withoutMassMentions(cut(title, MAX_TITLE)) || ' ', emoji: true },
      }
    : {
        type: 'section',
        text: { type: 'mrkdwn', text: `*${linked(safe(title, MAX_TITLE), url)}*` },
      };

export const blocksOf = (card: Card, locale: Locale): readonly Block[] => [
  titleBlock(card),
  ...(card.headline === ''
    ? []
    : [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: `${TONE_SIGNS[locale][card.tone]} *${safe(card.headline, MAX_CARD_TEXT)}*`,
          },
        },
      ]),
  ...fieldBlocks(card, locale),
  ...(card.footer === ''
    ? []
    : [
        {
          type: 'context',
          elements: [{ type: 'mrkdwn', text: withNativeTimes(safe(card.footer, MAX_CARD_TEXT)) }],
        },
      ]),
];

/** As many cards as there is room for. One block is kept for the others, which become lines. */
const cardBlocks = (cards: readonly Card[], locale: Locale, room: number): readonly Block[] => {
  const blocks: Block[] = [];
  for (const [index, card] of cards.entries()) {
    const own = blocksOf(card, locale);
    const others = index === cards.length - 1 ? 0 : 1;
    if (blocks.length + own.length + others > room) {
      const lines = cards.slice(index).map(cardLine).join('\n');
      return [...blocks, { type: 'section', text: { type: 'mrkdwn', text: safe(lines, MAX_CARD_TEXT) } }];
    }
    blocks.push(...own);
  }
  return blocks;
};

export interface Rendered {
  /** Shown in notifications, and by clients that cannot draw the blocks. Below 4,000 characters. */
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The text alone would lack something, so it is not sent without the blocks. */
  readonly isWhole?: boolean;
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
  ['one_', 'once'],
] as const satisfies readonly (readonly [string, ChoiceEffect])[];

const actionOf = (choice: Choice, index: number): string => {
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

const styleOf = ({ isDestructive, isCurrent }: Choice): 'primary' | 'danger' | undefined => {
  if (isDestructive) return 'danger';
  return isCurrent ? 'primary' : undefined;
};

export const plain = (text: string, limit: number) => ({
  type: 'plain_text',
  text: cut(text, limit),
  emoji: true,
});

const MAX_CONFIRM = 280;

/** `what`: what is deleted, where the label does not say it. */
const confirmation = (what: string | undefined, label: string, locale: Locale) => {
  const t = slackTexts(locale);
  const named = cut(withoutMentions((what ?? label).replaceAll('**', '')), MAX_CONFIRM - 40);
  return {
    title: plain(t.sure(), 100),
    text: plain(what === undefined ? named : t.sureOf({ what: named }), MAX_CONFIRM),
    confirm: plain(label, 30),
    deny: plain(channelTexts(locale).keep(), 30),
    style: 'danger',
  };
};

/** Slack asks before a button that deletes something does so. */
export const choiceButton = (choice: Choice, index: number, locale: Locale, what?: string) => ({
  ...button(choice.label, actionOf(choice, index), choice.command, styleOf(choice)),
  ...(asksFirst(choice) ? { confirm: confirmation(what, choice.label, locale) } : {}),
});

const choiceBlocks = (choices: readonly Choice[], recipientId: string, locale: Locale): readonly Block[] => {
  const buttons = choices.slice(0, MAX_BUTTONS).map((choice, index) => choiceButton(choice, index, locale));
  return Array.from({ length: Math.ceil(buttons.length / ROW) }, (_none, row) => ({
    type: 'actions',
    block_id: `${FOR}${recipientId}_${row}`,
    elements: buttons.slice(row * ROW, (row + 1) * ROW),
  }));
};

/** With a backtick behind it, it is code within a line. */
const FENCE = /^ {0,3}(?:```[^`]*$|~~~)/u;
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

/** All that a card says, for readers without blocks and for the model, which is quoted the text alone. */
const cardWords = ({ title, headline, fields, footer }: Card, isHeadTold: boolean): string =>
  [
    ...(isHeadTold ? [] : [headline === '' ? title : `${title}: ${headline}`]),
    ...fields.map(({ name, value }) => `${name}: ${value.replaceAll('\n', ' · ')}`),
    ...(footer === '' ? [] : [footer]),
  ].join('\n');

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

/** A picture that Slack has read already. */
export interface PreparedPicture {
  readonly id: string;
  readonly title: string;
  readonly altText?: string;
}

const MAX_ALT_TEXT = 2_000;

const pictureBlock = ({ id, title, altText }: PreparedPicture): Block => ({
  type: 'image',
  slack_file: { id },
  alt_text: cut(altText || title, MAX_ALT_TEXT),
});

/** Only the person in `mentions` is notified. Buttons that change the message are for the recipient alone. */
export const render = (
  payload: ReplyPayload,
  recipientId = '',
  pictures: readonly PreparedPicture[] = [],
): Rendered => {
  const { text, cards = [], choices = [], rated, mentions, isLedByCards } = payload;
  const [first] = cards;
  const lead = first && isLedByCards ? cardLine(first) : '';
  const told = [lead, text, ...cards.map((card) => cardWords(card, card === first && lead !== ''))];
  const shown = fallback(told.filter((part) => part.trim() !== '').join('\n')) || '…';
  const above = [
    ...(mentions === undefined ? [] : [mentionBlock(mentions)]),
    ...(text.trim() === '' ? [] : markdownBlocks(text, payload.ephemeral)),
  ];
  const below = [
    ...pictures.map(pictureBlock),
    ...choiceBlocks(choices, recipientId, replyLocale(payload, 'auto')),
    ...(rated ? [ratingBlock(rated, replyLocale(payload, 'auto'))] : []),
  ];
  const room = MAX_BLOCKS - above.length - below.length;
  return {
    text: mentions === undefined ? shown : `<@${mentions}> ${shown}`,
    blocks: [...above, ...cardBlocks(cards, replyLocale(payload, 'auto'), room), ...below],
  };
};
