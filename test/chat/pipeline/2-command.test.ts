import { describe, expect, it } from 'vitest';
import type { Command, CommandResult } from '#src/kernel/chat/command.ts';
import type { CommandDefinition, CommandFlags } from '#src/kernel/chat/command-definition.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import { asId, type UserId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { command } from '#src/chat/pipeline/2-command.ts';
import { fact, NEVER_ABORTED, normalized, setUpDelivery } from '#test/chat/pipeline/support.ts';
import { msgContext } from '#test/support/context.ts';
import { normalizeText } from '#test/support/markup.ts';

interface Call {
  readonly name: string;
  readonly args: readonly string[];
  readonly ctx: TurnContext;
  readonly flags: CommandFlags | undefined;
}

const pauseOf: CommandDefinition['pauseOf'] = ([word = '', ...others]) =>
  /^(?:export|받기)$/i.test(word) && others.length === 0
    ? { action: 'export', cooldownMs: 600_000 }
    : undefined;

const setUp = async (definition: Partial<CommandDefinition> = {}, result: Partial<CommandResult> = {}) => {
  const base = await setUpDelivery();
  const calls: Call[] = [];
  const made: Command = {
    definition: {
      name: 'price',
      aliases: ['quote', '시세'],
      description: { ko: '설명', en: 'description' },
      usage: { ko: '/price', en: '/price' },
      category: 'finance',
      ...definition,
    },
    execute: async (args, ctx, _signal, flags) => {
      calls.push({ name: 'price', args, ctx, flags });
      return { content: 'Apple costs 259.58', ephemeral: false, ...result };
    },
  };
  const registry = createCommandRegistry([made], '/', normalizeText);
  const stage = command({ registry, delivery: base.delivery, clock: base.clock, ack: { enableAck: false } });
  const say = async (rawBody: string, ctx: Partial<TurnContext> = {}) =>
    stage.execute(
      await normalized({ ctx: msgContext({ rawBody, ...ctx }), channel: base.channel }),
      NEVER_ABORTED,
    );
  return { ...base, calls, say };
};

describe('command stage', () => {
  it.each(['/price AAPL', '/quote AAPL', '/시세 AAPL', '/PRICE AAPL', '/Quote AAPL', '<@U1> /price AAPL'])(
    'runs a command for %j, delivers its result and goes no further',
    async (text) => {
      const { say, calls, channel } = await setUp();
      expect(await say(text)).toEqual({ action: 'skip', reason: 'command price', command: 'price' });
      expect(calls.map(({ args }) => args)).toEqual([['AAPL']]);
      expect(channel.texts).toEqual(['Apple costs 259.58']);
    },
  );

  it('answers the message in its chat', async () => {
    const { say, channel } = await setUp();
    await say('/price');
    expect(channel.sent[0]?.target).toMatchObject({ chatId: 'mina', replyToMessageId: 'question-1' });
  });

  it('hands over quoted arguments whole, and flags apart from them', async () => {
    const { say, calls } = await setUp();
    await say('/price "SK  hynix" --all AAPL');
    expect(calls[0]?.args).toEqual(['SK hynix', 'AAPL']);
    expect(calls[0]?.flags).toEqual(new Map([['all', true]]));
  });

  it.each(['/price AAPL\n/price TSLA', '/price AAPL\nand what do you think of it?'])(
    'leaves several lines to the model: %j',
    async (text) => {
      const { say, calls, channel } = await setUp();
      expect(await say(text)).toMatchObject({ action: 'continue', data: { ctx: { bodyForAgent: text } } });
      expect(calls).toEqual([]);
      expect(channel.attempts).toEqual([]);
    },
  );

  it('gives the command the context of its message', async () => {
    const { say, calls } = await setUp();
    await say('/price', { locale: 'ko', timeZone: 'Europe/Berlin' });
    expect(calls[0]?.ctx).toMatchObject({ locale: 'ko', timeZone: 'Europe/Berlin' });
  });

  it.each(['How is /price doing?', 'Apple', '', '/', '/etc/hosts', '/2 of it', '/weather Seoul'])(
    'lets %j go on to the model, unanswered',
    async (text) => {
      const { say, calls, channel } = await setUp();
      expect(await say(text)).toMatchObject({
        action: 'continue',
        data: { isQuestion: true, ctx: { rawBody: text } },
      });
      expect(calls).toEqual([]);
      expect(channel.attempts).toEqual([]);
    },
  );

  it('lets a command in a code fence go on to the model', async () => {
    const { say, calls } = await setUp();
    expect(await say('```\n/price AAPL\n```')).toMatchObject({ action: 'continue' });
    expect(calls).toEqual([]);
  });

  it.each(['en', 'ko'] as const)(
    'suggests the right name for a mistyped one, to its author (%s)',
    async (locale) => {
      const { say, calls, channel } = await setUp();
      expect(await say('/prcie AAPL', { locale })).toEqual({ action: 'skip', reason: 'unknown command' });
      expect(calls).toEqual([]);
      expect(channel.texts).toEqual([
        commandTexts(locale).unknownCommand({ name: 'prcie', nearest: 'price' }),
      ]);
      expect(channel.sent[0]?.payload.ephemeral).toBe(true);
    },
  );

  it.each([true, false])('delivers the result as the command wants it: ephemeral %s', async (ephemeral) => {
    const { say, channel } = await setUp({}, { ephemeral });
    await say('/price');
    expect(channel.sent[0]?.payload.ephemeral ?? false).toBe(ephemeral);
  });

  it.each([
    { isSample: true, marks: 1 },
    { isSample: false, marks: 0 },
  ])('has the facts of the result marked where they are samples ($isSample)', async ({ isSample, marks }) => {
    const { say, channel } = await setUp({}, { facts: [fact(isSample), fact(isSample)] });
    await say('/price');
    expect(channel.texts.join('').split(marketNoteTexts('en').sampleMark())).toHaveLength(marks + 1);
  });

  it.each(['/price', '/prcie'])('aborts when the answer to %s could not be delivered', async (text) => {
    const { say, channel, clock } = await setUp();
    channel.failNextSends(3);
    const result = say(text);
    await clock.advance(60_000);
    expect(await result).toMatchObject({
      action: 'abort',
      reason: '1 of 1 parts could not be delivered',
      error: { code: 'DELIVERY_FAILED' },
    });
  });

  it('passes on what a command throws, having delivered nothing', async () => {
    const { delivery, clock, channel } = await setUpDelivery();
    const broken = new Error('broken command');
    const registry = createCommandRegistry([
      {
        definition: {
          name: 'price',
          aliases: [],
          description: { ko: '', en: '' },
          usage: { ko: '', en: '' },
          category: 'finance',
        },
        execute: async () => {
          throw broken;
        },
      },
    ]);
    const input = await normalized({ ctx: msgContext({ rawBody: '/price' }), channel });
    const stage = command({ registry, delivery, clock, ack: { enableAck: false } });
    await expect(stage.execute(input, NEVER_ABORTED)).rejects.toBe(broken);
    expect(channel.attempts).toEqual([]);
  });
});

describe('command stage, required roles', () => {
  const requiredRoles = ['ops', 'trader'];

  it.each([
    { who: 'somebody without roles', sender: {}, runs: false },
    { who: 'somebody with another role', sender: { userRoles: ['guest', 'op'] }, runs: false },
    { who: 'somebody with one of the roles', sender: { userRoles: ['guest', 'trader'] }, runs: true },
    { who: 'an admin without roles', sender: { isAdmin: true }, runs: true },
  ])('$who: runs $runs', async ({ sender, runs }) => {
    const { say, calls, channel } = await setUp({ requiredRoles });
    expect(await say('/price', sender)).toEqual({
      action: 'skip',
      reason: 'command price',
      command: 'price',
    });
    expect(calls).toHaveLength(runs ? 1 : 0);
    expect(channel.texts).toEqual([
      runs ? 'Apple costs 259.58' : commandTexts('en').missingRole({ name: 'price' }),
    ]);
    expect(channel.sent[0]?.payload.ephemeral ?? false).toBe(!runs);
  });

  it('asks for no role where the list is empty', async () => {
    const { say, calls } = await setUp({ requiredRoles: [] });
    await say('/price');
    expect(calls).toHaveLength(1);
  });

  it('does not start the cooldown of somebody who was refused', async () => {
    const { say, calls } = await setUp({ requiredRoles, cooldownMs: 10_000 });
    await say('/price');
    await say('/price', { userRoles: ['ops'] });
    expect(calls).toHaveLength(1);
  });
});

describe('command stage, cooldown', () => {
  const cooldownMs = 10_000;

  it('lets the same person use the command again only after the cooldown, and says when', async () => {
    const { say, calls, channel, clock } = await setUp({ cooldownMs });
    await say('/price');
    await clock.advance(7_500);
    expect(await say('/price')).toMatchObject({ action: 'skip' });
    expect(calls).toHaveLength(1);
    expect(channel.texts.at(-1)).toBe(commandTexts('en').cooldown({ name: 'price', wait: 'in 3 seconds' }));
    expect(channel.sent.at(-1)?.payload.ephemeral).toBe(true);
    await clock.advance(2_499);
    await say('/price');
    expect(calls).toHaveLength(1);
    await clock.advance(1);
    await say('/price');
    expect(calls).toHaveLength(2);
  });

  it('counts from the last use that ran, not from a refused one', async () => {
    const { say, calls, clock } = await setUp({ cooldownMs });
    await say('/price');
    await clock.advance(9_000);
    await say('/price');
    await clock.advance(1_000);
    await say('/price');
    expect(calls).toHaveLength(2);
  });

  it('holds for a command under all of its names', async () => {
    const { say, calls } = await setUp({ cooldownMs });
    await say('/price');
    await say('/시세');
    expect(calls).toHaveLength(1);
  });

  it('keeps back the one person only', async () => {
    const { say, calls } = await setUp({ cooldownMs });
    await say('/price');
    await say('/price', { senderId: asId<UserId>('jun') });
    expect(calls.map(({ ctx }) => ctx.senderId)).toEqual(['mina', 'jun']);
  });

  it('can be that of one action of the command, as the command reads it; then the rest is free', async () => {
    const { say, calls, channel, clock } = await setUp({ pauseOf });
    for (const typed of ['/price export now', '/price', '/price EXPORT', '/price', '/price 받기'])
      await say(typed);
    expect(calls).toHaveLength(4);
    const wait = 'in 10 minutes';
    expect(channel.texts.at(-1)).toBe(commandTexts('en').cooldown({ name: 'price export', wait }));
    await clock.advance(600_000);
    await say('/price 받기');
    expect(calls).toHaveLength(5);
  });

  it('keeps nobody back where there is none', async () => {
    const { say, calls } = await setUp();
    await say('/price');
    await say('/price');
    expect(calls).toHaveLength(2);
  });
});
