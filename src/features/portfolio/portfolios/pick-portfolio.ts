import type { Locale } from '#src/kernel/locale.ts';
import type { OwnerId, PersonRef } from '#src/kernel/ids.ts';
import type { PortfolioRecord } from '#src/kernel/market/ledger.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import type { PortfolioStore } from '../store/store.ts';
import { type NewPortfolio, portfolioNameKey } from '../store/portfolios.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { isBlank } from '../entries/entry-problems.ts';
import { namedCurrency } from '../entries/instrument.ts';
import type { FeatureUses } from '#src/features/services.ts';

export interface PickDeps extends FeatureUses<'owners.ownerOf'> {
  readonly store: Pick<PortfolioStore, 'list'>;
}

export type PickedPortfolio =
  | {
      readonly status: 'ok';
      readonly ownerId: OwnerId;
      readonly portfolio: PortfolioRecord;
      /** All portfolios of this person, oldest first. */
      readonly all: readonly PortfolioRecord[];
    }
  /** The person has no portfolio yet. */
  | { readonly status: 'none'; readonly ownerId: OwnerId }
  /** The person has no portfolio of that name. */
  | { readonly status: 'unknown'; readonly all: readonly PortfolioRecord[] };

/** Picks the requester's portfolio of that name, else their default. */
export const pickPortfolio = async (
  { owners, store }: PickDeps,
  requester: PersonRef,
  name: string | undefined,
): Promise<PickedPortfolio> => {
  const ownerId = await owners.ownerOf(requester);
  const all = await store.list(ownerId);
  const isNamed = !isBlank(name);
  if (all.length === 0 && !isNamed) return { status: 'none', ownerId };
  const portfolio = isNamed
    ? all.find((each) => portfolioNameKey(each.name) === portfolioNameKey(name.trim()))
    : (all.find(({ isDefault }) => isDefault) ?? all[0]);
  return portfolio ? { status: 'ok', ownerId, portfolio, all } : { status: 'unknown', all };
};

/** Selects the portfolio in a command; the default needs no option. */
export const portfolioOption = ({ name, isDefault }: Pick<PortfolioRecord, 'name' | 'isDefault'>): string =>
  isDefault ? '' : ` --in=${name}`;

/** Says that the portfolio does not exist, and what to do. */
export const notPickedAnswer = (
  picked: Exclude<PickedPortfolio, { readonly status: 'ok' }>,
  name: string | undefined,
  locale: Locale,
): MarketAnswer => {
  const t = portfolioTexts(locale);
  if (picked.status === 'none') return refusedAnswer(t.empty());
  const typed = echo(name ?? '');
  const names = picked.all.map((each) => each.name).join(', ');
  return refusedAnswer(names === '' ? t.unknownFirst({ typed }) : t.unknown({ typed, names }));
};

/** Name and currency of the first portfolio if the requester named none. */
export const FIRST_PORTFOLIO: Readonly<Record<Locale, NewPortfolio>> = {
  ko: { name: '기본', baseCurrency: 'KRW' },
  en: { name: 'main', baseCurrency: 'USD' },
};

/**
 * The portfolio to create for a first entry: in the currency that a first deposit names, else in that of the locale.
 */
export const firstPortfolioFor = (request: RecordRequest, locale: Locale): NewPortfolio => {
  const named = request.kind === 'deposit' ? currencyNamed(namedCurrency(request) ?? '') : undefined;
  const first = FIRST_PORTFOLIO[locale];
  return named && !named.isCoin ? { ...first, baseCurrency: named.code } : first;
};

/** A short confirmation without facts. */
export const doneAnswer = (content: string, facts: readonly Fact[] = []): MarketAnswer => ({
  content,
  facts,
  found: 1,
});

/** An answer that found or changed nothing. */
export const refusedAnswer = (content: string, facts: readonly Fact[] = []): MarketAnswer => ({
  content,
  facts,
  found: 0,
});
