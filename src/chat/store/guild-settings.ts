import { z } from 'zod';
import { LIVE_MODES } from '#src/kernel/chat/live-answer.ts';
import type { GuildSetting, GuildSettings } from '#src/kernel/chat/guild-settings.ts';
import { asId, type ChannelId, type ChatId } from '#src/kernel/ids.ts';
import { QUEUE_MODES } from '#src/kernel/chat/queue.ts';
import { isTimeZone } from '#src/kernel/time.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { decodeFields } from '#src/platform/storage/decode-fields.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import type { SharedSettings } from '#src/platform/storage/shared-settings.ts';

const FIELDS = {
  locale: z.enum(['auto', 'ko', 'en']),
  // An empty list would silence the bot, so nobody can have chosen it.
  allowedChats: z.array(z.string().transform((id) => asId<ChatId>(id))).min(1),
  allowedRoles: z.array(z.string()).min(1),
  live: z.enum(LIVE_MODES),
  queueMode: z.enum(QUEUE_MODES),
  timeZone: z.string().refine(isTimeZone),
} satisfies { readonly [Field in keyof GuildSetting]-?: z.ZodType<GuildSetting[Field]> };

const keyOf = (channelId: ChannelId, guildId: string): string => `${channelId}\0${guildId}`;

/** Settings of servers and workspaces, kept in memory because every message needs them. */
export const createGuildSettings = async (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Clock,
  shared?: SharedSettings,
): Promise<GuildSettings> => {
  const read = async (): Promise<Map<string, GuildSetting>> => {
    const rows = await db
      .selectFrom('guild_settings')
      .select(['channel_id', 'guild_id', 'settings'])
      .execute();
    return new Map(
      rows.map((row) => [
        keyOf(asId<ChannelId>(row.channel_id), row.guild_id),
        decodeFields(FIELDS, row.settings),
      ]),
    );
  };
  let settings = await read();
  const of: GuildSettings['of'] = (channelId, guildId) =>
    (guildId === undefined ? undefined : settings.get(keyOf(channelId, guildId))) ?? {};

  let revision = 0;
  shared?.onChanged(async () => {
    settings = await read();
    revision += 1;
  });
  /** A change writes all settings of a guild, so two at once would undo each other. */
  const changes = new SerialQueue();

  return {
    of,
    revision: () => revision,
    change: (channelId, guildId, change, by) =>
      changes.run(keyOf(channelId, guildId), async () => {
        const merged = Object.entries({ ...of(channelId, guildId), ...change });
        const changed: GuildSetting = Object.fromEntries(merged.filter(([, value]) => value !== null));
        const row = {
          settings: JSON.stringify(changed),
          updated_by: by,
          updated_at: toStoredTime(clock.now()),
        };
        await write(async (tx) => {
          await tx
            .insertInto('guild_settings')
            .values({ channel_id: channelId, guild_id: guildId, ...row })
            .onConflict((conflict) => conflict.columns(['channel_id', 'guild_id']).doUpdateSet(row))
            .execute();
        });
        settings.set(keyOf(channelId, guildId), changed);
        revision += 1;
        await shared?.changed();
        return changed;
      }),
  };
};
