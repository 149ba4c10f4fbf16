import type { MarketAnswer } from '#src/kernel/market-queries.ts';

/** One clear sentence why not, and what to do; nothing was stored. */
export const refusedAnswer = (content: string): MarketAnswer => ({ content, facts: [], found: 0 });
