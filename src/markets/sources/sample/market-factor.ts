import type { AssetClass } from '#src/kernel/market/finance.ts';
import { bell, createRandom } from './random.ts';

/** How a series goes with its market: `share` is its correlation with what the whole market does on a day. */
interface Loading {
  readonly market: string;
  readonly share: number;
}

const ALONE: Loading = { market: '', share: 0 };
/** Bonds and the index of the dollar. */
const OTHERS: ReadonlySet<string> = new Set(['TLT', 'IEF', 'SHY', 'BND', 'DX-Y.NYB']);
/** Coins and funds that are as steady as cash. */
const STEADY = 0.01;
const VIX: Loading = { market: 'us', share: -0.75 };
const INDEX_SHARE = 0.93;
/** The least, and what some have more. */
const OF_SHARES = { least: 0.55, more: 0.25 };
const OF_COINS = { least: 0.8, more: 0.12 };
/** The part of a market's moves that all markets have in common. */
const WORLD = 0.6;

const KOREAN = /^\^K[SQ]|\.K[SQ]$/;
const US_INDEX = /^\^(?:GSPC|NDX|RUT|DJI|IXIC|SOX|NYA)$/;
/** A foreign index or share, as `^N225` and `7203.T`. */
const FOREIGN = /^\^|\.[A-Z]{1,3}$/;

const marketOf = (seed: string, assetClass: AssetClass): string => {
  if (assetClass === 'crypto') return 'coins';
  if (KOREAN.test(seed)) return 'korea';
  return US_INDEX.test(seed) || !FOREIGN.test(seed) ? 'us' : seed;
};

/** Of a seed, so that what moves with it has the same one. Currencies, futures and rates go their own ways. */
export const loadingOf = (seed: string, assetClass: AssetClass, annualVolatility: number): Loading => {
  if (seed === '^VIX') return VIX;
  if (assetClass === 'rate' || seed.includes('=') || OTHERS.has(seed)) return ALONE;
  if (Math.abs(annualVolatility) < STEADY) return ALONE;
  const { least, more } = assetClass === 'crypto' ? OF_COINS : OF_SHARES;
  return {
    market: marketOf(seed, assetClass),
    share: seed.startsWith('^') ? INDEX_SHARE : least + more * createRandom(`${seed} share`)(),
  };
};

const moveOf = (name: string, date: Temporal.PlainDate): number =>
  bell(createRandom(`${name} common ${date.toString()}`));

/** The move of a day, of which `own` is the part that only this series makes. As wide as `own` is. */
export const sharedMove = ({ market, share }: Loading, date: Temporal.PlainDate, own: number): number => {
  if (share === 0) return own;
  const common = WORLD * moveOf('world', date) + Math.sqrt(1 - WORLD ** 2) * moveOf(market, date);
  return share * common + Math.sqrt(1 - share ** 2) * own;
};
