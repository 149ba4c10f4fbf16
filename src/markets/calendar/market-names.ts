import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import { exchangeCalendar, type TradingPlace, tradingPlaceOf } from './calendar.ts';

/** What is shown where no market is named, in order. */
const USUAL_KEYS = ['KRX', 'NXT', 'NYSE', 'fx', 'crypto'] as const;
/** Every market with hours. */
const MARKET_KEYS = [...USUAL_KEYS, 'TSE', 'HKEX', 'LSE'] as const;
export type MarketKey = (typeof MARKET_KEYS)[number];

const words = (text: string): readonly string[] => text.split(' ');

/** Names people use, normalized by `keyOf`. */
const NAMES: Readonly<Record<MarketKey, readonly string[]>> = {
  KRX: words('krx kr korea korean seoul kospi kosdaq konex 한국 국내 국장 코스피 코스닥 코넥스 서울'),
  NXT: words('nxt nextrade nextrademarket ats 넥스트레이드 넥스트 대체거래소 대체 프리마켓 애프터마켓'),
  NYSE: words(
    'nyse nasdaq us usa u.s. america american newyork wallstreet dow s&p s&p500 amex 미국 미장 뉴욕 나스닥 다우 월가 월스트리트',
  ),
  TSE: words('tse tokyo japan japanese jpx nikkei nikkei225 도쿄 일본 닛케이'),
  HKEX: words('hkex hk hongkong hangseng 홍콩 항셍'),
  LSE: words('lse london uk britain british england ftse ftse100 런던 영국'),
  fx: words('fx forex currency currencies 외환 환율 통화'),
  crypto: words(
    'crypto cryptocurrency cryptocurrencies coin coins upbit 코인 암호화폐 가상화폐 가상자산 업비트',
  ),
};

const BY_NAME: ReadonlyMap<string, MarketKey> = new Map(
  MARKET_KEYS.flatMap((key) => NAMES[key].map((name) => [name, key] as const)),
);

/** Generic words around a market name: `미국 증시`, `the korean stock market`. */
const KIND_WORDS =
  /^the|(?:주식|증권)?(?:시장|증시|거래소|마켓)$|(?:stocks?)?(?:markets?|exchange)$|stocks?$/g;

const keyOf = (typed: string): string => typed.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '');

const placeOfKey = (key: MarketKey): TradingPlace | null => {
  if (key === 'fx' || key === 'crypto') return { kind: key };
  const data = exchangeCalendar(key);
  return data ? { kind: 'exchange', data } : null;
};

const keyOfInstrument = (instrument: Instrument): MarketKey | null => {
  // Yields follow bond market hours, not those of shares.
  const place = instrument.assetClass === 'rate' ? null : tradingPlaceOf(instrument);
  if (!place) return null;
  return place.kind === 'exchange'
    ? (MARKET_KEYS.find((key) => key === place.data.market) ?? null)
    : place.kind;
};

export interface NamedMarket {
  readonly key: MarketKey;
  readonly place: TradingPlace;
  /** The instrument that was named, if it led to this market. */
  readonly instrument?: Instrument;
}

const marketOfKey = (key: MarketKey): readonly NamedMarket[] => {
  const place = placeOfKey(key);
  return place ? [{ key, place }] : [];
};

export const allMarkets = (): readonly NamedMarket[] => USUAL_KEYS.flatMap(marketOfKey);

/** Korean shares also trade on Nextrade before KRX opens and after it closes; funds do not. */
const alsoTradedOn = (key: MarketKey, { assetClass }: Instrument): readonly NamedMarket[] =>
  key === 'KRX' && assetClass === 'equity' ? marketOfKey('NXT') : [];

/** The markets a person names, directly or by an instrument traded there. Empty if there is no calendar. */
export const findMarkets = (
  typed: string,
  symbols: Pick<SymbolSearch, 'resolve'>,
): readonly NamedMarket[] => {
  const name = keyOf(typed);
  const exchange = exchangeCalendar(typed)?.market;
  const key =
    BY_NAME.get(name) ??
    BY_NAME.get(name.replaceAll(KIND_WORDS, '')) ??
    MARKET_KEYS.find((each) => each === exchange);
  if (key) return marketOfKey(key);
  const match = symbols.resolve(typed);
  if (match.status !== 'found') return [];
  const { instrument } = match;
  const traded = keyOfInstrument(instrument);
  if (!traded) return [];
  const home = marketOfKey(traded).map((market) => ({ ...market, instrument }));
  return [...home, ...alsoTradedOn(traded, instrument)];
};
