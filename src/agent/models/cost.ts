import type { TokenUsage } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { ModelPricing } from './catalog.ts';

const TOKENS_PER_PRICE = 1_000_000;

/** The whole input of a request, cached or not, which fills the window and determines the price tier. */
export const wholeInputTokens = (usage: TokenUsage): number =>
  usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;

/** An invalid count must not become NaN or a credit, at which no budget would stop. */
const believable = (tokens: number): number => (Number.isFinite(tokens) && tokens > 0 ? tokens : 0);

const ZERO = new Decimal(0);

const product = (tokens: number, price: number, multiplier: number): Decimal => {
  const counted = believable(tokens);
  if (counted === 0) return ZERO;
  const cost = new Decimal(counted).times(price);
  return multiplier === 1 ? cost : cost.times(multiplier);
};

/**
 * The exact cost of one request in US dollars; null if the price is unknown. Never negative. Not for sums of
 * requests, whose price tier is meaningless.
 */
export const calculateEstimatedCost = (usage: TokenUsage, pricing: ModelPricing | null): Decimal | null => {
  if (pricing === null) return null;
  const { inputPerMillion, cacheReadPerMillion, cacheWritePerMillion, outputPerMillion, tier } = pricing;
  const isLong = tier !== undefined && wholeInputTokens(usage) > tier.aboveInputTokens;
  const inputFactor = isLong ? tier.multiplier : 1;
  const outputFactor = isLong ? (tier.outputMultiplier ?? tier.multiplier) : 1;
  return Decimal.sum(
    product(usage.inputTokens, inputPerMillion, inputFactor),
    product(usage.cacheReadTokens, cacheReadPerMillion ?? inputPerMillion, inputFactor),
    product(usage.cacheWriteTokens, cacheWritePerMillion ?? inputPerMillion, inputFactor),
    product(usage.outputTokens, outputPerMillion, outputFactor),
  ).dividedBy(TOKENS_PER_PRICE);
};
