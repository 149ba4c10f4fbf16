import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import type { UserProfile } from '#src/kernel/people/profile.ts';
import { createProfiles } from '#src/people/store/profiles.ts';
import type { TestStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const SLACK = asId<ChannelId>('slack');
const ME = asId<UserId>('U1');

const FULL: UserProfile = {
  riskTolerance: 'moderate',
  preferredMarkets: ['KRX', 'crypto'],
  complianceLevel: 'retail',
  locale: 'ko',
  timeZone: 'Asia/Seoul',
};

/** The part of the contract about what people told about themselves. */
export const describeProfilesContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage, reopen } = await open();
    const clock = new ManualClock();
    const profiles = createProfiles(storage, clock);
    const row = () => storage.db.selectFrom('profiles').selectAll().executeTakeFirstOrThrow();
    const write = (profile: string) =>
      storage.db
        .insertInto('profiles')
        .values({ channel_id: SLACK, user_id: ME, profile, updated_at: '2026-11-13T06:30:00.000Z' })
        .execute();
    return { storage, reopen, clock, profiles, row, write };
  };

  describe(`profiles on ${name}`, () => {
    it('are empty where nothing was set', async () => {
      const { profiles } = await setUp();
      expect(await profiles.get(SLACK, ME)).toStrictEqual({});
    });

    it('are given back as they were set, also after a restart', async () => {
      const { storage, reopen, clock, profiles } = await setUp();
      await profiles.change(SLACK, ME, () => FULL);
      await storage.close();
      const again = createProfiles(await reopen(), clock);
      expect(await again.get(SLACK, ME)).toStrictEqual(FULL);
    });

    it('belong to one person on one platform', async () => {
      const { profiles } = await setUp();
      await profiles.change(SLACK, ME, () => FULL);
      await profiles.change(SLACK, asId<UserId>('U2'), () => ({ locale: 'en' }));
      await profiles.change(asId<ChannelId>('discord'), ME, () => ({ riskTolerance: 'aggressive' }));
      expect(await profiles.get(SLACK, ME)).toStrictEqual(FULL);
      expect(await profiles.get(SLACK, asId<UserId>('U2'))).toStrictEqual({ locale: 'en' });
      expect(await profiles.get(asId<ChannelId>('discord'), asId<UserId>('U2'))).toStrictEqual({});
    });

    it('are replaced as a whole, with when that was', async () => {
      const { clock, profiles, row } = await setUp();
      await profiles.change(SLACK, ME, () => FULL);
      expect((await row()).updated_at).toBe('2026-11-13T06:30:00.000Z');
      await clock.advance(5_000);
      await profiles.change(SLACK, ME, () => ({ locale: 'en' }));
      expect(await profiles.get(SLACK, ME)).toStrictEqual({ locale: 'en' });
      expect((await row()).updated_at).toBe('2026-11-13T06:30:05.000Z');
    });

    it('keep both of two changes that come at once, and nothing where a change is none', async () => {
      const { profiles } = await setUp();
      await Promise.all([
        profiles.change(SLACK, ME, (before) => ({ ...before, locale: 'ko' })),
        profiles.change(SLACK, ME, (before) => ({ ...before, platform: { timeZone: 'Asia/Seoul' } })),
        profiles.change(SLACK, ME, () => undefined),
      ]);
      expect(await profiles.get(SLACK, ME)).toStrictEqual({
        locale: 'ko',
        platform: { timeZone: 'Asia/Seoul' },
      });
    });

    it.each([
      ['no JSON', '{"locale":'],
      ['a list', '["ko"]'],
      ['nothing', 'null'],
      ['a number', '7'],
      ['fields of another version', '{"mood":"good","riskTolerance":3,"locale":"fr","timeZone":"Mars/Base"}'],
    ])('are empty where %s stands', async (_what, stored) => {
      const { profiles, write } = await setUp();
      await write(stored);
      expect(await profiles.get(SLACK, ME)).toStrictEqual({});
    });

    it('keep what fits when the rest does not', async () => {
      const { profiles, write } = await setUp();
      const stored = { ...FULL, riskTolerance: 'yolo', preferredMarkets: ['KRX', 'moon', 7], timeZone: null };
      await write(JSON.stringify(stored));
      expect(await profiles.get(SLACK, ME)).toStrictEqual({
        preferredMarkets: ['KRX'],
        complianceLevel: 'retail',
        locale: 'ko',
      });
    });
  });
};
