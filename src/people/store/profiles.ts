import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { PersonRef } from '#src/kernel/ids.ts';
import {
  COMPLIANCE_LEVELS,
  PROFILE_MARKETS,
  type Profiles,
  RISK_TOLERANCES,
  type UserProfile,
} from '#src/kernel/people/profile.ts';
import { isTimeZone } from '#src/kernel/time.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import { decodeFields } from '#src/platform/storage/decode-fields.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { prepared } from '#src/platform/storage/prepared.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

const market = z.enum(PROFILE_MARKETS);

const FIELDS = {
  riskTolerance: z.enum(RISK_TOLERANCES),
  preferredMarkets: z
    .array(z.unknown())
    .transform((markets) => markets.flatMap((name) => market.safeParse(name).data ?? [])),
  complianceLevel: z.enum(COMPLIANCE_LEVELS),
  locale: z.enum(['ko', 'en']),
  timeZone: z.string().refine(isTimeZone),
  platform: z
    .object({ timeZone: z.string().refine(isTimeZone), languageTag: z.string().max(35) })
    .partial()
    .transform(({ timeZone, languageTag }) => ({
      ...(timeZone !== undefined && { timeZone }),
      ...(languageTag !== undefined && { languageTag }),
    })),
} satisfies { readonly [Field in keyof UserProfile]-?: z.ZodType<UserProfile[Field]> };

const MAX_DECODED = 500;

const GET = prepared<PersonRef>()((db, value) =>
  db
    .selectFrom('profiles')
    .select('profile')
    .where('channel_id', '=', value('channelId'))
    .where('user_id', '=', value('userId')),
);

/** The settings of `/profile` on one platform. They are not part of any conversation. */
export const createProfiles = ({ db, write }: Pick<Storage, 'db' | 'write'>, clock: Clock): Profiles => {
  /** By their stored text. Every message needs the profile of its sender, and most people have the same few settings. */
  const decoded = new LRUCache<string, UserProfile>({ max: MAX_DECODED });
  const decode = (text: string): UserProfile => {
    const known = decoded.get(text);
    if (known) return known;
    const profile = decodeFields(FIELDS, text);
    decoded.set(text, profile);
    return profile;
  };

  const get: Profiles['get'] = async (channelId, userId) => {
    const row = await GET.first(db, { channelId, userId });
    return row ? decode(row.profile) : {};
  };

  /** A change reads and writes the whole profile, so two at once would undo each other. */
  const changes = new SerialQueue();

  return {
    get,
    change: (channelId, userId, change) =>
      changes.run(`${channelId}\0${userId}`, async () => {
        const profile = change(await get(channelId, userId));
        if (!profile) return undefined;
        const written = { profile: JSON.stringify(profile), updated_at: toStoredTime(clock.now()) };
        await write((tx) =>
          tx
            .insertInto('profiles')
            .values({ channel_id: channelId, user_id: userId, ...written })
            .onConflict((conflict) => conflict.columns(['channel_id', 'user_id']).doUpdateSet(written))
            .execute(),
        );
        return profile;
      }),
  };
};
