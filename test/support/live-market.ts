import { onTestFinished } from 'vitest';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { type FakeUpbit, startFakeUpbit } from '#test/fakes/upbit/server.ts';
import type { YahooEndpoint, YahooFault } from '#test/fakes/yahoo/faults.ts';
import { type FakeYahoo, startFakeYahoo } from '#test/fakes/yahoo/server.ts';

/** The sources on loopback, and what the program has to be told to ask them and nobody else. */
export interface LiveMarket {
  readonly yahoo: FakeYahoo;
  readonly upbit: FakeUpbit;
  readonly env: NodeJS.ProcessEnv;
  /** Every connection to Yahoo and to Upbit breaks, until they are back. */
  readonly goDown: () => void;
  readonly comeBack: () => void;
  readonly close: () => Promise<void>;
}

const ENDPOINTS: readonly YahooEndpoint[] = ['cookie', 'crumb', 'quote', 'chart', 'search', 'quoteSummary'];

/** Markets of the moment that the clock tells. Whoever opens them closes them. */
export const openLiveMarket = async (clock?: Pick<Clock, 'now'>): Promise<LiveMarket> => {
  const [yahoo, upbit] = await Promise.all([
    startFakeYahoo(clock && { now: clock.now }),
    // Its limit of requests counts by this clock, and a clock of a test may stand still.
    startFakeUpbit({ limit: 1_000, ...(clock && { now: () => clock.now().epochMilliseconds }) }),
  ]);
  const everywhere = (fault: YahooFault | null): void => {
    for (const endpoint of ENDPOINTS) yahoo.failAlways(endpoint, fault);
  };
  return {
    yahoo,
    upbit,
    env: { FINCLAW_MARKET: 'yahoo', FINCLAW_YAHOO_URL: yahoo.url, FINCLAW_UPBIT_URL: upbit.url },
    goDown: () => {
      everywhere({ kind: 'drop' });
      upbit.fail('500');
    },
    comeBack: () => {
      everywhere(null);
      upbit.fail(undefined);
    },
    close: async () => {
      await Promise.all([yahoo.stop(), upbit.close()]);
    },
  };
};

/** The same for one test, with which it ends. */
export const startLiveMarket = async (clock?: Pick<Clock, 'now'>): Promise<LiveMarket> => {
  const market = await openLiveMarket(clock);
  onTestFinished(market.close);
  return market;
};
