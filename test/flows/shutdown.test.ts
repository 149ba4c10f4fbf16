import { describe, expect, it } from 'vitest';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import { startAppOn, startTestApp } from '#test/support/app.ts';
import { TestChannel } from '#test/support/channel.ts';
import { freePort, openStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inboundMessage } from '#test/support/messages.ts';

const question = (body = 'How is Apple doing today?') =>
  inboundMessage({ channelId: asId<ChannelId>('test'), body });

const rowsIn = async (dataDir: string) => {
  const storage = await openStorage({ dataDir });
  const inbox = await storage.db.selectFrom('inbox').select(['status', 'attempts']).execute();
  const outbox = await storage.db.selectFrom('outbox').select('status').execute();
  await storage.close();
  return { inbox, outbox };
};

describe('the end of the program', () => {
  it('waits ten seconds for an answer under way, then leaves it for the next start, which sends it once', async () => {
    const clock = new ManualClock();
    const { app, channel, dataDir } = await startTestApp({ clock });
    const sending = Promise.withResolvers<void>();
    channel.onSend = () => sending.resolve();
    channel.hangSends();
    await channel.receive(question());
    await sending.promise;
    let isStopped = false;
    const stopped = app.stop().then(() => {
      isStopped = true;
    });
    await clock.advance(9_999);
    expect(isStopped).toBe(false);
    await clock.advance(1);
    await stopped;
    expect(await rowsIn(dataDir)).toEqual({
      inbox: [{ status: 'pending', attempts: 0 }],
      outbox: [{ status: 'pending' }],
    });

    const next = await startTestApp({ dataDir });
    await next.channel.waitForSent(1);
    await next.app.stop();
    expect(next.channel.texts).toEqual([expect.stringContaining('Apple (AAPL)')]);
    expect(await rowsIn(dataDir)).toEqual({
      inbox: [{ status: 'done', attempts: 1 }],
      outbox: [{ status: 'sent' }],
    });
  });

  it('closes everything else when one part cannot be closed, and logs which', async () => {
    class Stubborn extends TestChannel {
      override readonly close = (): Promise<void> => Promise.reject(new Error('will not close'));
    }
    const { app, dataDir, log } = await startAppOn(new Stubborn());
    await app.stop();
    await app.stopped;
    expect(log.filter((line) => line.includes('test could not be closed'))).toHaveLength(1);
    expect(await rowsIn(dataDir)).toEqual({ inbox: [], outbox: [] });
  });

  it('is the same end, however often and by whomever it is asked for', async () => {
    const { app, channel } = await startTestApp();
    channel.requestShutdown();
    await Promise.all([app.stop(), app.stop(), app.stopped]);
    expect(channel.isConnected()).toBe(false);
  });
});

describe('readiness', () => {
  it('follows the database and the channels', async () => {
    const port = await freePort();
    const { app, channel } = await startTestApp({ env: { FINCLAW_HTTP_PORT: String(port) } });
    const readyz = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return { status: response.status, body: await response.json() };
    };
    expect(await readyz()).toEqual({
      status: 200,
      body: { ok: true, channels: { test: 'connected' }, database: true },
    });
    await channel.stop();
    expect(await readyz()).toEqual({
      status: 503,
      body: { ok: false, channels: { test: 'down: not connected; the log says more' }, database: true },
    });
    await app.stop();
    await expect(readyz()).rejects.toThrow();
  });
});

describe('a refused message', () => {
  it('is refused also where its sender cannot be told, and that is logged', async () => {
    const { channel, log } = await startTestApp();
    channel.failNextSends(1);
    const receipt = await channel.receive(question('x'.repeat(20_001)));
    expect(receipt).toEqual({ outcome: 'dropped', reason: 'too-long', isTold: true });
    expect(log.filter((line) => line.includes('notice could not be sent'))).toHaveLength(1);
  });
});
