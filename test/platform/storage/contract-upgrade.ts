import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import { type AccountId, asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import { sharedChatOf } from '#src/kernel/account-services.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { RELEASED_MIGRATIONS } from '#src/platform/storage/migrations/index.ts';
import { createOwnerStore, ownOwnerId } from '#src/platform/storage/accounts/owners.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { personOf } from './alerts-fixture.ts';

const AT = '2026-01-01T00:00:00.000Z';
const ANN = personOf('discord', 'ann');
const BOB = personOf('slack', 'bob');
const CID = personOf('discord', 'cid');

const CHANNEL: ReplyTarget = {
  channelId: asId<ChannelId>('discord'),
  accountId: asId<AccountId>('bot'),
  chatId: asId<ChatId>('C1'),
  recipientId: asId<UserId>('ann'),
};

/** Two linked people, one on their own, and what was set in a channel and in private. */
const fill = async (db: Kysely<unknown>): Promise<void> => {
  for (const { channelId, userId } of [ANN, BOB])
    await sql`insert into identity_links (channel_id, user_id, owner_id, linked_at)
      values (${channelId}, ${userId}, ${ownOwnerId(ANN)}, ${AT})`.execute(db);
  for (const owner of [ownOwnerId(ANN), ownOwnerId(CID)])
    await sql`insert into portfolios
      (id, owner_id, name, name_key, base_currency, cost_method, allows_short, is_default, created_at)
      values (${`of ${owner}`}, ${owner}, 'main', 'main', 'USD', 'average', 0, 1, ${AT})`.execute(db);
  for (const [id, isDirect] of [
    ['shared', false],
    ['private', true],
  ] as const) {
    const details = JSON.stringify({ target: { ...CHANNEL, ...(isDirect ? { isDirect } : {}) } });
    await sql`insert into alerts
      (id, owner_id, channel_id, user_id, request_id, symbol, status, side, memory, details, fired_count, created_at, version)
      values (${id}, 'o', 'discord', 'ann', ${id}, 'AAPL', 'active', 'unknown', '{}', ${details}, 0, ${AT}, 1)`.execute(
      db,
    );
    await sql`insert into briefings (id, owner_id, channel_id, user_id, request_id, details, next_at, created_at)
      values (${id}, 'o', 'discord', 'ann', ${id}, ${details}, ${AT}, ${AT})`.execute(db);
  }
};

/** An empty database without tables, and how it is opened by this version once the connection to it is closed. */
export interface BareDatabase {
  readonly db: Kysely<unknown>;
  readonly open: () => Promise<Storage>;
}

export const describeUpgrade = (name: string, openBare: () => Promise<BareDatabase>): void => {
  describe(`a database of the version before on ${name}`, () => {
    it('keeps what people own, knows what is told in a channel, and whose portfolio is whose', async () => {
      const { db, open } = await openBare();
      const migrator = new Migrator({
        db,
        provider: { getMigrations: async () => ({ ...RELEASED_MIGRATIONS }) },
      });
      expect((await migrator.migrateTo('0006-personal-finance')).error).toBeUndefined();
      await fill(db);
      await db.destroy();

      const storage = await open();
      for (const table of ['alerts', 'briefings'] as const)
        expect(await storage.db.selectFrom(table).select(['id', 'chat_key']).orderBy('id').execute()).toEqual(
          [
            { id: 'private', chat_key: null },
            { id: 'shared', chat_key: sharedChatOf(CHANNEL) },
          ],
        );
      // Who of two linked people began a portfolio was not written down.
      const begun = storage.db.selectFrom('portfolios').select(['owner_id', 'begun_by']).orderBy('owner_id');
      expect(await begun.execute()).toEqual([
        { owner_id: ownOwnerId(ANN), begun_by: null },
        { owner_id: ownOwnerId(CID), begun_by: ownOwnerId(CID) },
      ]);
      const owners = createOwnerStore(storage, new ManualClock());
      expect(await owners.unlink(BOB)).toEqual({ others: [ANN], takes: [], leaves: ['main'] });
      expect(await owners.ownerOf(ANN)).toBe(ownOwnerId(ANN));
    });
  });
};
