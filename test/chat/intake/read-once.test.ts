import { describe, expect, it } from 'vitest';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { createGates } from '#src/chat/gates/index.ts';
import { length } from '#src/chat/gates/length.ts';
import { openQueueModes } from '#src/chat/queue/queue-modes.ts';
import { createCommandReader } from '#src/chat/context/read-command.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { createQueueModeStore } from '#src/chat/store/queue-modes.ts';
import { ping, setUpPipeline } from '#test/chat/pipeline/pipeline-support.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { gatesDeps, groupMessage } from '../gates/support.ts';
import { setUpRouter, workedOff } from './router-fixture.ts';
import { normalizeText } from '#test/support/markup.ts';

/** The real gates, router, queue modes and pipeline; what they ask for is counted on the way to the real thing. */
const setUp = async () => {
  const { storage } = await sqliteStorage();
  const asked = { parsed: [] as string[], modes: 0, budgets: 0 };
  const registry = createCommandRegistry([ping], '/', normalizeText);
  const counted: typeof registry = {
    ...registry,
    commandIn: (body) => {
      asked.parsed.push(body);
      return registry.commandIn(body);
    },
  };
  const commandOf = createCommandReader(counted.commandIn);
  const budget = {
    check: async () => {
      asked.budgets += 1;
      return 'ok' as const;
    },
  };
  const clock = new ManualClock();
  const settings = { mode: 'collect', channels: {}, agents: {} } as const;
  const guildSettings = { of: () => ({}), revision: () => 0 };
  const modes = await openQueueModes(createQueueModeStore(storage), settings, clock, guildSettings);
  const answer = Promise.withResolvers<string>();
  const { pipeline, channel } = await setUpPipeline({ registry: counted, answer: () => answer.promise });
  const deps = gatesDeps(storage, { commandOf, budget, respectMarketHours: true, markets: ['KRX'] });
  const { router } = await setUpRouter({
    storage,
    gates: createGates(deps),
    contentGates: [length(deps)],
    commandOf,
    modes: {
      revision: modes.revision,
      of: (place) => {
        asked.modes += 1;
        return modes.of(place);
      },
    },
    process: ({ ctx, match, signal }) => pipeline.process(ctx, match, signal),
  });
  const mention = (body: string, more: Partial<MsgContext> = {}) =>
    router.receive(groupMessage({ mentionsBot: true, ...more, body }));
  const edit = (message: MsgContext, body: string) => router.revise({ ...message, kind: 'edited', body });
  return { asked, modes, mention, edit, answer: () => answer.resolve('It rose.'), channel };
};

describe('a mention', () => {
  it('is parsed once, and its queue mode and budget are looked up once', async () => {
    const { asked, mention, answer, channel } = await setUp();
    answer();
    await workedOff([await mention('<@1> How is Apple?')]);
    expect(channel.texts).toEqual(['It rose.']);
    expect(asked).toEqual({ parsed: ['<@1> How is Apple?'], modes: 1, budgets: 1 });
  });

  it('that is a command is parsed once, and has neither a queue mode nor a budget', async () => {
    const { asked, mention, channel } = await setUp();
    await workedOff([await mention('<@1> /ping'), await mention('/png')]);
    expect(channel.texts).toEqual(['pong', expect.stringContaining('/ping')]);
    expect(asked).toEqual({ parsed: ['<@1> /ping', '/png'], modes: 0, budgets: 0 });
  });

  it('is parsed once in a turn that collects several, and none of them again', async () => {
    const { asked, mention, answer, channel } = await setUp();
    const receipts = [await mention('one'), await mention('two'), await mention('three')];
    answer();
    await workedOff(receipts);
    expect(channel.texts).toEqual(['It rose.', 'It rose.']);
    expect(asked).toEqual({ parsed: ['one', 'two', 'three'], modes: 3, budgets: 3 });
  });

  it('that is edited while it waits has its new words parsed once, and its old ones not again', async () => {
    const { asked, mention, edit, answer, channel } = await setUp();
    const [second, third] = [groupMessage(), groupMessage()];
    const receipts = [await mention('one'), await mention('two', second), await mention('three', third)];
    expect(await edit(second, 'two, please')).toBe('changed');
    expect(await edit(third, '/ping')).toBe('changed');
    answer();
    await workedOff(receipts);
    await expect
      .poll(() => channel.texts.toSorted(), { interval: 1 })
      .toEqual(['It rose.', 'It rose.', 'pong']);
    expect(asked.parsed).toEqual(['one', 'two', 'three', 'two, please', '/ping']);
  });

  it('that waits follows a mode that is chosen meanwhile', async () => {
    const { asked, modes, mention, answer, channel } = await setUp();
    const receipts = [await mention('one'), await mention('two'), await mention('three')];
    const [first] = receipts;
    if (first?.outcome !== 'accepted') throw new Error('it was not accepted');
    await modes.choose({ ...groupMessage(), sessionKey: first.sessionKey }, 'session', 'queue');
    answer();
    await workedOff(receipts);
    expect(channel.texts).toEqual(['It rose.', 'It rose.', 'It rose.']);
    expect(asked.parsed).toEqual(['one', 'two', 'three']);
  });
});
