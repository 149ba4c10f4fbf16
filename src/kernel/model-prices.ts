import { z } from 'zod';

const price = z.number().min(0).max(100_000);

/** The prices of a model in US dollars for a million tokens, as an operator or a plugin writes them. */
export const MODEL_PRICES = z.strictObject({
  inputPerMillion: price.describe('US dollars per million input tokens.'),
  outputPerMillion: price.describe('US dollars per million output tokens.'),
  cacheReadPerMillion: price.optional().describe('US dollars per million tokens read from the cache.'),
  cacheWritePerMillion: price.optional().describe('US dollars per million tokens written to the cache.'),
});
