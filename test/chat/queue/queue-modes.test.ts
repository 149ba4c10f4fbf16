import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type ChatId, type SessionKey } from '#src/kernel/ids.ts';
import type { QueuePlace } from '#src/kernel/chat/queue.ts';
import { openQueueModes, type QueueModeSettings } from '#src/chat/queue/queue-modes.ts';
import { createQueueModeStore } from '#src/chat/store/queue-modes.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const placeOf = (agent: string, chat: string): QueuePlace => ({
  sessionKey: asId<SessionKey>(`agent:${agent}:discord:1:channel:${chat}`),
  channelId: asId<ChannelId>('discord'),
  chatId: asId<ChatId>(chat),
});
const HERE = placeOf('main', '7');
const NEXT_DOOR = placeOf('main', '8');

const setUp = async (settings: Partial<QueueModeSettings> = {}) => {
  const { storage } = await sqliteStorage();
  const open = () =>
    openQueueModes(
      createQueueModeStore(storage),
      { mode: 'collect', channels: {}, agents: {}, ...settings },
      new ManualClock(),
      {
        of: (channelId, guildId) =>
          channelId === 'discord' && guildId === 'g1' ? { queueMode: 'interrupt' } : {},
        revision: () => 0,
      },
    );
  return { modes: await open(), open };
};

describe('the mode in force', () => {
  it('is the configured one where nobody said anything else', async () => {
    const { modes } = await setUp({ mode: 'queue' });
    expect(modes.of(HERE)).toEqual({ mode: 'queue', setFor: 'default' });
  });

  it.each<[string, Partial<QueueModeSettings>, object]>([
    ['of the agent', { agents: { main: { queueMode: 'steer' } } }, { mode: 'steer', setFor: 'agent' }],
    ['of the platform', { channels: { discord: 'followup' } }, { mode: 'followup', setFor: 'channel' }],
    [
      'of the chat, before that of its platform',
      { channels: { discord: 'followup', 'discord:7': 'interrupt' } },
      { mode: 'interrupt', setFor: 'channel' },
    ],
    [
      'of the channel, before that of the agent',
      { channels: { discord: 'followup' }, agents: { main: { queueMode: 'steer' } } },
      { mode: 'followup', setFor: 'channel' },
    ],
  ])('is that %s', async (_whose, settings, expected) => {
    const { modes } = await setUp(settings);
    expect(modes.of(HERE)).toEqual(expected);
  });
});

describe('the mode of a server', () => {
  const IN_GUILD = { ...HERE, guildId: 'g1' };

  it('goes before that of the agent, behind those of the channel and the conversation', async () => {
    const { modes } = await setUp({ agents: { main: { queueMode: 'steer' } } });
    expect(modes.of(IN_GUILD)).toEqual({ mode: 'interrupt', setFor: 'guild' });
    expect(modes.of({ ...HERE, guildId: 'g2' }).setFor).toBe('agent');
    await modes.choose(IN_GUILD, 'channel', 'queue');
    expect(modes.of(IN_GUILD)).toEqual({ mode: 'queue', setFor: 'channel' });
    await modes.choose(IN_GUILD, 'session', 'collect');
    expect(modes.of(IN_GUILD)).toEqual({ mode: 'collect', setFor: 'session' });
  });
});

describe('a mode that is chosen', () => {
  it('for a conversation goes before all others, holds there only, and can be taken back', async () => {
    const { modes } = await setUp({ channels: { discord: 'followup' } });
    await modes.choose(HERE, 'session', 'steer');
    expect(modes.of(HERE)).toEqual({ mode: 'steer', setFor: 'session' });
    expect(modes.of(NEXT_DOOR).mode).toBe('followup');
    await modes.choose(HERE, 'session', null);
    expect(modes.of(HERE).mode).toBe('followup');
  });

  it('for a channel holds for all its conversations, one for an agent for all of the agent', async () => {
    const { modes } = await setUp();
    const inThread = { ...HERE, sessionKey: asId<SessionKey>(`${HERE.sessionKey}:9`) };
    await modes.choose(HERE, 'channel', 'queue');
    await modes.choose(HERE, 'agent', 'interrupt');
    expect([HERE, inThread, NEXT_DOOR, placeOf('desk', '8')].map((place) => modes.of(place).mode)).toEqual([
      'queue',
      'queue',
      'interrupt',
      'collect',
    ]);
  });

  it('is still there after a restart, unless it was taken back', async () => {
    const { modes, open } = await setUp();
    await modes.choose(HERE, 'session', 'steer');
    await modes.choose(HERE, 'session', 'queue');
    await modes.choose(NEXT_DOOR, 'session', 'steer');
    await modes.choose(NEXT_DOOR, 'session', null);
    const again = await open();
    expect([again.of(HERE).mode, again.of(NEXT_DOOR).mode]).toEqual(['queue', 'collect']);
  });

  it('is gone at once when its conversation was deleted', async () => {
    const { modes } = await setUp();
    await modes.choose(HERE, 'session', 'steer');
    modes.forget(HERE.sessionKey);
    expect(modes.of(HERE).mode).toBe('collect');
  });
});
