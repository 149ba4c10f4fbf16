import { describe, expect, it } from 'vitest';
import { pair } from '#commands/admin/pair.ts';
import type { CommandFlags } from '#src/kernel/chat/command-definition.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { type AccountId, asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { TurnContext, ReplyPayload, ReplyTarget } from '#src/kernel/chat/message.ts';
import type { Pairing } from '#src/kernel/people/pairing.ts';
import { msgContext } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const pairing = (overrides: Partial<Pairing> = {}): Pairing => ({
  code: 'ABCD2345',
  channelId: asId<ChannelId>('discord'),
  userId: asId<UserId>('42'),
  userName: 'Jun',
  target: {
    channelId: asId<ChannelId>('discord'),
    accountId: asId<AccountId>('bot-1'),
    chatId: asId<ChatId>('dm-42'),
    recipientId: asId<UserId>('42'),
  },
  locale: 'ko',
  expiresAt: Temporal.Instant.from('2026-11-13T07:10:30Z'),
  ...overrides,
});

interface Options {
  readonly waiting?: readonly Pairing[];
  readonly notify?: () => Promise<'stored' | 'full'>;
}

const setUp = ({ waiting = [pairing()], notify = async () => 'stored' }: Options = {}) => {
  const confirmed: (readonly [string, UserId])[] = [];
  const revoked: (readonly [ChannelId, UserId])[] = [];
  const denied: (readonly [string, UserId])[] = [];
  const audited: (readonly [string, string])[] = [];
  const told: (readonly [ReplyTarget, ReplyPayload])[] = [];
  const command = pair({
    pairings: {
      pending: async () => waiting,
      confirm: async (code, by) => {
        confirmed.push([code, by]);
        return waiting.find((known) => known.code === code);
      },
      deny: async (code, by) => {
        denied.push([code, by]);
        return waiting.find((known) => known.code === code);
      },
      revoke: async (...whom) => {
        revoked.push(whom);
        return whom[1] === '42';
      },
    },
    notifier: {
      notify: async (target, payload) => {
        told.push([target, payload]);
        return notify();
      },
    },
    audit: {
      record: async (action, { channelId, userId }) => void audited.push([action, `${channelId}:${userId}`]),
    },
    clock: new ManualClock(),
  });
  const run = async (
    args: readonly string[],
    ctx: Partial<TurnContext> = {},
    flags?: CommandFlags,
  ): Promise<string> => {
    const signal = new AbortController().signal;
    const { content, ephemeral } = await command.execute(
      args,
      msgContext({ isAdmin: true, ...ctx }),
      signal,
      flags,
    );
    expect(ephemeral).toBe(true);
    return content;
  };
  return { run, confirmed, denied, revoked, told, audited };
};

const JUN = { name: '`Jun`', id: 'discord:42' };

describe('/pair', () => {
  it.each(['en', 'ko'] as const)('shows who waits, for how long and with which code (%s)', async (locale) => {
    const other = pairing({
      code: 'ZZZZ9999',
      channelId: asId<ChannelId>('slack'),
      userId: asId<UserId>('U7'),
      userName: '**@everyone**\n`x`',
      expiresAt: Temporal.Instant.from('2026-11-13T06:30:01Z'),
    });
    const t = gateTexts(locale).pair;
    const { run, confirmed } = setUp({ waiting: [pairing(), other] });
    const lines = (await run([], { locale })).split('\n');
    expect(lines).toEqual([
      t.waiting(),
      `- ${t.entry({ ...JUN, code: 'ABCD2345', minutes: 41 })}`,
      `- ${t.entry({ code: 'ZZZZ9999', name: '`@everyone x`', id: 'slack:U7', minutes: 1 })}`,
      '',
      t.howTo(),
    ]);
    expect(lines[1]).toMatch(/ABCD2345.*Jun.*discord:42.*41/);
    expect(confirmed).toEqual([]);
  });

  it.each(['en', 'ko'] as const)('says that nobody waits (%s)', async (locale) => {
    expect(await setUp({ waiting: [] }).run([], { locale })).toBe(gateTexts(locale).pair.nobody());
  });

  it('names somebody who calls themselves nothing by their id', async () => {
    expect(await setUp({ waiting: [pairing({ userName: '\u200b**' })] }).run([])).toContain('— `42` (');
  });
});

describe('/pair with a code', () => {
  it('lets the person in, and tells them in their own language where they wrote', async () => {
    const { run, confirmed, told, audited } = setUp();
    expect(await run(['ABCD2345'])).toBe(gateTexts('en').pair.done(JUN));
    expect(confirmed).toEqual([['ABCD2345', 'mina']]);
    expect(audited).toEqual([['pair', 'discord:42']]);
    expect(told).toEqual([[pairing().target, { text: gateTexts('ko').pair.welcome(), isSentAnyway: true }]]);
  });

  it.each([[['ABCD', '2345']], [['`ABCD2345`']], [['', 'ABCD2345', '']]])('takes it as %j', async (args) => {
    const { run, confirmed } = setUp();
    await run(args);
    expect(confirmed.map(([code]) => code)).toEqual(['ABCD2345']);
  });

  it.each(['en', 'ko'] as const)('says that nobody waits with it, and tells nobody (%s)', async (locale) => {
    const { run, told } = setUp();
    const typed = `WRONG*${'x'.repeat(5_000)}`;
    const code = `WRONG${'x'.repeat(27)}`;
    expect(await run([typed], { locale })).toBe(gateTexts(locale).pair.unknown({ code }));
    expect(told).toEqual([]);
  });

  it.each<[string, NonNullable<Options['notify']>]>([
    ['too much waits for them', async () => 'full'],
    ['it could not be stored', () => Promise.reject(new Error('disk full'))],
  ])('says to tell the person where %s', async (_why, notify) => {
    expect(await setUp({ notify }).run(['ABCD2345'])).toBe(gateTexts('en').pair.doneUntold(JUN));
  });
});

describe('/pair deny', () => {
  it.each<[readonly string[], CommandFlags | undefined]>([
    [['deny', 'ABCD2345'], undefined],
    [['거절', '`ABCD2345`'], undefined],
    [['ABCD2345'], new Map([['deny', true]])],
    [[], new Map([['deny', 'ABCD2345']])],
  ])('declines the request, tells the person and leaves an audit line: %j', async (args, flags) => {
    const { run, denied, confirmed, told, audited } = setUp();
    expect(await run(args, {}, flags)).toBe(gateTexts('en').pair.denied(JUN));
    expect([denied, confirmed]).toEqual([[['ABCD2345', 'mina']], []]);
    expect(told).toEqual([[pairing().target, { text: gateTexts('ko').pairingDenied(), isSentAnyway: true }]]);
    expect(audited).toEqual([['pair-deny', 'discord:42']]);
  });

  it('says where nobody waits with the code, and how it is used', async () => {
    const { run, told, audited } = setUp();
    const t = gateTexts('ko').pair;
    expect(await run(['deny', 'WRONG'], { locale: 'ko' })).toBe(t.unknown({ code: 'WRONG' }));
    expect(await run(['deny'], { locale: 'ko' })).toBe(t.denyUsage());
    expect([...told, ...audited]).toEqual([]);
  });
});

describe('/pair revoke', () => {
  it.each<[readonly string[], CommandFlags | undefined]>([
    [['revoke', 'discord:42'], undefined],
    [['--revoke', 'discord:42'], undefined],
    [['REVOKE', '`discord:42`'], undefined],
    [['해제', 'discord:42'], undefined],
    [[], new Map([['revoke', 'discord:42']])],
    [['discord:42'], new Map([['revoke', true]])],
  ])('takes it back: %j', async (args, flags) => {
    const { run, revoked, confirmed, audited } = setUp();
    expect(await run(args, {}, flags)).toBe(gateTexts('en').pair.revoked({ id: 'discord:42' }));
    expect(revoked).toEqual([['discord', '42']]);
    expect(audited).toEqual([['pair-revoke', 'discord:42']]);
    expect(confirmed).toEqual([]);
  });

  it('says where there is nothing to take back', async () => {
    const { run, revoked } = setUp();
    const content = gateTexts('ko').pair.notPaired({ id: 'matrix:@a:b' });
    expect(await run(['revoke', 'matrix:@a:b'], { locale: 'ko' })).toBe(content);
    expect(revoked).toEqual([['matrix', '@a:b']]);
  });

  it.each([
    [['revoke']],
    [['revoke', '42']],
    [['revoke', 'discord:']],
    [['revoke', ':42']],
    [['--revoke', '']],
  ])('explains itself for %j', async (args) => {
    const { run, revoked } = setUp();
    expect(await run(args)).toBe(gateTexts('en').pair.revokeUsage());
    expect(revoked).toEqual([]);
  });
});

describe('who is no administrator', () => {
  it.each([[[]], [['ABCD2345']], [['deny', 'ABCD2345']], [['revoke', 'discord:42']]])(
    'can do nothing of it, also with a role of that name: %j',
    async (args) => {
      const { run, confirmed, denied, revoked } = setUp();
      const nobody = { isAdmin: false, userRoles: ['admin'] };
      expect(await run(args, nobody)).toBe(commandTexts('en').missingRole({ name: 'pair' }));
      expect([...confirmed, ...denied, ...revoked]).toEqual([]);
    },
  );
});
