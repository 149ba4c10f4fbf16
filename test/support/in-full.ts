import type { MarketAnswer } from '#src/kernel/chat/answer.ts';

/** An answer as models read it, with what the short text leaves out. */
export const inFull = async (asked: Promise<MarketAnswer>): Promise<MarketAnswer> => {
  const { details, ...answer } = await asked;
  return { ...answer, content: details ?? answer.content };
};
