import type { MetricId } from '#src/kernel/fact-metrics.ts';
import { isAsciiLetter } from '#src/language/characters.ts';
import { isCoinCode } from '#src/language/currencies.ts';
import type { EvidenceFact } from './fact-index.ts';
import type { Figure } from './figures.ts';

/** What one unit of a currency or a coin costs, and by how much that changed. */
const PRICES: ReadonlySet<MetricId> = new Set<MetricId>([
  'exchangeRate',
  'price',
  'close',
  'previousClose',
  'change',
]);

const PAIR = /^(?<priced>[A-Z]{3})\/?(?<payer>[A-Z]{3})(?:=X)?$/u;
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

/** `0.1 BTC`: an amount of a coin. Of one coin, the amount is the price. */
export const isOfCoin = ({ currency, value }: Figure): boolean =>
  currency !== undefined && value !== 1 && isCoinCode(currency);

/** Words of the rate itself, which moves the other way than the currency that pays. */
export const RATE_NAMED = /환율|달러|유로|엔|\brates?\b|dollar|euro|yen|\//iu;

/** The names of currencies as those that rise and fall: `원화가`, `the won`, but not `against the won`. */
const AS_SUBJECT: Readonly<Record<string, RegExp>> = {
  KRW: /원화(?:가|는|도|의|\s가치)|(?<!(?:against|versus|vs|per|to)\s(?:the\s)?)\bwon\b/iu,
  USD: /달러화?(?:가|는|도|의\s?가치|\s가치)|(?<!(?:against|versus|vs|per|to)\s(?:the\s)?)\b(?:dollar|greenback)\b/iu,
  JPY: /엔화(?:가|는|도|의|\s가치)|(?<!(?:against|versus|vs|per|to)\s(?:the\s)?)\byen\b/iu,
  EUR: /유로화?(?:가|는|도|의\s?가치|\s가치)|(?<!(?:against|versus|vs|per|to)\s(?:the\s)?)\beuro\b/iu,
};

/** Whether words speak of the currency in which the fact gives the price: it falls where the rate rises. */
export const isOfPayer = ({ entity }: EvidenceFact, words: string): boolean => {
  const { payer, priced } = (isLetterAt(entity, 1) && PAIR.exec(entity)?.groups) || {};
  return (
    payer !== undefined &&
    priced !== undefined &&
    AS_SUBJECT[payer]?.test(words) === true &&
    AS_SUBJECT[priced]?.test(words) !== true
  );
};
