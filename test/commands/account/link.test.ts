import { describe, expect, it } from 'vitest';
import { link } from '#commands/account/link.ts';
import { countAmounts } from '#src/kernel/people/texts/privacy.ts';
import { identityTexts } from '#src/kernel/people/texts/identity.ts';
import type { Identities } from '#src/kernel/people/identity.ts';
import { asId, type ChannelId, type PersonRef, type UserId, type NamedIdentity } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { parseCommand } from '#src/chat/commands/command-registry.ts';
import { labelsOf, sharedAmong } from '#src/people/store/rows.ts';
import { msgContext } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { TABLES } from '#test/support/database.ts';

const NOTHING = { portfolios: 0, transactions: 0, alerts: 0, watched: 0, briefings: 0 };
const OTHER: NamedIdentity = {
  channelId: asId<ChannelId>('discord'),
  userId: asId<UserId>('42'),
  name: 'Eve',
};
const EN = identityTexts('en');

const setUp = (more: Partial<Identities> = {}, others: readonly NamedIdentity[] = []) => {
  const calls: string[] = [];
  const clock = new ManualClock();
  const note = (what: string, { channelId, userId }: PersonRef) =>
    calls.push(`${what} ${channelId} ${userId}`);
  const identities: Identities = {
    labels: labelsOf(sharedAmong(TABLES)),
    of: async (person) => [person, ...others],
    ask: async (code, person) => {
      note(`ask ${code}`, person);
      return { status: 'asked', with: [OTHER], owned: NOTHING };
    },
    decline: async (person) => {
      note('decline', person);
      return true;
    },
    split: async () => (others.length > 0 ? { others, takes: ['main'], leaves: ['`x`'] } : undefined),
    issueCode: async (person) => {
      note('code', person);
      return { code: 'ABCD-EFGH', expiresAt: clock.now().add({ minutes: 10 }) };
    },
    link: async (code, person) => {
      note(`link ${code}`, person);
      return { status: 'linked', with: OTHER, owned: { ...NOTHING, portfolios: 1, transactions: 7 } };
    },
    voidCode: async (code) => void calls.push(`void ${code}`),
    unlink: async (person) => {
      note('unlink', person);
      return others.length > 0 ? { others, takes: [], leaves: ['x'] } : undefined;
    },
    ...more,
  };
  const command = link({ identities, directTarget: async (target) => target, clock });
  const run = async (line: string, ctx: Partial<TurnContext> = {}, flags?: ReadonlyMap<string, true>) => {
    const parsed = parseCommand(`/link ${line}`, ['/']);
    if (!parsed) throw new Error(`${line} is no command`);
    const result = await command.execute(
      parsed.args,
      msgContext(ctx),
      new AbortController().signal,
      flags ?? parsed.flags,
    );
    expect(result.ephemeral).toBe(true);
    return { content: result.content, buttons: (result.choices ?? []).map((choice) => choice.command) };
  };
  return { run, calls };
};

describe('/link', () => {
  it('gives a code in a direct chat, with how to use it, for how long, and with whom one is linked', async () => {
    const { run, calls } = setUp({}, [OTHER]);
    const { content } = await run('');
    for (const part of ['**/link ABCD-EFGH**', '10 minutes', 'Discord `Eve` (`42`)', EN.tellNobody()])
      expect(content).toContain(part);
    expect(calls).toEqual(['code test mina']);
    const korean = await setUp().run('', { locale: 'ko' });
    expect(korean.content).toContain('**/link ABCD-EFGH**');
    expect(korean.content).not.toContain('Discord (');
  });

  it.each(['group', 'channel'] as const)('gives no code in a %s, and says where', async (chatType) => {
    const { run, calls } = setUp();
    expect((await run('', { chatType })).content).toBe(EN.directOnly());
    expect(calls).toEqual([]);
  });

  it.each(['ABCD-EFGH', 'abcd efgh', '`AbCdEfGh`'])(
    'asks before it links with %j, whoever owns what: with whom, what is shared, and what is not',
    async (typed) => {
      for (const locale of ['en', 'ko'] as const) {
        const { run, calls } = setUp();
        const { content, buttons } = await run(typed, { locale });
        const code = typed.replaceAll('`', '').toUpperCase();
        const owned = countAmounts(labelsOf(sharedAmong(TABLES)), NOTHING, locale);
        expect(content).toBe(identityTexts(locale).confirmLink({ other: 'Discord `Eve` (`42`)', owned }));
        expect(content).toMatch(/Not shared:\*\* your messages|공유하지 않는 정보:\*\* 내 메시지/);
        expect(buttons).toEqual([`/link ${code} --yes`, '/link no']);
        expect(calls).toEqual([`ask ${code} test mina`]);
      }
    },
  );

  it('shows the name of a stranger as plain text, and names everybody on the other side', async () => {
    const hostile = '\u202e**[Ann](https://evil.example)** <@everyone> `x`';
    const eve = { ...OTHER, name: hostile };
    const { run } = setUp({
      ask: async () => ({
        status: 'asked',
        with: [eve, { ...OTHER, userId: asId<UserId>('43') }],
        owned: NOTHING,
      }),
    });
    const { content } = await run('ABCD-EFGH');
    expect(content).toContain('Discord `Ann(https: //evil.example) @ever` (`42`)');
    expect(content).toContain('(`43`)');
    expect(content).not.toContain('\u202e');
  });

  it('links after a yes, also where it is called as a command among others, and says with whom', async () => {
    const { run, calls } = setUp();
    const interaction = { token: 't', isPrivate: true };
    const { content } = await run('ABCD-EFGH --yes', { chatType: 'channel', interaction });
    expect(content).toContain('Linked with Discord `Eve` (`42`)');
    expect(content).toContain('1 portfolio with 7 transactions');
    await run('ABCD-EFGH', {}, new Map([['yes', true]]));
    expect(calls).toEqual(['link ABCD-EFGH test mina', 'link ABCD-EFGH test mina']);
  });

  it.each([
    ['unasked', ''],
    ['changed', EN.changed()],
  ] as const)('asks instead of linking where a yes is %s', async (status, before) => {
    const { run, calls } = setUp({ link: async () => ({ status }) });
    const { content, buttons } = await run('ABCD-EFGH --yes');
    expect(content.startsWith(before)).toBe(true);
    expect(content).toContain('Link this account with Discord `Eve`');
    expect(buttons).toHaveLength(2);
    expect(calls).toEqual(['ask ABCD-EFGH test mina']);
  });

  it.each([
    ['en', '10,000', '`/portfolio delete name`'],
    ['ko', '10,000', '`/portfolio 삭제 이름`'],
  ] as const)(
    'says what to do where both have too many entries together, in %s',
    async (locale, limit, command) => {
      const { run } = setUp({ link: async () => ({ status: 'full', limit: 10_000 }) });
      const { content } = await run('ABCD-EFGH --yes', { locale });
      expect(content).toContain(limit);
      expect(content).toContain(command);
    },
  );

  it.each(['no', '아니요'])('links nothing after %j', async (typed) => {
    const { run, calls } = setUp();
    expect((await run(typed)).content).toBe(EN.declined());
    expect(calls).toEqual(['decline test mina']);
    expect((await setUp({ decline: async () => false }).run(typed)).content).toBe(EN.nothingToDecline());
  });

  it.each(['ABCD-EFGH', 'ABCD-EFGH --yes'])('makes a code void that others could read: %j', async (line) => {
    const { run, calls } = setUp();
    expect((await run(line, { chatType: 'group' })).content).toBe(EN.readByOthers());
    expect(calls).toEqual(['void ABCD-EFGH']);
  });

  it.each(['unknown', 'same'] as const)('says what to do where a code is %s', async (status) => {
    for (const locale of ['en', 'ko'] as const) {
      const { run } = setUp({ ask: async () => ({ status }), link: async () => ({ status }) });
      expect((await run('ABCD-EFGH --yes', { locale })).content).toBe(identityTexts(locale)[status]());
      expect((await run('ABCD-EFGH', { locale })).content).toBe(identityTexts(locale)[status]());
    }
  });

  it('says who keeps what before a link ends, and after it', async () => {
    const { run, calls } = setUp({}, [OTHER]);
    const asked = await run('off');
    expect(asked.buttons).toEqual(['/link off --yes']);
    expect(asked.content).toContain('created here stay with you: `main`');
    expect(asked.content).toContain("stay with Discord `Eve` (`42`), and leave you: `'x'`");
    expect(calls).toEqual([]);
    expect((await run('해제 --yes')).content).toBe(EN.off({ others: 'Discord `Eve` (`42`)', leaves: '`x`' }));
    expect(calls).toEqual(['unlink test mina']);
    const alone = setUp();
    for (const line of ['off', 'off --yes']) expect((await alone.run(line)).content).toBe(EN.notLinked());
  });

  it.each(['ABCD', 'ABCD-EFGH-JKLM', 'of', '--yes', 'ABCD-EFGH -- --yes', '<@U1>'])(
    'explains itself for %j',
    async (line) => {
      const { run, calls } = setUp();
      expect((await run(line)).content).toContain('/link [<code> | off]');
      expect(calls).toEqual([]);
    },
  );
});
