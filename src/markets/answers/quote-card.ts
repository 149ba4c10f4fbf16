import type { Quote } from '#src/kernel/finance.ts';
import { quoteMessages } from './quote-messages.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import type { Card } from '#src/kernel/message.ts';
import { quotePieces } from './quote-text.ts';

/** Capitalizes a word for use as a field name. */
const asName = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** A quote as a card, with the same content as `describeQuote`. */
export const quoteCard = (quote: Quote, audience: Audience): Card => {
  const t = quoteMessages(audience.locale);
  const pieces = quotePieces(quote, audience);
  const fields: readonly (readonly [name: string, value: string | undefined])[] = [
    [pieces.extended?.name ?? '', pieces.extended?.text],
    [t.dayRange, pieces.dayRange],
    [t.yearRange, pieces.yearRange],
    [t.volume, pieces.volume],
    [t.session, pieces.session],
  ];
  return {
    title: pieces.title,
    headline: pieces.headline,
    fields: fields.flatMap(([name, value]) => (value === undefined ? [] : [{ name: asName(name), value }])),
    footer: [pieces.origin, ...pieces.notes].join('\n'),
    tone: pieces.tone,
  };
};
