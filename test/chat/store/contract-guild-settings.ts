import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import { createGuildSettings } from '#src/chat/store/guild-settings.ts';
import type { TestStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const SLACK = asId<ChannelId>('slack');
const DISCORD = asId<ChannelId>('discord');
const MINA = asId<UserId>('mina');
const HERE = asId<ChatId>('C1');

/** The part of the contract about what servers and workspaces chose. */
export const describeGuildSettingsContract = (name: string, open: () => Promise<TestStorage>): void => {
  describe(`guild settings on ${name}`, () => {
    it('are kept over a restart, each for its own guild, and say who chose them', async () => {
      const { storage, reopen } = await open();
      const clock = new ManualClock();
      const settings = await createGuildSettings(storage, clock);
      expect(settings.of(SLACK, 'T1')).toEqual({});
      // Both at once: neither may undo the other.
      await Promise.all([
        settings.change(SLACK, 'T1', { locale: 'ko', live: 'off' }, MINA),
        settings.change(SLACK, 'T1', { allowedChats: [HERE] }, MINA),
      ]);
      await settings.change(DISCORD, 'T1', { queueMode: 'steer' }, MINA);
      const chosen = await settings.change(SLACK, 'T1', { live: null }, asId<UserId>('jun'));
      expect(chosen).toEqual({ locale: 'ko', allowedChats: [HERE] });
      const row = await storage.db
        .selectFrom('guild_settings')
        .selectAll()
        .where('channel_id', '=', SLACK)
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({ updated_by: 'jun', updated_at: '2026-11-13T06:30:00.000Z' });
      await storage.close();
      const again = await createGuildSettings(await reopen(), clock);
      expect([
        again.of(SLACK, 'T1'),
        again.of(DISCORD, 'T1'),
        again.of(SLACK, 'T2'),
        again.of(SLACK, undefined),
      ]).toEqual([chosen, { queueMode: 'steer' }, {}, {}]);
    });

    it('leave out what does not fit, and keep the rest', async () => {
      const { storage } = await open();
      const write = (guild_id: string, settings: string) =>
        storage.db
          .insertInto('guild_settings')
          .values({
            channel_id: SLACK,
            guild_id,
            settings,
            updated_by: 'x',
            updated_at: '2026-11-13T06:30:00.000Z',
          })
          .execute();
      await write('T1', '{"locale":"fr","live":"loud","allowedChats":[],"queueMode":"steer","mood":1}');
      await write('T2', '{"locale":');
      const settings = await createGuildSettings(storage, new ManualClock());
      expect([settings.of(SLACK, 'T1'), settings.of(SLACK, 'T2')]).toEqual([{ queueMode: 'steer' }, {}]);
    });

    it('stay as they were where they could not be stored', async () => {
      const { storage } = await open();
      const broken = { db: storage.db, write: () => Promise.reject(new Error('disk full')) };
      const settings = await createGuildSettings(broken, new ManualClock());
      await expect(settings.change(SLACK, 'T1', { live: 'off' }, MINA)).rejects.toThrow('disk full');
      expect(settings.of(SLACK, 'T1')).toEqual({});
    });
  });
};
