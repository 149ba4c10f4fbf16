import { z } from 'zod';

const price = z.number().min(0).max(100_000);

/** The prices of a model in US dollars for a million tokens, as an operator or a plugin writes them. */
export const MODEL_PRICES = z.strictObject({
  inputPerMillion: price,
  outputPerMillion: price,
  cacheReadPerMillion: price.optional(),
  cacheWritePerMillion: price.optional(),
});
