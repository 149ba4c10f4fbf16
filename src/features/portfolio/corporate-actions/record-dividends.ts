import type { Requester } from '#src/kernel/people/requester.ts';
import type { OwnerId } from '#src/kernel/ids.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/kernel/market/ledger.ts';
import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { FactRecorder } from '#src/markets/answers/fact-recorder.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { Choice } from '#src/kernel/chat/message.ts';
import { type Currency, type Decimal, formatCount } from '#src/kernel/money.ts';
import { exactMoneyText } from '#src/markets/answers/money-text.ts';
import { mapInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { sumOf } from '../ledger/fixed-point.ts';
import { corporateActionTexts } from '../texts/actions.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { doneAnswer, refusedAnswer } from '../portfolios/pick-portfolio.ts';
import type { FillRatesDeps } from '../rates/day-rates.ts';
import { fillRates } from '../rates/fill-rates.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';
import { hasSampleFigures, rateNotes } from '../rates/rate-text.ts';
import { entryText } from '../entries/entry-text.ts';
import type { PortfolioStore } from '../store/store.ts';
import { isTaxedAtHome, percentTaken, taxCountryOf, usualPercent } from './dividend-tax.ts';
import type { HeldDividend } from './held-actions.ts';
import { dividendAmount, dividendDay, taxOn } from './offers.ts';
import type { TaxedAs } from '../requests.ts';

const WON = 'KRW';

export interface RecordDividendsDeps extends FillRatesDeps {
  readonly store: Pick<PortfolioStore, 'record'>;
}

/** False for dividends in another currency than the share's, which are recorded by hand. */
export const canRecord = ({ status, currency, instrument }: HeldDividend): boolean =>
  status === 'missing' && currency === instrument.currency;

const keyOf = (entry: NewTransaction): string =>
  entry.kind === 'dividend' ? `${entry.instrument.symbol} ${entry.date.toString()}` : '';

/** The sums of dividends in one currency. */
interface DividendSum {
  readonly currency: Currency;
  readonly gross: Decimal;
  readonly tax: Decimal;
}

const sumsOf = (entries: readonly DividendSum[]): readonly DividendSum[] =>
  [...Map.groupBy(entries, ({ currency }) => currency)].map(([currency, group]) => ({
    currency,
    gross: sumOf(group.map(({ gross }) => gross)),
    tax: sumOf(group.map(({ tax }) => tax)),
  }));

const grossAndTax = (entry: NewTransaction): readonly DividendSum[] =>
  entry.kind === 'dividend' ? [{ currency: entry.currency, gross: entry.amount, tax: entry.tax }] : [];

/** `before tax $12.50 − tax $1.88 = $10.62`. */
const sumText = ({ currency, gross, tax }: DividendSum, told: FactRecorder): string => {
  const written = (metric: MetricId, value: Decimal, which: string): string => {
    told.keep(metric, value, currency, which);
    return exactMoneyText(value, currency, told.locale);
  };
  const t = corporateActionTexts(told.locale);
  const before = written('dividends', gross, 'before tax');
  if (tax.isZero()) return t.untaxedSum({ gross: before });
  return t.taxedSum({
    gross: before,
    tax: written('withheldTax', tax, 'dividends'),
    net: written('dividends', gross.minus(tax), 'after tax'),
  });
};

/**
 * Asks once for the tax on all of these dividends, with what is usual in each country. Undefined if none is usual and no
 * rate is unknown.
 */
export const taxQuestion = (
  dividends: readonly HeldDividend[],
  command: string,
  portfolio: Pick<PortfolioRecord, 'account' | 'baseCurrency'>,
  told: FactRecorder,
): MarketAnswer | undefined => {
  const { account, baseCurrency } = portfolio;
  const { locale } = told;
  const t = corporateActionTexts(locale);
  const groups = [...Map.groupBy(dividends, ({ instrument }) => taxCountryOf(instrument))];
  const taxedAs = (as: TaxedAs, group = dividends): readonly DividendSum[] =>
    sumsOf(
      group.map((dividend) => ({
        currency: dividend.currency,
        gross: dividendAmount(dividend),
        tax: taxOn(dividend, as, portfolio),
      })),
    );
  const hasTax = (as: TaxedAs): boolean => taxedAs(as).some(({ tax }) => !tax.isZero());
  const isAtHome =
    (baseCurrency === WON || locale === 'ko') && groups.some(([country]) => isTaxedAtHome(country, account));
  const isUnknown = groups.some(([country]) => usualPercent(country, account) === undefined);
  if (!hasTax('usual') && !isAtHome && !isUnknown) return undefined;
  const lines = groups.map(([country, group]) => {
    const percent = usualPercent(country, account);
    told.keep('taxRate', percent, '%', country);
    const sums = taxedAs('usual', group).map((sum) => sumText(sum, told.about({ parameter: country })));
    const home =
      isAtHome && isTaxedAtHome(country, account)
        ? percentTaken(country, 'korean-broker', account)
        : undefined;
    told.keep('taxRate', home, '%', `${country} at a Korean broker`);
    return `- ${t.countryTax({
      country: t.countries[country],
      count: group.length,
      percent,
      sums: sums.join(', '),
      atHome: home?.toFixed(),
    })}`;
  });
  const choices: readonly Choice[] = [
    ...(hasTax('usual') ? [{ label: t.recordTaxed, command: `${command} ${t.taxedWords.usual}` }] : []),
    ...(isAtHome ? [{ label: t.recordAtHome, command: `${command} ${t.taxedWords['korean-broker']}` }] : []),
    { label: t.recordUntaxed, command: `${command} ${t.taxedWords.none}` },
  ];
  const isDatedBySource = dividends.some((dividend) => dividendDay(dividend).equals(dividend.date));
  const moved = dividends.filter((dividend) => !dividendDay(dividend).equals(dividend.date)).length;
  return {
    ...doneAnswer(
      [
        t.askTax({ count: dividends.length }),
        ...lines,
        ...(isDatedBySource ? [t.datedByExDay] : []),
        ...(moved > 0 ? [t.datedByPayment({ count: moved })] : []),
      ].join('\n'),
      told.facts(),
    ),
    choices: choices.map((choice): Choice => ({ ...choice, answers: 'pick' })),
    typed: t.typed({ commands: choices.map((choice) => `\`${choice.command}\``).join(', ') }),
  };
};

/** Records one entry per dividend, like the single offer. */
export const recordDividends = async (
  dividends: readonly HeldDividend[],
  as: TaxedAs,
  { ownerId, portfolio }: { readonly ownerId: OwnerId; readonly portfolio: PortfolioRecord },
  requester: Requester,
  deps: RecordDividendsDeps,
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const { locale, requestId } = requester;
  const t = corporateActionTexts(locale);
  const { id, name, baseCurrency } = portfolio;
  const entries = dividends.map((dividend): NewTransaction => ({
    kind: 'dividend',
    clientId: `${requestId}:${dividend.instrument.symbol}:${dividend.date.toString()}`,
    date: dividendDay(dividend),
    currency: dividend.currency,
    instrument: dividend.instrument,
    amount: dividendAmount(dividend),
    tax: taxOn(dividend, as, portfolio),
    ...(!dividendDay(dividend).equals(dividend.date) && {
      note: t.exDayNote({ date: dividend.date.toString() }),
    }),
  }));
  const filled = await fillRates(entries, baseCurrency, deps, signal);
  const decide = function* (
    existing: readonly Transaction[],
  ): Steps<{ readonly append: readonly NewTransaction[] } | { readonly refused: 'recorded' }> {
    // Another click may have come first.
    const recorded = new Set(yield* mapInSteps(existing, keyOf));
    const left = filled.filter((entry) => !recorded.has(keyOf(entry)));
    return left.length === 0 ? { refused: 'recorded' } : { append: left };
  };
  const clientIds = filled.map(({ clientId }) => clientId);
  const outcome = await deps.store.record(ownerId, id, clientIds, decide, signal);
  switch (outcome.status) {
    case 'gone':
    case 'reversed':
      return refusedAnswer(portfolioTexts(locale).gone({ name }));
    case 'full':
      return refusedAnswer(portfolioTexts(locale).full({ limit: formatCount(outcome.limit, locale) }));
    case 'refused':
      return refusedAnswer(t.nothingToRecord());
    case 'recorded':
    case 'repeated': {
      const isSample = hasSampleFigures(outcome.transactions);
      const told = portfolioTold({ portfolio, now: deps.clock.now(), isSample }, locale);
      return doneAnswer(
        [
          t.dividendsRecorded({ name, count: outcome.transactions.length }),
          sumsOf(outcome.transactions.flatMap(grossAndTax))
            .map((sum) => sumText(sum, told))
            .join(' · '),
          ...outcome.transactions.map(
            (entry) => `- **#${entry.number}** ${entryText(entry, baseCurrency, told)}`,
          ),
          ...rateNotes(outcome.transactions, undefined, baseCurrency, locale),
          portfolioTexts(locale).historyHint(),
        ].join('\n'),
        told.facts(),
      );
    }
  }
  return outcome satisfies never;
};
