import { describe, expect, it } from 'vitest';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { PluginCommand } from '#src/kernel/operations/plugin.ts';
import { pluginCommand } from '#src/platform/plugins/plugin-definitions.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

/** Plain JavaScript can return anything. */
type Run = (...call: Parameters<PluginCommand['run']>) => unknown;

const setUp = (run: Run, more: Partial<PluginCommand> = {}) => {
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const stop = new AbortController();
  let failures = 0;
  const command = pluginCommand(
    { name: 'dice', description: 'rolls', run: run as PluginCommand['run'], ...more },
    { plugin: 'lucky', onFailure: () => (failures += 1), clock, logger },
  );
  const execute = () => command.execute(['20'], msgContext({ locale: 'ko' }), stop.signal);
  return { command, execute, clock, stop, records, failures: () => failures };
};

describe('a command of a plugin', () => {
  it('is described in English where it has no Korean, and says what it takes', () => {
    const { command } = setUp(() => '4', {
      aliases: ['주사위'],
      options: [
        { name: 'sides', description: { en: 'sides', ko: '면' }, isRequired: true },
        { name: 'fair', description: 'f', type: 'flag' },
      ],
    });
    expect(command.definition).toMatchObject({
      name: 'dice',
      aliases: ['주사위'],
      description: { en: 'rolls', ko: 'rolls' },
      usage: { en: '/dice <sides> [--fair]' },
      category: 'general',
      options: [{ description: { ko: '면' }, type: 'text', isRequired: true }, { type: 'flag' }],
    });
  });

  it.each<[string, Run, Partial<PluginCommand>, object]>([
    ['a text', ({ args, ctx }) => `${args[0]}${ctx.locale}`, {}, { content: '20ko', ephemeral: false }],
    ['an object', async () => ({ content: ' 4 ', ephemeral: true }), {}, { content: '4', ephemeral: true }],
    ['what is private', () => '4', { isPrivate: true }, { content: '4', ephemeral: true }],
    [
      'a text that nobody could read, cut',
      () => 'x'.repeat(5_000_000),
      {},
      { content: 'x'.repeat(100_000), ephemeral: false },
    ],
  ])('says %s', async (_what, run, more, result) => {
    expect(await setUp(run, more).execute()).toEqual(result);
  });

  it.each<[string, Run, string]>([
    [
      'throws',
      () => {
        throw new Error('no die');
      },
      'no die',
    ],
    ['rejects', () => Promise.reject(new Error('oops')), 'oops'],
    ['returns nothing', () => undefined, 'must return a text'],
    ['returns an empty text', () => ' ', 'empty text'],
    ['returns a number', () => 4, 'must return a text'],
    ['returns a number as its text', () => ({ content: 4 }), 'must return a text'],
    ['returns an odd wish', () => ({ content: 'a', ephemeral: 'yes' }), 'ephemeral'],
  ])('that %s is named in the log, and its sender is told', async (_what, run, cause) => {
    const { execute, records, failures } = setUp(run);
    const { content, ephemeral } = await execute();
    const [line] = records();
    expect(line?.message).toContain('The command /dice of the plugin lucky failed: ');
    expect(line?.message).toContain(cause);
    const errorId = String(line?.['errorId']);
    expect(content).toBe(commandTexts('ko').pluginFailed({ name: 'dice', plugin: 'lucky', errorId }));
    expect([ephemeral, failures()]).toEqual([true, 1]);
  });

  it('that hangs is left when its time is up, and hears of it', async () => {
    let heard: unknown;
    const hang: Run = (_call, signal) => {
      signal.addEventListener('abort', () => (heard = signal.reason));
      return new Promise(() => undefined);
    };
    const { execute, clock, records, failures } = setUp(hang, { timeoutMs: 2_000 });
    const running = execute();
    await clock.advance(2_000);
    expect((await running).content).toContain('lucky');
    expect(records()).toMatchObject([{ message: expect.stringContaining('longer than 2 s') }]);
    expect(heard).toMatchObject({ code: 'COMMAND_TIMEOUT' });
    expect([failures(), clock.pendingTimers]).toEqual([1, 0]);
  });

  it('ends with the reason of whoever stops it, and that is no failure of the plugin', async () => {
    const { execute, stop, records, failures } = setUp(() => new Promise(() => undefined));
    const running = execute();
    const stopped = new Error('stopped');
    stop.abort(stopped);
    await expect(running).rejects.toBe(stopped);
    expect([records(), failures()]).toEqual([[], 0]);
  });
});
