import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import { startTestApp } from '#test/support/app.ts';
import { openStorage, type PostgresServer, startPostgres, temporaryDir } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';

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
    expect(channel.texts[0]).toContain('삼성전자 (005930, KOSPI)');
    await observer.close();
    await app.stop();
  });

  it('refuses to start a second time on the same database, also from another data directory, until the first has stopped', async () => {
    const env = { DATABASE_URL: await postgres.createDatabase() };
    const { app } = await startTestApp({ env });
    await expect(startTestApp({ env })).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      isOperational: true,
      message: expect.stringMatching(/^Another FinClaw is running on this PostgreSQL database\./),
    });
    await app.stop();
    const next = await startTestApp({ env });
    await next.app.stop();
  });
});
