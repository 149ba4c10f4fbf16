import type { SymbolSearch } from '#src/kernel/finance.ts';
import { hoursMessages } from '#src/markets/answers/hours-messages.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { MarketAnswer, MarketQueries, Audience } from '#src/kernel/market-queries.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { Clock } from '#src/platform/clock.ts';
import { readDate } from '#src/language/dates.ts';
import { calendarFile } from '#src/markets/calendar/calendar-data.ts';
import {
  allMarkets,
  type MarketKey,
  findMarkets,
  type NamedMarket,
} from '#src/markets/calendar/market-names.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import type { HoursPart } from '#src/markets/answers/hours-format.ts';
import { describeCryptoNow, describeFxNow, describeFxOn } from './hours-off-exchange.ts';
import { describeExchangeNow, describeExchangeOn } from './hours-on-exchange.ts';

export interface HoursDeps {
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly clock: Pick<Clock, 'now'>;
}

const partOf = (
  { key, place }: NamedMarket,
  date: Temporal.PlainDate | null,
  now: Timestamp,
  audience: Audience,
): HoursPart => {
  if (place.kind === 'crypto') return describeCryptoNow(audience);
  if (place.kind === 'fx') return date ? describeFxOn(date, audience) : describeFxNow(now, audience);
  const { data } = place;
  const t = hoursMessages(audience.locale);
  const title = t.markets[key];
  const part = date
    ? describeExchangeOn(data, title, date, audience)
    : describeExchangeNow(data, title, now, audience);
  return key === 'NXT' ? { ...part, lines: [...part.lines, t.nxtNote] } : part;
};

const sourceOf = (markets: readonly NamedMarket[], audience: Audience): string => {
  const t = hoursMessages(audience.locale);
  return markets.some(({ place }) => place.kind === 'exchange')
    ? t.source({ date: calendarFile().asOf })
    : t.sourceWeek;
};

/** Who names a company has to see which one was understood. */
const tradedThere = (markets: readonly NamedMarket[], { locale }: Audience): readonly string[] =>
  markets.flatMap(({ instrument }) =>
    instrument ? [hoursMessages(locale).tradedHere({ name: instrumentLabel(instrument, locale) })] : [],
  );

const factsOf = (key: MarketKey, facts: HoursPart['facts'], now: Timestamp): readonly Fact[] =>
  Object.entries(facts).map(([metric, value]) => ({
    entity: key,
    metric,
    value,
    unit: 'text',
    asOf: now.toString(),
    source: `exchange calendar ${calendarFile().asOf}`,
    isSample: false,
  }));

const CHOICES: Readonly<Record<MarketKey, string>> = {
  KRX: 'krx',
  NXT: 'nxt',
  NYSE: 'us',
  fx: 'fx',
  crypto: 'crypto',
};

const unknownMarket = (typed: string, { locale }: Audience): MarketAnswer => {
  const t = hoursMessages(locale);
  return {
    content: t.unknownMarket({ typed: echo(typed) }),
    facts: [],
    found: 0,
    choices: allMarkets().map(({ key }) => ({
      label: t.markets[key],
      command: `/hours ${CHOICES[key]}`,
    })),
  };
};

/** When markets trade: now and next, or on a date. A date past the calendar is not known, and that is said. */
export const hoursAnswer =
  ({ symbols, clock }: HoursDeps): MarketQueries['hours'] =>
  async ({ market, date: typedDate }, audience) => {
    const now = clock.now();
    const markets = market === undefined ? allMarkets() : findMarkets(market, symbols);
    if (markets.length === 0) return unknownMarket(market ?? '', audience);
    const today = now.toZonedDateTimeISO(audience.timeZone).toPlainDate();
    const read =
      typedDate === undefined
        ? undefined
        : readDate(typedDate, today, { looks: 'near', allowsCompact: true })?.value;
    const date = read?.status === 'date' && read.precision === 'day' ? read.first : null;
    if (typedDate !== undefined && !date) {
      const content = hoursMessages(audience.locale).badDate({ typed: echo(typedDate) });
      return { content, facts: [], found: 0 };
    }
    const parts = markets.map((each) => ({ key: each.key, ...partOf(each, date, now, audience) }));
    return {
      content: [
        ...tradedThere(markets, audience),
        ...parts.map(({ lines }) => lines.join('\n')),
        sourceOf(markets, audience),
      ].join('\n\n'),
      facts: parts.flatMap(({ key, facts }) => factsOf(key, facts, now)),
      found: parts.filter(({ isKnown }) => isKnown).length,
    };
  };
