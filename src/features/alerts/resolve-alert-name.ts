import type { Instrument, SymbolSearch } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type ResolvedNames, resolveNames } from '#src/markets/answers/resolve-names.ts';
import type { ConditionDraft, ReadAlert } from './read-condition.ts';

type Read = Extract<ReadAlert, { readonly status: 'read' }>;

export type ResolvedAlert =
  | { readonly status: 'found'; readonly instrument: Instrument; readonly draft: ConditionDraft }
  | { readonly status: 'missed'; readonly names: ResolvedNames };

/** `삼성전자가`, `Apple's`. */
const PARTICLE = /(?:이|가|은|는|을|를|의|도|'s)$/u;

/** `삼성전자 유상증자 뉴스`: what is behind the name is what is looked for. */
const splitNews = (
  { name, draft }: Read,
  symbols: Pick<SymbolSearch, 'resolve'>,
): { readonly name: string; readonly draft: ConditionDraft } | undefined => {
  if (draft.kind !== 'news' || draft.keyword !== '') return undefined;
  const words = name.split(' ');
  for (let count = words.length - 1; count > 0; count -= 1) {
    const head = words.slice(0, count).join(' ');
    if (symbols.resolve(head).status === 'found')
      return { name: head, draft: { kind: 'news', keyword: words.slice(count).join(' ') } };
  }
  return undefined;
};

/** What an alert is about. An ambiguous name is a question; its answers repeat the alert with a code. */
export const resolveAlertName = async (
  read: Read,
  symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>,
  locale: Locale,
  commandFor: (code: string) => string,
  signal: AbortSignal,
): Promise<ResolvedAlert> => {
  const bare = read.name.replace(PARTICLE, '');
  const isUnknown = (name: string): boolean => symbols.resolve(name).status === 'unknown';
  const withoutParticle = isUnknown(read.name) && bare !== '' && !isUnknown(bare) ? bare : read.name;
  const split = isUnknown(withoutParticle) ? splitNews(read, symbols) : undefined;
  const names = await resolveNames([split?.name ?? withoutParticle], symbols, locale, commandFor, signal);
  const [instrument] = names.instruments;
  return instrument
    ? { status: 'found', instrument, draft: split?.draft ?? read.draft }
    : { status: 'missed', names };
};
