import type { Instrument, SymbolMatch, SymbolSearch, UnavailableReason } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { quoteMessages } from './quote-messages.ts';
import { codeFor } from '#src/kernel/instrument-code.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { Choice } from '#src/kernel/message.ts';
import { graphemes } from '#src/kernel/text.ts';
import { instrumentLabel } from './quote-text.ts';

/** One thing that was asked for: what it is, or what to say about a name that did not resolve. */
export type ResolvedName =
  | { readonly status: 'found'; readonly instrument: Instrument }
  | { readonly status: 'missed'; readonly text: string };

export interface ResolvedNames {
  /** In the order asked. */
  readonly names: readonly ResolvedName[];
  /** Those that were found, each once. */
  readonly instruments: readonly Instrument[];
  /** What may have been meant by the others, to press. */
  readonly choices: readonly Choice[];
}

const MAX_ECHO_CHARACTERS = 40;
/** Long before any sensible name ends; keeps a pasted page from being taken apart. */
const MAX_ECHO_READ = 1_000;
/** What would make a link, a mention or bold type of it. */
const MARKUP = /[[\]<>`*_~|\\@#]+|:(?=\/\/)/gu;
const BREAKS_LINE = /[\s\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu;
const MAX_CHOICES = 8;
const MAX_LABEL_CHARACTERS = 80;
const MAX_CHARACTER_UNITS = 32;

/** Latin, Hangul, kana and Han: nothing in it joins with what stands before it. */
const PLAIN_SCRIPTS = /^[\u0020-\u02ff\u3000-\u3029\u3030-\u3098\u309b-\u30ff\u3400-\u9fff\uac00-\ud7a3]*$/;

const charactersOf = (text: string, most: number): readonly string[] => {
  // To look for characters of several parts takes long, and a file may have thousands of cells.
  if (PLAIN_SCRIPTS.test(text)) return Array.from(text.slice(0, most));
  const characters: string[] = [];
  // A letter with a hundred marks above it is one character, too.
  for (const { segment } of graphemes().segment(text)) {
    characters.push(segment.slice(0, MAX_CHARACTER_UNITS));
    if (characters.length === most) break;
  }
  return characters;
};

const cut = (text: string, limit: number): string => {
  const characters = charactersOf(text, limit + 1);
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : characters.join('');
};

/** What was typed, short, on one line and without markup: it is repeated in a sentence of ours. */
export const echo = (query: string): string =>
  cut(
    query.slice(0, MAX_ECHO_READ).replaceAll(MARKUP, ' ').replaceAll(BREAKS_LINE, ' ').trim(),
    MAX_ECHO_CHARACTERS + 1,
  );

/** What a name that did not resolve may stand for. */
const possible = (match: SymbolMatch): readonly Instrument[] => {
  if (match.status === 'found') return [];
  return match.status === 'ambiguous' ? match.choices : match.suggestions;
};

const FUTURE = /(?:선물|futures?)\s{0,3}$/iu;
const isFuture = ({ symbol }: Instrument): boolean => symbol.endsWith('=F');

interface Meaning {
  readonly query: string;
  readonly match: SymbolMatch;
  /** Where the index does not know it and a source lists it; then it still has to be confirmed. */
  readonly offered?: Instrument;
}

const meaningOf = async (
  query: string,
  symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>,
  signal: AbortSignal,
): Promise<Meaning> => {
  const match = symbols.resolve(query);
  const listing = match.status === 'unknown' ? await symbols.findListing?.(query, signal) : undefined;
  if (!listing) return { query, match };
  const { status, instrument } = listing;
  return status === 'confirmed'
    ? { query, match: { status: 'found', instrument } }
    : { query, match, offered: instrument };
};

const nameOf = ({ query: rawQuery, match, offered }: Meaning, locale: Locale): ResolvedName => {
  if (match.status === 'found') return { status: 'found', instrument: match.instrument };
  const t = quoteMessages(locale);
  const query = echo(rawQuery);
  if (offered) {
    const { symbol, currency } = offered;
    const label = instrumentLabel(offered, locale);
    return { status: 'missed', text: t.symbolListed({ query, label, symbol, currency }) };
  }
  const choices = possible(match)
    .map((instrument) => instrumentLabel(instrument, locale))
    .join(', ');
  if (match.status === 'ambiguous') return { status: 'missed', text: t.symbolAmbiguous({ query, choices }) };
  const [first, ...others] = match.suggestions;
  if (first && others.length === 0 && FUTURE.test(rawQuery) && !isFuture(first))
    return { status: 'missed', text: t.futureNotCovered({ query, choices }) };
  return {
    status: 'missed',
    text: choices === '' ? t.symbolUnknown({ query }) : t.symbolSuggest({ query, choices }),
  };
};

const bySymbol = (instruments: readonly Instrument[]): readonly Instrument[] => [
  ...new Map(instruments.map((instrument) => [instrument.symbol, instrument])).values(),
];

/** What to press for one that may have been meant. */
export const choiceOf = (
  instrument: Instrument,
  symbols: Pick<SymbolSearch, 'resolve'>,
  locale: Locale,
  commandFor: (code: string) => string,
): Choice => ({
  label: cut(instrumentLabel(instrument, locale), MAX_LABEL_CHARACTERS),
  command: commandFor(codeFor(instrument, symbols)),
  answers: 'pick',
});

/**
 * From what a person typed to instruments, or to a question. `commandFor` is what pressing a choice would type, with
 * a code that is no question itself.
 */
export const resolveNames = async (
  queries: readonly string[],
  symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>,
  locale: Locale,
  commandFor: (code: string) => string,
  signal: AbortSignal,
): Promise<ResolvedNames> => {
  const meanings = await Promise.all(queries.map((query) => meaningOf(query, symbols, signal)));
  return {
    names: meanings.map((meaning) => nameOf(meaning, locale)),
    instruments: bySymbol(
      meanings.flatMap(({ match }) => (match.status === 'found' ? [match.instrument] : [])),
    ),
    choices: bySymbol(
      meanings.flatMap(({ match, offered }) => [...(offered ? [offered] : []), ...possible(match)]),
    )
      .slice(0, MAX_CHOICES)
      .map((instrument) => choiceOf(instrument, symbols, locale, commandFor)),
  };
};

/** Where one name was asked for and it is none: the answer that says so. */
export const missedAnswer = ({ names, choices }: ResolvedNames): MarketAnswer => ({
  content: names.flatMap((name) => (name.status === 'missed' ? [name.text] : [])).join('\n\n'),
  facts: [],
  found: 0,
  ...(choices.length > 0 && { choices }),
});

/** Where there is no data: why, in one sentence. */
export const unavailableText = (instrument: Instrument, reason: UnavailableReason, locale: Locale): string =>
  quoteMessages(locale).unavailable[reason]({ name: instrumentLabel(instrument, locale) });
