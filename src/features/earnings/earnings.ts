import type { QueryDeps } from '#src/features/feature.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import type { Audience, MarketAnswer, MarketQuery } from '#src/kernel/chat/answer.ts';
import { formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { EarningsDate, EarningsFound } from '#src/markets/sources/source.ts';
import { namesOf, withNames } from '#src/markets/answers/fact-names.ts';
import { narrowName, shortLabel } from '#src/markets/answers/narrow-name.ts';
import { instrumentLabels, shortOrigin } from '#src/markets/answers/quote-text.ts';
import { resolveNames } from '#src/markets/answers/resolve-names.ts';
import { BIG_COMPANIES } from '#src/markets/answers/well-known.ts';

export interface EarningsQueries {
  /** Without names: the biggest companies. */
  readonly earnings: MarketQuery<{ readonly queries: readonly string[] }>;
}

/** Dates are in the exchange's calendar, so its day decides what is past. */
const isPast = ({ instrument, to }: EarningsDate, now: Temporal.Instant): boolean => {
  const zone = instrument.currency === 'KRW' ? 'Asia/Seoul' : 'America/New_York';
  return Temporal.PlainDate.compare(to, now.toZonedDateTimeISO(zone).toPlainDate()) < 0;
};

/** Shortens a span to `2026-12-05~09`, because whole spans make the table too wide for a phone. */
const dateText = ({ from, to, isEstimate }: EarningsDate, locale: Locale, isMarked: boolean): string => {
  const [first, last] = [from.toString(), to.toString()];
  const end = first.slice(0, 7) === last.slice(0, 7) ? last.slice(8) : last.slice(5);
  const date = first === last ? first : `${first}~${end}`;
  return isEstimate && isMarked ? `${date} ${marketTexts(locale).earnings.estimated}` : date;
};

/** One company in one line. */
const oneText = (date: EarningsDate, locale: Locale): string => {
  const { instrument, epsEstimate } = date;
  const t = marketTexts(locale).earnings;
  const eps = epsEstimate && formatFinancialNumber(epsEstimate, { locale, currency: instrument.currency });
  const said = [dateText(date, locale, true), ...(eps === undefined ? [] : [`${t.eps} ${eps}`])];
  return `**${shortLabel(instrument, locale)}** ${said.join(' · ')}`;
};

/** Where all dates are estimates, that is said once below. */
const table = (dates: readonly EarningsDate[], locale: Locale): string => {
  const t = marketTexts(locale).earnings;
  const areEstimates = dates.every(({ isEstimate }) => isEstimate);
  const hasEstimates = dates.some(({ epsEstimate }) => epsEstimate !== undefined);
  const rows = dates.map((date) => {
    const { instrument, epsEstimate } = date;
    const eps = epsEstimate && formatFinancialNumber(epsEstimate, { locale, currency: instrument.currency });
    return [
      dateText(date, locale, !areEstimates),
      narrowName(instrument, locale),
      ...(hasEstimates ? [eps ?? '–'] : []),
    ];
  });
  const head = [t.date, t.company, ...(hasEstimates ? [t.eps] : [])];
  const rule = ['---', '---', ...(hasEstimates ? ['---:'] : [])];
  const all = [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
  return areEstimates ? `${all}\n\n${t.allEstimated}` : all;
};

const factsOf = ({
  instrument,
  from,
  to,
  isEstimate,
  epsEstimate,
  ...rest
}: EarningsDate): readonly Fact[] => {
  const common = {
    entity: instrument.symbol,
    asOf: rest.asOf.toString(),
    source: rest.source,
    isSample: rest.isSample,
  };
  const day = { ...common, ...(isEstimate && { label: 'estimated' }), unit: 'date' };
  const isSpan = !from.equals(to);
  return withNames(namesOf(instrument), [
    { ...day, metric: 'earningsDay', value: from.toString() },
    ...(isSpan ? [{ ...day, metric: 'earningsLastDay' as const, value: to.toString() }] : []),
    ...(epsEstimate
      ? [
          {
            ...common,
            metric: 'epsEstimate' as const,
            value: epsEstimate.toFixed(),
            unit: instrument.currency,
          },
        ]
      : []),
  ]);
};

/** One line for each source, with the oldest time of its dates. */
const origins = (dates: readonly EarningsDate[], audience: Audience): readonly string[] =>
  [...Map.groupBy(dates, ({ source }) => source).values()].flatMap((ofSource) => {
    const [oldest] = ofSource.toSorted((a, b) => Temporal.Instant.compare(a.asOf, b.asOf));
    return oldest ? [shortOrigin(oldest, audience)] : [];
  });

/** When companies report next, the nearest first; without names, the biggest companies. Throws only on abort. */
export const earningsAnswer =
  ({ market, symbols, clock }: QueryDeps<'getEarnings', 'clock'>): EarningsQueries['earnings'] =>
  async ({ queries }, audience, signal): Promise<MarketAnswer> => {
    const { locale } = audience;
    const t = marketTexts(locale).earnings;
    const isNamed = queries.length > 0;
    const asked = isNamed ? queries : BIG_COMPANIES;
    const { names, instruments, choices } = await resolveNames(
      asked,
      symbols,
      locale,
      (symbol) => `/earnings ${symbol}`,
      signal,
    );
    const companies = instruments.filter(({ assetClass }) => assetClass === 'equity');
    const others = instruments.filter(({ assetClass }) => assetClass !== 'equity');
    const notes = isNamed
      ? [
          ...names.flatMap((name) => (name.status === 'missed' ? [name.text] : [])),
          ...(others.length > 0 ? [t.notCompanies({ names: instrumentLabels(others, locale) })] : []),
        ]
      : [];
    const answer = (parts: readonly string[], dates: readonly EarningsDate[]): MarketAnswer => ({
      content: [...parts, ...notes].join('\n\n'),
      facts: dates.flatMap(factsOf),
      found: dates.length,
      ...(isNamed && choices.length > 0 && { choices }),
    });
    if (isNamed && companies.length === 0) return answer([], []);

    const result = await market.getEarnings(companies, signal);
    if (result.status === 'unavailable' && result.reason === 'down') return answer([t.down()], []);
    if (result.status === 'unavailable' && result.reason === 'not-in-sample') return answer([t.sample()], []);
    const { dates: found, unasked }: EarningsFound =
      result.status === 'ok' ? result.value : { dates: [], unasked: [] };
    const dates = found.toSorted((a, b) => Temporal.PlainDate.compare(a.from, b.from));
    const now = clock.now();
    const coming = dates.filter((date) => !isPast(date, now));
    // Past dates matter only for companies that were asked about.
    const past = isNamed ? dates.filter((date) => isPast(date, now)) : [];
    const settled = new Set(
      [...dates.map(({ instrument }) => instrument), ...unasked].map(({ symbol }) => symbol),
    );
    const unknown = isNamed ? companies.filter(({ symbol }) => !settled.has(symbol)) : [];
    const gaps = [
      ...(unknown.length > 0 ? [t.noneOf({ names: instrumentLabels(unknown, locale) })] : []),
      ...(unasked.length > 0 ? [t.unasked({ names: instrumentLabels(unasked, locale) })] : []),
    ];
    const shown = [...coming, ...past];
    if (shown.length === 0) return answer(gaps.length > 0 ? gaps : [t.noneOfBiggest()], []);
    const [only, another] = shown;
    if (isNamed && only && !another && past.length === 0)
      return answer([[oneText(only, locale), ...origins(shown, audience)].join('\n'), ...gaps], shown);
    return answer(
      [
        isNamed ? t.title() : t.titleOfBiggest({ count: companies.length - unasked.length }),
        ...(coming.length > 0 ? [table(coming, locale)] : []),
        ...(past.length > 0 ? [t.past(), table(past, locale)] : []),
        origins(shown, audience).join('\n'),
        ...gaps,
      ],
      shown,
    );
  };
