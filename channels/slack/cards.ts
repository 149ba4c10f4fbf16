import type { Locale } from '#src/kernel/locale.ts';
import type { Card } from '#src/kernel/message.ts';
import { cut, escapeText } from './message-text.ts';
import { withoutMassMentions } from './mass-mentions.ts';
import { withNativeTimes } from './native-times.ts';

export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

const MAX_TITLE = 150;
const MAX_FIELD = 1_900;
const MAX_FIELDS = 10;
const MAX_TEXT = 2_900;
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
    text: { type: 'mrkdwn', text: `${SIGNS[locale][card.tone]} *${safe(card.headline, MAX_TEXT)}*` },
  },
  ...fieldBlocks(card).slice(0, 1),
  ...(card.footer === ''
    ? []
    : [
        {
          type: 'context',
          elements: [{ type: 'mrkdwn', text: withNativeTimes(safe(card.footer, MAX_TEXT)) }],
        },
      ]),
];

/** A line each, for notifications and for those that find no room. */
export const cardLine = ({ title, headline }: Card): string => `${title}: ${headline}`;

export const cardBlocks = (cards: readonly Card[], locale: Locale): readonly Block[] => {
  const rest = cards.slice(MAX_CARDS);
  return [
    ...cards.slice(0, MAX_CARDS).flatMap((card) => blocksOf(card, locale)),
    ...(rest.length === 0
      ? []
      : [{ type: 'section', text: { type: 'mrkdwn', text: safe(rest.map(cardLine).join('\n'), MAX_TEXT) } }]),
  ];
};
