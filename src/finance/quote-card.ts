import type { Instrument, Quote } from '#src/core/finance.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import type { Card, Choice } from '#src/core/message.ts';
import { instrumentLabel, quotePieces } from './quote-text.ts';

const MAX_CHOICES = 8;
const MAX_LABEL_CHARACTERS = 80;

/** A word of a sentence, as the name of a field. */
const asName = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** A quote to be drawn: it says what `describeQuote` says. */
export const quoteCard = (quote: Quote, locale: Locale, timeZone: string): Card => {
  const words = texts(locale).quote;
  const pieces = quotePieces(quote, locale, timeZone);
  const fields: readonly (readonly [name: string, value: string | undefined])[] = [
    [words.dayRange, pieces.dayRange],
    [words.yearRange, pieces.yearRange],
    [words.volume, pieces.volume],
    [words.session, pieces.session],
  ];
  return {
    title: pieces.title,
    headline: pieces.headline,
    fields: fields.flatMap(([name, value]) => (value === undefined ? [] : [{ name: asName(name), value }])),
    footer: pieces.origin,
    tone: pieces.tone,
  };
};

const shortened = (label: string): string => {
  if (label.length <= MAX_LABEL_CHARACTERS) return label;
  const cut = label.slice(0, MAX_LABEL_CHARACTERS - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
};

/** What may have been meant, to press: each once, as many as fit under a message. */
export const quoteChoices = (instruments: readonly Instrument[], locale: Locale): readonly Choice[] =>
  [...new Map(instruments.map((instrument) => [instrument.symbol, instrument])).values()]
    .slice(0, MAX_CHOICES)
    .map((instrument) => ({
      label: shortened(instrumentLabel(instrument, locale)),
      command: `/price ${instrument.symbol}`,
    }));
