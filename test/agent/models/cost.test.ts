import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelPricing } from '#src/agent/models/catalog.ts';
import { BUILT_IN_MODELS } from '#src/agent/models/catalog-data.ts';
import { calculateEstimatedCost, wholeInputTokens } from '#src/agent/models/cost.ts';
import { NO_USAGE, type TokenUsage } from '#src/kernel/agent/model.ts';
import type { Decimal } from '#src/kernel/money.ts';

const FLAT: ModelPricing = {
  inputPerMillion: 4,
  outputPerMillion: 20,
  cacheReadPerMillion: 0.2,
  cacheWritePerMillion: 5,
};
const TIERED: ModelPricing = {
  ...FLAT,
  tier: { aboveInputTokens: 1_000, multiplier: 3, outputMultiplier: 1.5 },
};

const usageOf = (usage: Partial<TokenUsage>): TokenUsage => ({ ...NO_USAGE, ...usage });

/** As text: a wrong digit anywhere shows. */
const cost = (usage: Partial<TokenUsage>, pricing: ModelPricing): string | undefined =>
  calculateEstimatedCost(usageOf(usage), pricing)?.toFixed();

const exact = (usage: TokenUsage, pricing: ModelPricing): Decimal => {
  const usd = calculateEstimatedCost(usage, pricing);
  if (usd === null) throw new Error('a price that is known gives a cost');
  return usd;
};

const tokens = fc.nat({ max: 10_000_000 });
const usageArbitrary: fc.Arbitrary<TokenUsage> = fc.record({
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
});
const pricingArbitrary = fc.constantFrom(...BUILT_IN_MODELS.map(({ pricing }) => pricing ?? FLAT));

const plus = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
});

describe('calculateEstimatedCost', () => {
  it('is unknown, not zero, where the price is unknown', () => {
    expect(calculateEstimatedCost(usageOf({ inputTokens: 1 }), null)).toBeNull();
    expect(calculateEstimatedCost(NO_USAGE, null)).toBeNull();
  });

  it.each([
    [{ inputTokens: 1_000_000 }, '4'],
    [{ outputTokens: 1_000_000 }, '20'],
    [{ cacheReadTokens: 1_000_000 }, '0.2'],
    [{ cacheWriteTokens: 1_000_000 }, '5'],
    [{ inputTokens: 100, outputTokens: 50, cacheReadTokens: 10_000, cacheWriteTokens: 7 }, '0.003435'],
    [{}, '0'],
  ])('charges for %o $%s', (usage, usd) => {
    expect(cost(usage, FLAT)).toBe(usd);
  });

  it('is exact where floating point is not', () => {
    const pricing = { inputPerMillion: 0.1, outputPerMillion: 0.7 };
    // As floats: (3 * 0.1 + 1 * 0.7) / 1e6 is 0.0000010000000000000002, and so on.
    expect(cost({ inputTokens: 3, outputTokens: 1 }, pricing)).toBe('0.000001');
    expect(cost({ inputTokens: 1_234_567, outputTokens: 7_654_321 }, pricing)).toBe('5.4814814');
  });

  it('charges cached tokens without a price of their own as input', () => {
    const pricing = { inputPerMillion: 2, outputPerMillion: 8 };
    expect(cost({ cacheReadTokens: 500_000 }, pricing)).toBe('1');
    expect(cost({ cacheWriteTokens: 500_000 }, pricing)).toBe('1');
  });

  it('keeps a cache price of zero: free is not the same as unknown', () => {
    const pricing = { ...FLAT, cacheReadPerMillion: 0, cacheWritePerMillion: 0 };
    expect(cost({ cacheReadTokens: 1_000_000, cacheWriteTokens: 1_000_000 }, pricing)).toBe('0');
  });

  it('charges a request at the line of the tier as usual and one token above it all at the tier', () => {
    expect(cost({ inputTokens: 1_000, outputTokens: 1_000 }, TIERED)).toBe('0.024');
    expect(cost({ inputTokens: 1_001, outputTokens: 1_000 }, TIERED)).toBe('0.042012');
  });

  it.each([
    [{ inputTokens: 1, cacheReadTokens: 1_000 }, '0.000612'],
    [{ inputTokens: 1, cacheWriteTokens: 1_000 }, '0.015012'],
    [{ inputTokens: 400, cacheReadTokens: 400, cacheWriteTokens: 400 }, '0.01104'],
  ])('counts cached tokens towards the tier and charges them at it: %o is $%s', (usage, usd) => {
    expect(cost(usage, TIERED)).toBe(usd);
  });

  it('does not count output towards the tier', () => {
    expect(cost({ inputTokens: 1_000, outputTokens: 1_000_000 }, TIERED)).toBe('20.004');
  });

  it('raises the output like the input where the tier says nothing else', () => {
    const pricing = { ...FLAT, tier: { aboveInputTokens: 1_000, multiplier: 5 } };
    expect(cost({ inputTokens: 2_000, outputTokens: 1_000 }, pricing)).toBe('0.14');
  });

  it('is never negative and always finite, whatever is counted', () => {
    const odd = fc.oneof(tokens, fc.integer(), fc.constantFrom(NaN, Infinity, -Infinity));
    const oddUsage = fc.record({
      inputTokens: odd,
      outputTokens: odd,
      cacheReadTokens: odd,
      cacheWriteTokens: odd,
    });
    fc.assert(
      fc.property(oddUsage, pricingArbitrary, (usage, pricing) => {
        const usd = exact(usage, pricing);
        expect(usd.isFinite()).toBe(true);
        expect(usd.isNegative() && !usd.isZero()).toBe(false);
      }),
    );
  });

  it('adds up: two requests cost as much as one of both, as long as no tier is crossed', () => {
    fc.assert(
      fc.property(usageArbitrary, usageArbitrary, pricingArbitrary, (a, b, { tier: _tier, ...pricing }) => {
        const together = exact(plus(a, b), pricing);
        expect(together.toFixed()).toBe(exact(a, pricing).plus(exact(b, pricing)).toFixed());
      }),
    );
  });

  it('never costs less for more tokens, across tiers too', () => {
    fc.assert(
      fc.property(usageArbitrary, usageArbitrary, pricingArbitrary, (a, b, pricing) => {
        expect(exact(plus(a, b), pricing).gte(exact(a, pricing))).toBe(true);
      }),
    );
  });
});

describe('wholeInputTokens', () => {
  it('is all that was sent, and nothing that came back', () => {
    const usage = { inputTokens: 1, outputTokens: 1_000, cacheReadTokens: 20, cacheWriteTokens: 300 };
    expect(wholeInputTokens(usage)).toBe(321);
  });
});
