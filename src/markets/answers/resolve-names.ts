import {
  codeFor,
  type Instrument,
  type SymbolMatch,
  type SymbolSearch,
  type UnavailableReason,
} from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { quoteTexts } from './quote-texts.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { Choice } from '#src/kernel/chat/message.ts';
import { graphemes } from '#src/kernel/text.ts';
import { instrumentLabel } from './quote-text.ts';

/** The instrument of a name, or the text about a name that did not resolve. */
export type ResolvedName =
  | { readonly status: 'found'; readonly instrument: Instrument }
  | { readonly status: 'missed'; readonly text: string };

export interface ResolvedNames {
  /** In the order of the query. */
  readonly names: readonly ResolvedName[];
  /** The instruments found, without duplicates. */
  readonly instruments: readonly Instrument[];
  /** Buttons for what the other names may mean. */
  readonly choices: readonly Choice[];
}

const MAX_ECHO_CHARACTERS = 40;
/** Longer than any name; bounds the work on pasted text. */
const MAX_ECHO_READ = 1_000;
/** Characters that form links, mentions and formatting. */
const MARKUP = /[[\]<>`*_~|\\@#]+|:(?=\/\/)/gu;
const BREAKS_LINE = /[\s\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu;
const MAX_CHOICES = 8;
const MAX_LABEL_CHARACTERS = 80;
const MAX_CHARACTER_UNITS = 32;

/** Latin, Hangul, kana and Han without combining characters. */
const PLAIN_SCRIPTS = /^[\u0020-\u02ff\u3000-\u3029\u3030-\u3098\u309b-\u30ff\u3400-\u9fff\uac00-\ud7a3]*$/;

const charactersOf = (text: string, most: number): readonly string[] => {
  // Segmentation is slow, and a file may have thousands of cells.
  if (PLAIN_SCRIPTS.test(text)) return Array.from(text.slice(0, most));
  const characters: string[] = [];
  // Cut each character, because one letter may carry a hundred combining marks.
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

/** The typed text, shortened, on one line and without markup, for quoting in a message. */
export const echo = (query: string): string =>
  cut(
    query.slice(0, MAX_ECHO_READ).replaceAll(MARKUP, ' ').replaceAll(BREAKS_LINE, ' ').trim(),
    MAX_ECHO_CHARACTERS + 1,
  );

/** The instruments that an unresolved name may mean. */
const possible = (match: SymbolMatch): readonly Instrument[] => {
  if (match.status === 'found') return [];
  return match.status === 'ambiguous' ? match.choices : match.suggestions;
};

const FUTURE = /(?:선물|futures?)\s{0,3}$/iu;
const isFuture = ({ symbol }: Instrument): boolean => symbol.endsWith('=F');

interface Meaning {
  readonly query: string;
  readonly match: SymbolMatch;
  /** An instrument that only a source lists; the person has to confirm it. */
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
  const t = quoteTexts(locale);
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

/** The button for a possible instrument. */
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
 * Resolves typed names to instruments or questions. `commandFor` gives the command of a button, with an unambiguous
 * code.
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

/** Buttons for the first name that did not resolve. `commandFor` repeats the command with all names and a code in its place. */
export const choicesForMissed = async (
  queries: readonly string[],
  symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>,
  locale: Locale,
  commandFor: (names: readonly string[], code: string) => string,
  signal: AbortSignal,
): Promise<readonly Choice[]> => {
  const matches = queries.map((query) => symbols.resolve(query));
  const missed = matches.findIndex(({ status }) => status !== 'found');
  const query = queries[missed];
  if (query === undefined) return [];
  const names = matches.map((match, index) =>
    match.status === 'found' ? match.instrument.symbol : (queries[index] ?? ''),
  );
  const commandWith = (code: string): string => commandFor(names.with(missed, code), code);
  return (await resolveNames([query], symbols, locale, commandWith, signal)).choices;
};

/** The answer about names that did not resolve. */
export const missedAnswer = ({ names, choices }: ResolvedNames): MarketAnswer => ({
  content: names.flatMap((name) => (name.status === 'missed' ? [name.text] : [])).join('\n\n'),
  facts: [],
  found: 0,
  ...(choices.length > 0 && { choices }),
});

/** Explains in one sentence why there is no data. */
export const unavailableText = (instrument: Instrument, reason: UnavailableReason, locale: Locale): string =>
  quoteTexts(locale).unavailable[reason]({ name: instrumentLabel(instrument, locale) });
