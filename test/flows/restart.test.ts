import { describe, expect, it } from 'vitest';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import { createInbox } from '#src/chat/store/inbox.ts';
import { AT, entryOf } from '#test/platform/storage/contract-fixture.ts';
import { startAppOn, startTestApp } from '#test/support/app.ts';
import { TestChannel } from '#test/support/channel.ts';
import { openStorage, temporaryDir } from '#test/support/database.ts';

/** A data directory with one message that an earlier process accepted and did not answer. */
const leftBehind = async (): Promise<string> => {
  const dataDir = temporaryDir();
  const storage = await openStorage({ dataDir });
  const entry = entryOf({ channelId: asId<ChannelId>('test'), body: '삼성전자 얼마야?' });
  await createInbox(storage).accept(entry, AT);
  await storage.close();
  return dataDir;
};

const inboxIn = async (dataDir: string) => {
  const storage = await openStorage({ dataDir });
  const rows = await storage.db.selectFrom('inbox').select(['status', 'attempts', 'error_id']).execute();
  await storage.close();
  return rows;
};

class BrokenChannel extends TestChannel {
  override readonly start = async (): Promise<void> => {
    throw new Error('wrong token');
  };
}

describe('a start', () => {
  it('that fails leaves what was not answered for the next one, which answers it once', async () => {
    const dataDir = await leftBehind();
    const broken = new BrokenChannel();
    await expect(startAppOn(broken, { dataDir })).rejects.toThrow('wrong token');
    expect(broken.attempts).toEqual([]);
    expect(await inboxIn(dataDir)).toEqual([{ status: 'pending', attempts: 0, error_id: null }]);

    const second = await startTestApp({ dataDir });
    await second.channel.waitForSent(1);
    await second.app.stop();
    expect(second.channel.texts).toEqual([expect.stringContaining('삼성전자 (005930)')]);
    expect(await inboxIn(dataDir)).toEqual([{ status: 'done', attempts: 1, error_id: null }]);

    const third = await startTestApp({ dataDir });
    await third.app.stop();
    expect(third.channel.attempts).toEqual([]);
  });

  it('that fails has closed everything: another one can have the data at once', async () => {
    const dataDir = temporaryDir();
    await expect(startAppOn(new BrokenChannel(), { dataDir })).rejects.toThrow('wrong token');
    const { channel } = await startTestApp({ dataDir });
    expect(channel.isConnected()).toBe(true);
  });

  it('leaves the messages of a platform that is not there alone', async () => {
    const dataDir = await leftBehind();
    const { app, channel } = await startAppOn(new TestChannel({ id: 'another' }), { dataDir });
    await app.stop();
    expect(channel.attempts).toEqual([]);
    expect(await inboxIn(dataDir)).toEqual([{ status: 'pending', attempts: 0, error_id: null }]);
  });
});
