import { describe, expect, it } from 'vitest';
import { queue } from '#commands/chat/queue.ts';
import { queueTexts } from '#commands/chat/texts.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { QUEUE_MODES, type QueueMode, type QueueModeInForce } from '#src/kernel/chat/queue.ts';
import { msgContext } from '#test/support/context.ts';

const setUp = (inForce: QueueModeInForce = { mode: 'collect', setFor: 'default' }) => {
  const chosen: (readonly [string, QueueMode | null])[] = [];
  const command = queue({
    modes: {
      of: () => inForce,
      choose: async (_place, scope, mode) => void chosen.push([scope, mode]),
    },
    queue: { status: () => ({ isRunning: true, waiting: 3 }) },
  });
  const run = async (
    args: readonly string[],
    ctx: Partial<TurnContext> = {},
    flags: readonly string[] = [],
  ): Promise<string> => {
    const given = new Map(flags.map((flag) => [flag, true] as const));
    const { content, ephemeral } = await command.execute(
      args,
      msgContext(ctx),
      new AbortController().signal,
      given,
    );
    expect(ephemeral).toBe(true);
    return content;
  };
  return { run, chosen };
};

describe.each(['en', 'ko'] as const)('/queue (%s)', (locale) => {
  const t = queueTexts(locale);

  it('tells the mode in force, who set it, what waits, and which there are', async () => {
    const { run, chosen } = setUp({ mode: 'steer', setFor: 'channel' });
    const shown = await run([], { locale });
    expect(shown).toContain(
      t.current({ mode: 'steer', meaning: t.meanings.steer, setFor: t.scopes.channel }),
    );
    expect(shown).toContain(t.status({ running: 1, waiting: 3 }));
    for (const mode of QUEUE_MODES) expect(shown).toContain(`\`${mode}\``);
    expect(chosen).toEqual([]);
  });

  it('changes the mode of a direct chat for its person, in any spelling', async () => {
    const { run, chosen } = setUp();
    expect(await run(['Steer-Backlog'], { locale })).toContain(t.meanings['steer-backlog']);
    expect(chosen).toEqual([['session', 'steer-backlog']]);
  });

  it('goes back to what holds without a choice', async () => {
    const { run, chosen } = setUp();
    for (const word of ['default', '기본값']) await run([word], { locale });
    expect(chosen).toEqual([
      ['session', null],
      ['session', null],
    ]);
  });

  it('names the modes for one that does not exist', async () => {
    const { run, chosen } = setUp();
    const shown = await run(['`fast`'], { locale });
    for (const mode of QUEUE_MODES) expect(shown).toContain(`\`${mode}\``);
    expect(shown).toContain('fast');
    expect(chosen).toEqual([]);
  });

  it.each([
    ['group', ['steer'], []],
    ['channel', ['default'], []],
    ['direct', ['steer'], ['channel']],
    ['direct', ['steer'], ['agent']],
  ] as const)(
    'lets nobody but administrators decide for others: %s, %j, %j',
    async (chatType, args, flags) => {
      const { run, chosen } = setUp();
      const refused = await run(args, { locale, chatType }, flags);
      expect([t.notAllowed(), t.adminsOnly()]).toContain(refused);
      expect(chosen).toEqual([]);
      await run(args, { locale, chatType, isAdmin: true }, flags);
      expect(chosen).toHaveLength(1);
    },
  );

  it('is for the channel or the agent with a flag', async () => {
    const { run, chosen } = setUp();
    await run(['queue'], { locale, isAdmin: true }, ['channel']);
    await run(['interrupt'], { locale, isAdmin: true }, ['agent']);
    expect(chosen).toEqual([
      ['channel', 'queue'],
      ['agent', 'interrupt'],
    ]);
  });
});
