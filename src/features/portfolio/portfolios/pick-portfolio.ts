import type { Locale } from '#src/kernel/locale.ts';
import type { OwnerId } from '#src/kernel/ids.ts';
import type { PortfolioRecord } from '#src/kernel/ledger.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { RecordRequest, Requester } from '#src/kernel/account-services.ts';
import type { OwnerStore } from '#src/platform/storage/owners.ts';
import type { NewPortfolio, PortfolioStore } from '../store-types.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import { namedCurrency } from '../recording/instrument.ts';

export interface PickDeps {
  readonly owners: Pick<OwnerStore, 'ownerOf'>;
  readonly store: Pick<PortfolioStore, 'list'>;
}

export type PickedPortfolio =
  | {
      readonly status: 'ok';
      readonly ownerId: OwnerId;
      readonly portfolio: PortfolioRecord;
      /** All of this person, the oldest first. */
      readonly all: readonly PortfolioRecord[];
    }
  /** Not one yet. */
  | { readonly status: 'none'; readonly ownerId: OwnerId }
  /** None of that name, of this person. */
  | { readonly status: 'unknown'; readonly all: readonly PortfolioRecord[] };

/** Names are the same whatever their case. */
const keyOf = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** The portfolio that is meant: the named one, else the default. Of the asker alone. */
export const pickPortfolio = async (
  { owners, store }: PickDeps,
  requester: Requester,
  name: string | undefined,
): Promise<PickedPortfolio> => {
  const ownerId = await owners.ownerOf(requester);
  const all = await store.list(ownerId);
  const isNamed = name !== undefined && name.trim() !== '';
  if (all.length === 0 && !isNamed) return { status: 'none', ownerId };
  const portfolio = isNamed
    ? all.find((each) => keyOf(each.name) === keyOf(name))
    : (all.find(({ isDefault }) => isDefault) ?? all[0]);
  return portfolio ? { status: 'ok', ownerId, portfolio, all } : { status: 'unknown', all };
};

/** One sentence for somebody who has none yet, or none of that name, and what to do. */
export const notPickedAnswer = (
  picked: Exclude<PickedPortfolio, { readonly status: 'ok' }>,
  name: string | undefined,
  locale: Locale,
): MarketAnswer => {
  const t = portfolioMessages(locale);
  if (picked.status === 'none') return { content: t.empty(), facts: [], found: 0 };
  const typed = echo(name ?? '');
  const names = picked.all.map((each) => each.name).join(', ');
  return {
    content: names === '' ? t.unknownFirst({ typed }) : t.unknown({ typed, names }),
    facts: [],
    found: 0,
  };
};

/** What the first portfolio of somebody who named none is called, and kept in. */
export const FIRST_PORTFOLIO: Readonly<Record<Locale, NewPortfolio>> = {
  ko: { name: '기본', baseCurrency: 'KRW' },
  en: { name: 'main', baseCurrency: 'USD' },
};

/** The one that is made for an entry: in the money of a first deposit that names it, else in that of the language. */
export const firstPortfolioFor = (request: RecordRequest, locale: Locale): NewPortfolio => {
  const named = request.kind === 'deposit' ? currencyNamed(namedCurrency(request) ?? '') : undefined;
  const first = FIRST_PORTFOLIO[locale];
  return named && !named.isCoin ? { ...first, baseCurrency: named.code } : first;
};

/** One clear sentence why not, and what to do; nothing was stored. */
export const refusedAnswer = (content: string): MarketAnswer => ({ content, facts: [], found: 0 });
