import type { Quote } from '#src/kernel/finance.ts';
import { marketMessages } from '#src/markets/answers/market-messages.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { formatPercent } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { writeMoment } from '#src/kernel/moment.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { formatPrice } from '#src/markets/answers/quote-text.ts';

const WON = 'BTC-KRW';
const DOLLAR = 'BTC-USD';
const RATE = 'USDKRW=X';

/** What has to be known for it. */
export const KIMCHI_SYMBOLS: readonly string[] = [WON, DOLLAR, RATE];

interface Premium {
  readonly text: string;
  /** Itself, and the prices it is made of. */
  readonly facts: readonly Fact[];
}

/**
 * How much more bitcoin costs in Korea than elsewhere. Undefined where a price is missing or old, and where both
 * are of one source: such a won price is the dollar price converted, and a premium on it says nothing.
 */
export const kimchiPremium = (
  quotes: readonly Quote[],
  { locale, timeZone }: Audience,
): Premium | undefined => {
  const of = (symbol: string): Quote | undefined =>
    quotes.find(({ instrument }) => instrument.symbol === symbol);
  const [won, dollar, rate] = [of(WON), of(DOLLAR), of(RATE)];
  if (!won || !dollar || !rate || won.source === dollar.source) return undefined;
  const used = [won, dollar, rate];
  const converted = dollar.price.times(rate.price);
  if (used.some(({ isStale, isSample }) => isStale || isSample) || converted.isZero()) return undefined;

  const premium = won.price.dividedBy(converted).minus(1);
  const [oldest = won] = used.toSorted((a, b) => Temporal.Instant.compare(a.asOf, b.asOf));
  const price = ({ price: value, instrument }: Quote): string => formatPrice(value, instrument, locale);
  return {
    text: marketMessages(locale).overview.premium({
      percent: formatPercent(premium, locale),
      krw: `${price(won)} (${won.source})`,
      usd: `${price(dollar)} (${dollar.source})`,
      rate: `${price(rate)} (${rate.source})`,
      rateAsOf: writeMoment(rate.asOf, timeZone),
    }),
    facts: [
      {
        entity: 'BTC',
        metric: 'kimchiPremium',
        value: premium.times(100).toFixed(2),
        unit: '%',
        asOf: oldest.asOf.toString(),
        source: [...new Set(used.map(({ source }) => source))].join(', '),
        isSample: false,
      },
      ...used.flatMap(quoteFacts).filter(({ metric }) => metric === 'price'),
    ],
  };
};
