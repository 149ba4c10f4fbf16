import type { Clock } from '#src/infra/clock.ts';
import { Cache } from '../cache.ts';
import { marketError } from '../errors.ts';
import type { UpbitClient } from './client.ts';
import { SOURCE_NAME } from './mapper.ts';
import { marketsSchema } from './schema.ts';

const DAY_MS = 86_400_000;
const KEY = 'all';

/**
 * Which markets there are, asked for once a day. One that does not exist makes the answer to a whole request for
 * prices 404: nobody may be asked for it.
 */
export const createMarkets = (client: UpbitClient, clock: Clock) => {
  const known = new Cache<ReadonlySet<string>>({ clock, maxEntries: 1 });

  const refresh = async (signal: AbortSignal): Promise<ReadonlySet<string>> => {
    const parsed = marketsSchema.safeParse(await client.get('/v1/market/all', {}, signal));
    if (!parsed.success)
      throw marketError('MARKET_BAD_DATA', `${SOURCE_NAME} answered an odd list of markets`, {
        cause: parsed.error,
      });
    const names = new Set(parsed.data.map(({ market }) => market));
    known.set(KEY, names, DAY_MS);
    return names;
  };

  return {
    refresh,
    current: async (signal: AbortSignal): Promise<ReadonlySet<string>> => known.get(KEY) ?? refresh(signal),
  };
};
