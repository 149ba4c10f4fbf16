import { describe, expect, it, onTestFinished } from 'vitest';
import type { OpenedMarkets } from '#src/features/open/open-markets.ts';
import { createAccountFeatures } from '#src/features/open/account-features.ts';
import { createAccountStores } from '#src/features/open/account-stores.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { ME, newAlert } from '#test/features/alerts/alerts-fixture.ts';
import { recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { personalDepsOn } from '#test/support/personal-deps.ts';
import { symbols } from '#test/support/sample-market.ts';

const MINUTE_MS = 60_000;

describe('a bot with nothing to watch', () => {
  it('loads nothing, and begins within minutes where another process on its database set an alert', async () => {
    const { storage } = await sqliteStorage();
    const clock = new ManualClock();
    const state = { opened: 0 };
    const personal = createAccountFeatures({
      ...personalDepsOn(storage, clock),
      openMarkets: async () => {
        state.opened += 1;
        return { market: {}, charts: {} } as OpenedMarkets;
      },
      symbols,
      files: createSentFiles({ dataDir: temporaryDir(), clock }),
      clock,
      logger: recordingLogger().logger,
    });
    onTestFinished(personal.stop);
    await personal.start();
    await clock.advance(60 * MINUTE_MS);
    expect(state.opened).toBe(0);
    await createAccountStores(storage, clock).alerts.add(newAlert(), ME, 'r1', 5);
    await clock.advance(6 * MINUTE_MS);
    expect(state.opened).toBe(1);
    await personal.stop();
    expect(clock.pendingTimers).toBe(0);
  });
});
