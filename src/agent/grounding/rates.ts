import type { MetricId } from '#src/kernel/fact-metrics.ts';
import { isAsciiLetter } from '#src/language/characters.ts';
import type { EvidenceFact } from './fact-index.ts';

/** What one unit of a currency or a coin costs, and by how much that changed. */
const PRICES: ReadonlySet<MetricId> = new Set<MetricId>([
  'exchangeRate',
  'price',
  'close',
  'previousClose',
  'change',
]);

const PAIR = /^(?<priced>[A-Z]{3})\/?[A-Z]{3}(?:=X)?$/u;
/** `KRW-BTC`, `BTC-USD`. */
const COIN = /^(?:KRW-(?<local>[A-Z]{2,6})|(?<abroad>[A-Z]{2,6})-USD)$/u;
/** Both forms start with two capitals, which the codes of Korean companies do not. */
const isLetterAt = (entity: string, at: number): boolean => isAsciiLetter(entity.charCodeAt(at));

/** The price of a currency. */
export const isRateFact = ({ metric, entity }: EvidenceFact): boolean =>
  metric === 'exchangeRate' || (isLetterAt(entity, 1) && PAIR.test(entity));

/** The currency or the coin of which the fact is the price. */
export const pricedBy = ({ metric, entity, kind }: EvidenceFact): string | undefined => {
  if (kind !== 'money' || !PRICES.has(metric) || !isLetterAt(entity, 1)) return undefined;
  const { local, abroad } = COIN.exec(entity)?.groups ?? {};
  return local ?? abroad ?? PAIR.exec(entity)?.groups?.['priced'];
};
