import type { Locale } from '../locale.ts';
import { cut } from '../text.ts';

export type Tone = 'up' | 'down' | 'flat';

export interface CardField {
  readonly name: string;
  readonly value: string;
  /** The public page of what the field is about. Written by the program, never by people or models. */
  readonly url?: string;
  /** Set where each field of a card moves in its own way. */
  readonly tone?: Tone;
  /** Takes the whole width. Otherwise fields stand side by side where there is room. */
  readonly isWide?: boolean;
}

/**
 * A quote, a list or a portfolio for platforms with cards. Numbers are formatted; text is plain, without Markdown. A card
 * may have any number of fields: `cardPages` splits it.
 */
export interface Card {
  readonly title: string;
  /** The public page of the instrument. Written by the program, never by people or models. */
  readonly url?: string;
  /** The price and its change, or a sum. Empty: the fields say it all. */
  readonly headline: string;
  readonly fields: readonly CardField[];
  /** Source and time; marks sample data. */
  readonly footer: string;
  readonly tone: Tone;
}

/** Cards of an answer, for platforms that show them instead of its whole text. */
export interface CardsOfAnswer {
  readonly items: readonly Card[];
  /** What the cards do not say. Shown above them. */
  readonly text: string;
  /** The cards are the answer, and not the text. False: the text begins with what they are about. */
  readonly isAnswer?: boolean;
}

/** Korean readers expect red for a rise and blue for a fall; others expect green and red. */
export const TONE_SIGNS: Readonly<Record<Locale, Readonly<Record<Tone, string>>>> = {
  ko: { up: '🔴', down: '🔵', flat: '⚪' },
  en: { up: '🟢', down: '🔴', flat: '⚪' },
};

/** The tone that all have in common. A list of rises and falls is neither. */
export const commonTone = (tones: readonly Tone[]): Tone => {
  const [first = 'flat', ...others] = tones;
  return others.every((tone) => tone === first) ? first : 'flat';
};

/** A line in a notification is not longer. */
const MAX_LINE = 160;
const NAMED_FIELDS = 2;

/** A card as one line, for notifications: its headline, or else the first of its fields. */
export const cardLine = ({ title, headline, fields }: Card): string => {
  if (headline !== '') return cut(`${title}: ${headline}`, MAX_LINE);
  const moving = fields.filter(({ tone }) => tone !== undefined);
  const first =
    moving.length > 0
      ? moving.map(({ name, value }) => `${name} ${value.split('\n').slice(0, 2).join(' ')}`)
      : fields.map(({ name }) => name);
  const more = first.length > NAMED_FIELDS ? ' …' : '';
  return cut([title, first.slice(0, NAMED_FIELDS).join(', ') + more].filter(Boolean).join(' — '), MAX_LINE);
};

/** A multiple of two and of three, because platforms show fields in two or three columns. */
const MAX_FIELDS = 24;
/** Discord shows 6,000 characters in the cards of a message. Escaped characters need a part of that. */
const MAX_CHARS = 4_800;
const MAX_CARDS = 10;
/** Slack shows ten fields in a block and 50 blocks in a message. */
const MAX_FIELDS_TOGETHER = 60;

const sizeOf = ({ title, headline, fields, footer }: Card): number =>
  title.length +
  headline.length +
  footer.length +
  fields.reduce((sum, { name, value, url = '' }) => sum + name.length + value.length + url.length + 8, 0);

/** Cards of about the same length, in place of one that is too long for a message. Each keeps its source and time. */
const shortCards = (card: Card): readonly Card[] => {
  const { title, fields } = card;
  const bare = sizeOf({ ...card, fields: [] });
  const room = Math.max(MAX_CHARS - bare, MAX_CHARS / 2);
  const count = Math.max(
    Math.ceil(fields.length / MAX_FIELDS),
    // Fields differ in length, so the longest part must have room too.
    Math.ceil((sizeOf(card) - bare) / (room * 0.8)),
  );
  if (count <= 1) return [card];
  const length = Math.ceil(fields.length / count);
  const pages = Math.ceil(fields.length / length);
  return Array.from({ length: pages }, (_none, page) => ({
    ...card,
    title: `${title} (${page + 1}/${pages})`,
    headline: page === 0 ? card.headline : '',
    fields: fields.slice(page * length, (page + 1) * length),
  }));
};

/** The cards of each message: as many as the platforms show in one, in order. None is left out. */
export const cardPages = (cards: readonly Card[]): readonly (readonly Card[])[] => {
  const pages: Card[][] = [];
  let [chars, fields] = [0, 0];
  for (const card of cards.flatMap(shortCards)) {
    const last = pages.at(-1);
    const size = sizeOf(card);
    const fits =
      last !== undefined &&
      last.length < MAX_CARDS &&
      chars + size <= MAX_CHARS &&
      fields + card.fields.length <= MAX_FIELDS_TOGETHER;
    if (fits) {
      last.push(card);
      [chars, fields] = [chars + size, fields + card.fields.length];
    } else {
      pages.push([card]);
      [chars, fields] = [size, card.fields.length];
    }
  }
  return pages;
};
