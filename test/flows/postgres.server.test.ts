import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import { createInboxChanges } from '#src/chat/store/inbox-changes.ts';
import { createInbox } from '#src/chat/store/inbox.ts';
import { AT, entryOf } from '#test/platform/storage/contract-fixture.ts';
import { startTestApp } from '#test/support/app.ts';
import { openStorage, type PostgresServer, startPostgres, temporaryDir } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { runDoctor } from '#test/support/run-doctor.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

describe('with DATABASE_URL', () => {
  it('keeps a message in PostgreSQL while it is worked on, and settles it with the answer', async () => {
    const databaseUrl = await postgres.createDatabase();
    const { channel, app } = await startTestApp({ env: { DATABASE_URL: databaseUrl } });
    const observer = await openStorage({ dataDir: temporaryDir(), databaseUrl });
    const look = () => observer.db.selectFrom('inbox').select(['status', 'sender_id']).execute();

    const seenWhileSending: unknown[] = [];
    channel.onSend = async () => {
      seenWhileSending.push(...(await look()));
    };
    const message = inboundMessage({ channelId: asId<ChannelId>('test'), body: '삼성전자 얼마야?' });
    const receipt = await channel.receive(message);
    if (receipt.outcome === 'accepted') await receipt.settled;

    expect(seenWhileSending).toEqual([{ status: 'pending', sender_id: 'me' }]);
    expect(await look()).toEqual([{ status: 'done', sender_id: 'me' }]);
    expect(channel.texts[0]).toContain('**삼성전자 (005930)** ₩');
    await observer.close();
    await app.stop();
  });

  it('is checked by the doctor: its version, what an answer takes, and its clock', async () => {
    const env = { DATABASE_URL: await postgres.createDatabase(), FINCLAW_DATA_DIR: temporaryDir() };
    const { output } = await runDoctor(env, temporaryDir());
    expect(output).toMatch(/✔ PostgreSQL \d+\.\d+ answers in \d+\.\d ms/);
    expect(output).toContain('✔ The clocks of this machine and of the database agree');
  });

  it.each(['withdrawn', 'merged'] as const)(
    'a message that begins at the moment at which it is to be %s stays as it is',
    async (how) => {
      const { storage } = await postgres.storage();
      const inbox = createInbox(storage);
      const entry = entryOf();
      const leader = entryOf();
      for (const each of [entry, leader]) await inbox.accept(each, AT);
      const changing = await storage.db.transaction().execute(async (tx) => {
        await tx.updateTable('inbox').set({ attempts: 1 }).where('id', '=', entry.id).execute();
        const begun =
          how === 'withdrawn'
            ? createInboxChanges(storage).withdraw(entry.id, AT)
            : inbox.merge([entry.id], leader.id, AT);
        const waiting = sql`select 1 from pg_locks where not granted`;
        await expect.poll(async () => (await waiting.execute(storage.db)).rows.length).toBeGreaterThan(0);
        return { begun };
      });
      expect(await changing.begun).toEqual(how === 'withdrawn' ? false : []);
      const row = await storage.db
        .selectFrom('inbox')
        .select('status')
        .where('id', '=', entry.id)
        .executeTakeFirst();
      expect(row?.status).toBe('pending');
    },
  );
});
