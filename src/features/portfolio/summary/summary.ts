import type { ChartTheme } from '#src/kernel/market/chart-style.ts';
import type { PortfolioRecord } from '#src/kernel/market/ledger.ts';
import type { Audience, MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { Card, Tone } from '#src/kernel/chat/card.ts';
import type { Choice, MediaAttachment } from '#src/kernel/chat/message.ts';
import type { AccountQuery } from '#src/kernel/people/requester.ts';
import type { PortfolioCharts } from '#src/markets/charts/portfolio-picture.ts';
import { themeControl } from '#src/markets/answers/controls.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { moneyText } from '#src/markets/answers/money-text.ts';
import { toneOf } from '#src/markets/answers/quote-text.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { type CountDeps, countLedger, uncheckedHoldings, uncheckedLines } from './counted-ledger.ts';
import { dismissedSplitLines, doubtLines, splitFacts, summaryOffers } from '../corporate-actions/offers.ts';
import { ZERO } from '../ledger/fixed-point.ts';
import type { FilledRates } from '../rates/rated-portfolios.ts';
import {
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  portfolioOption,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import {
  type PortfolioValue,
  type PortfolioValueDeps,
  type ValuedHolding,
  valuePortfolio,
} from './portfolio-value.ts';
import { hasSampleFigures, rateNotes } from '../rates/rate-text.ts';
import { ledgerProblemText } from '../entries/entry-text.ts';
import { originLines, shortOrigin, summaryNotes } from './summary-notes.ts';
import { type WrittenSummary, writeSummary } from './summary-text.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';
import type { SummaryRequest } from '../requests.ts';

export type SummaryDeps = PickDeps &
  CountDeps &
  PortfolioValueDeps & { readonly store: FilledRates; readonly charts: Pick<PortfolioCharts, 'allocation'> };

/** Holdings and cash, largest first. Parts without a known value are left out. */
const partsOf = ({ holdings, cash, state }: PortfolioValue, { locale }: Audience) => {
  const t = portfolioTexts(locale);
  return [
    ...holdings.map(({ position, worth }) => ({
      label: narrowName(position.instrument, locale),
      value: worth?.value.base ?? ZERO,
    })),
    ...cash.map(({ balance, base = ZERO }) => ({
      label: balance.currency === state.baseCurrency ? t.cash : `${t.cash} ${balance.currency}`,
      value: base,
    })),
  ]
    .filter(({ value }) => !value.isZero())
    .toSorted((a, b) => b.value.comparedTo(a.value));
};

/**
 * Draws the allocation. Its total is that of the text, so negative parts are included and named. Nothing is drawn if
 * drawing fails. Throws on abort alone.
 */
const draw = async (
  portfolio: PortfolioRecord,
  value: PortfolioValue,
  origin: string,
  { charts }: SummaryDeps,
  audience: Audience,
  { isSample, theme }: { readonly isSample: boolean; readonly theme: ChartTheme | undefined },
  signal: AbortSignal,
): Promise<readonly MediaAttachment[]> => {
  const all = partsOf(value, audience);
  const parts = all.filter((part) => part.value.isPositive());
  if (parts.length === 0) return [];
  const t = portfolioTexts(audience.locale);
  const currency = portfolio.baseCurrency;
  const known = value.holdings.filter(({ worth }) => worth?.value.base);
  const owed = all
    .filter((part) => part.value.isNegative())
    .map((part) => `${part.label} ${moneyText(part.value, currency, audience.locale)}`);
  try {
    return [
      await charts.allocation(
        {
          title: t.cardTitle({ name: portfolio.name }),
          currency,
          total: value.totals.value,
          ...(value.totals.known.value !== 'all' && {
            totalName: t.ofHoldings({ known: known.length, all: value.holdings.length }),
          }),
          parts,
          origin: [...(owed.length > 0 ? [t.belowZero({ parts: owed.join(', ') })] : []), origin].join(' · '),
          isSample,
          theme,
        },
        audience,
        signal,
      ),
    ];
  } catch (error) {
    if (signal.aborted) throw error;
    return [];
  }
};

/** The sums, and the holdings. The last one says where their numbers are from. */
const cardsOf = (
  name: string,
  { headline, shortTotals, fields }: WrittenSummary,
  tone: Tone,
  footer: string,
  { locale }: Audience,
): readonly Card[] => {
  const t = portfolioTexts(locale);
  const title = t.cardTitle({ name });
  return [
    { title, headline, fields: shortTotals, footer: fields.length > 0 ? '' : footer, tone },
    ...(fields.length > 0 ? [{ title: t.holdings, headline: '', fields, footer, tone }] : []),
  ];
};

const buttons = (
  portfolio: PortfolioRecord,
  all: readonly PortfolioRecord[],
  { theme = 'light', hasPicture }: { readonly theme?: ChartTheme | undefined; readonly hasPicture: boolean },
  { locale }: Audience,
): readonly Choice[] => {
  const t = portfolioTexts(locale);
  const suffix = portfolioOption(portfolio);
  const background = theme === 'dark' ? ' dark' : '';
  const others = all.filter(({ id }) => id !== portfolio.id).slice(0, 3);
  return [
    { label: t.detailsButton, command: `/portfolio summary details${suffix}` },
    { label: t.historyButton, command: `/portfolio history${suffix}` },
    { label: t.analysisButton, command: `/portfolio analysis${background}${suffix}` },
    ...(hasPicture ? themeControl(theme, (other) => `/portfolio summary ${other}${suffix}`, locale) : []),
    ...others.map(({ name }) => ({ label: t.openButton({ name }), command: `/portfolio --in=${name}` })),
  ];
};

/** The holdings of a portfolio with their values and gains. Throws on abort alone. */
export const summaryAnswer =
  (deps: SummaryDeps): AccountQuery<SummaryRequest> =>
  async (
    { portfolio: wanted, isDrawn, isDetailed = false, isUnasked, theme },
    requester,
    signal,
  ): Promise<MarketAnswer> => {
    const { locale } = requester;
    const t = portfolioTexts(locale);
    const picked = await pickPortfolio(deps, requester, wanted);
    if (picked.status !== 'ok') return notPickedAnswer(picked, wanted, locale);
    const { portfolio, all } = picked;
    const { name, baseCurrency, costMethod: method } = portfolio;
    const title = t.title({ name });
    const counted = await countLedger(portfolio, deps, signal);
    const { derived, recorded, found, unvalued } = counted;
    if (recorded.length === 0) return refusedAnswer(`${title}\n${t.empty()}`);
    if (derived.status === 'refused')
      return refusedAnswer(t.broken({ name, why: ledgerProblemText(derived.problem, locale) }));

    const valued = await valuePortfolio(derived.state, { ...deps, unvalued, settled: found.settled }, signal);
    const unchecked = uncheckedHoldings(valued.holdings, found);
    const isMarked = (holding: ValuedHolding): boolean =>
      unchecked.includes(holding) || counted.marked.has(holding.position.instrument.symbol);
    const holdings = valued.holdings.map((holding) =>
      isMarked(holding) ? { ...holding, isMarked: true } : holding,
    );
    const value = { ...valued, holdings };
    const context = { portfolio, audience: requester, symbols: deps.symbols };
    const offers = summaryOffers(found, context);
    const isLedgerSample = hasSampleFigures(recorded);
    const told = portfolioTold({ portfolio, now: deps.clock.now(), isSample: isLedgerSample }, locale);
    const written = writeSummary(value, told);
    told.add(splitFacts(found));
    const facts = told.facts();
    const origins = originLines(value, requester);
    const isSample = facts.some((fact) => fact.isSample);
    const media = isDrawn
      ? await draw(portfolio, value, origins.join(' · '), deps, requester, { isSample, theme }, signal)
      : [];
    const others = all.filter(({ id }) => id !== portfolio.id).map((each) => each.name);
    const table = value.holdings.length > 0 ? written.table : t.nothingHeld;
    // A missing current rate is noted already, so entries that wait for theirs are not.
    const isUnrated = value.holdings.some(({ quote, rate }) => quote && !rate);
    const noted = isUnrated ? recorded.filter(({ rateFrom }) => rateFrom !== 'waits') : recorded;
    const lacksRates = recorded.some(({ rateFrom }) => rateFrom === 'waits' || rateFrom === 'none');
    const notes = [
      ...doubtLines(found, context),
      ...offers.lines,
      ...dismissedSplitLines(found, context),
      ...uncheckedLines(unchecked, found, locale),
      ...summaryNotes(value, requester, lacksRates),
      ...rateNotes(
        // The mark of sample data says enough, except in detail.
        isDetailed ? noted : noted.filter(({ rateFrom }) => rateFrom !== 'sample'),
        isUnasked ? undefined : deps.store.takeFilled?.(portfolio.id),
        baseCurrency,
        locale,
      ),
    ];
    const origin = shortOrigin(value, requester);
    const lines = isDetailed ? written.totals : written.shortTotals;
    const sums = isDetailed
      ? lines.map((line) => `- ${line.name}: ${line.value}`).join('\n')
      : lines.map((line) => `${line.name} ${line.value}`).join(' · ');
    const above = [`${title} · **${written.headline}**`, sums].join('\n');
    const below = isDetailed
      ? [
          ...notes,
          t.method[method],
          ...(others.length > 0 ? [t.others({ names: others.join(', ') })] : []),
          ...origins,
        ]
      : [...notes, ...(origin === '' ? [] : [origin])];
    const details = isDetailed ? written.details.join('\n') : '';
    return {
      content: [above, table, details, below.join('\n')].filter((part) => part !== '').join('\n\n'),
      facts,
      found: 1,
      ...(!isDetailed && {
        cards: {
          items: cardsOf(name, written, toneOf(value.totals.dayChange), origin, requester),
          text: [...(value.holdings.length > 0 ? [] : [t.nothingHeld]), ...notes].join('\n'),
        },
      }),
      choices: [
        ...offers.choices,
        ...buttons(portfolio, all, { theme, hasPicture: media.length > 0 }, requester),
      ],
      ...(offers.typed !== undefined && { typed: offers.typed }),
      ...(media.length > 0 && { media }),
    };
  };
