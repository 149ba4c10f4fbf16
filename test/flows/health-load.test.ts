import { describe, expect, it } from 'vitest';
import type { LaneStatus } from '#src/platform/concurrency/concurrency-lane.ts';
import { asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import { startTestApp } from '#test/support/app.ts';
import { freePort } from '#test/support/database.ts';
import { answer, CLAUDE_KEYS, holds, startServers, until } from '#test/support/engine-app.ts';
import { inboundMessage } from '#test/support/messages.ts';

const setUp = async () => {
  const { claude } = await startServers();
  const port = await freePort();
  const { channel } = await startTestApp({
    env: {
      FINCLAW_HTTP_PORT: String(port),
      ANTHROPIC_API_KEY: CLAUDE_KEYS[0],
      ANTHROPIC_BASE_URL: claude.url,
    },
  });
  const health = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`);
    const body = (await response.json()) as {
      readonly status: string;
      readonly lanes: readonly LaneStatus[];
    };
    return { httpStatus: response.status, ...body };
  };
  const mainLane = async () => (await health()).lanes.find(({ laneId }) => laneId === 'main');
  const send = async (user: string, body: string) => {
    const receipt = await channel.receive(
      inboundMessage({
        channelId: asId<ChannelId>('test'),
        chatId: asId<ChatId>(user),
        senderId: asId<UserId>(user),
        body,
      }),
    );
    if (receipt.outcome !== 'accepted') throw new Error(`not accepted: ${receipt.outcome}`);
    return receipt.settled;
  };
  return { claude, channel, health, mainLane, send };
};

describe('/healthz of the whole program', () => {
  it('shows every lane with its room while nothing is under way', async () => {
    const { health } = await setUp();
    expect(await health()).toEqual({
      httpStatus: 200,
      status: 'ok',
      version: '0.0.0-test',
      commit: 'unknown',
      date: 'unknown',
      dataDirectory: expect.stringMatching(/^[0-9a-f]{16}$/),
      lanes: [
        { laneId: 'main', active: 0, queued: 0, maxConcurrency: 64 },
        { laneId: 'cron', active: 0, queued: 0, maxConcurrency: 4 },
      ],
      queue: { sessions: 0, running: 0, waiting: 0 },
    });
  });

  it('counts the answers that a model is still giving, and forgets them when they are out', async () => {
    const { claude, channel, mainLane, send } = await setUp();
    const released = Promise.withResolvers<void>();
    claude.otherwise(holds(released.promise, answer('At last.')));
    const first = send('ann', 'How are the markets?');
    await until(() => claude.history.length === 1);
    expect(await mainLane()).toMatchObject({ active: 1, queued: 0 });
    const second = send('bob', 'And for me, please?');
    await until(() => claude.history.length === 2);
    expect(await mainLane()).toMatchObject({ active: 2, queued: 0 });
    released.resolve();
    await Promise.all([first, second]);
    expect(channel.texts.map((text) => text.split('\n')[0])).toEqual(['At last.', 'At last.']);
    expect(await mainLane()).toMatchObject({ active: 0, queued: 0 });
  });

  it('tells nothing of who asks and what', async () => {
    const { claude, health, send } = await setUp();
    const released = Promise.withResolvers<void>();
    claude.otherwise(holds(released.promise, answer('At last.')));
    const settled = send('ann-the-person', 'Something private, please?');
    await until(() => claude.history.length === 1);
    const text = JSON.stringify(await health());
    expect(text).toContain('"active":1');
    expect(text).not.toMatch(/ann-the-person|private|geheim/);
    released.resolve();
    await settled;
  });
});
