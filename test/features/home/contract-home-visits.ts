import { describe, expect, it } from 'vitest';
import { createHomeVisits } from '#src/features/home/store.ts';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import type { TestStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const ME = { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('U1') };
const DAY_MS = 24 * 3_600_000;

/** The part of the contract about who has opened their page. */
export const describeHomeVisitsContract = (name: string, open: () => Promise<TestStorage>): void => {
  describe(`home visits on ${name}`, () => {
    it('are known for 90 days after the last one, with what the page shows', async () => {
      const { storage } = await open();
      const clock = new ManualClock();
      const visits = createHomeVisits(storage, clock);
      await visits.written(ME, 'v0');
      expect(await visits.find(ME)).toBeUndefined();
      await visits.opened(ME);
      expect(await visits.find(ME)).toEqual({});
      await visits.written(ME, 'v1');
      const writtenAt = clock.now();
      expect(await visits.find(ME)).toEqual({ version: 'v1', writtenAt });
      expect(await visits.find({ ...ME, userId: asId<UserId>('U2') })).toBeUndefined();
      await clock.advance(60 * DAY_MS);
      await visits.opened(ME);
      await clock.advance(89 * DAY_MS);
      expect(await visits.find(ME)).toEqual({ version: 'v1', writtenAt });
      await clock.advance(2 * DAY_MS);
      expect(await visits.find(ME)).toBeUndefined();
    });
  });
};
