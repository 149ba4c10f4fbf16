import { describe, expect, it } from 'vitest';
import { link } from '#commands/link.ts';
import { texts } from '#src/core/i18n.ts';
import type { Identities } from '#src/core/identity.ts';
import { asId, type ChannelId, type UserId } from '#src/core/ids.ts';
import type { MsgContext } from '#src/core/message.ts';
import type { PersonRef } from '#src/core/personal-desk.ts';
import { msgContext } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const NOTHING = { portfolios: 0, transactions: 0, alerts: 0, watched: 0, briefings: 0 };
const OTHER: PersonRef = { channelId: asId<ChannelId>('discord'), userId: asId<UserId>('42') };
const { identity: EN } = texts('en');

const setUp = (more: Partial<Identities> = {}, others: readonly PersonRef[] = []) => {
  const calls: string[] = [];
  const clock = new ManualClock();
  const note = (what: string, { channelId, userId }: PersonRef) =>
    calls.push(`${what} ${channelId} ${userId}`);
  const identities: Identities = {
    of: async (person) => [person, ...others],
    owned: async () => NOTHING,
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
      return true;
    },
    ...more,
  };
  const command = link({ identities, clock });
  const run = async (line: string, ctx: Partial<MsgContext> = {}, flags?: ReadonlyMap<string, true>) => {
    const args = line === '' ? [] : line.split(' ');
    const result = await command.execute(args, msgContext(ctx), new AbortController().signal, flags);
    expect(result.ephemeral).toBe(true);
    return { content: result.content, buttons: (result.choices ?? []).map((choice) => choice.command) };
  };
  return { run, calls };
};

describe('/link', () => {
  it('gives a code in a direct chat, with how to use it, for how long, and with whom one is linked', async () => {
    const { run, calls } = setUp({}, [OTHER]);
    const { content } = await run('');
    for (const part of ['`/link ABCD-EFGH`', '10 minutes', 'Discord (`42`)', EN.tellNobody()])
      expect(content).toContain(part);
    expect(calls).toEqual(['code test mina']);
    const korean = await setUp().run('', { locale: 'ko' });
    expect(korean.content).toContain('`/link ABCD-EFGH`');
    expect(korean.content).not.toContain('Discord (');
  });

  it.each(['group', 'channel'] as const)('gives no code in a %s, and says where', async (chatType) => {
    const { run, calls } = setUp();
    expect((await run('', { chatType })).content).toBe(EN.directOnly());
    expect(calls).toEqual([]);
  });

  it.each(['ABCD-EFGH', 'abcd efgh', '`AbCdEfGh`'])(
    'links with %j, and says with whom and what',
    async (typed) => {
      const { run, calls } = setUp();
      const { content } = await run(typed);
      expect(content).toContain('Linked with Discord (`42`)');
      expect(content).toContain('1 portfolio with 7 transactions');
      expect(calls).toEqual([`link ${typed.replaceAll('`', '').toUpperCase()} test mina`]);
    },
  );

  it('asks who has something of their own first: the other side keeps it', async () => {
    const { run, calls } = setUp({ owned: async () => ({ ...NOTHING, watched: 3 }) });
    const asked = await run('ABCD-EFGH');
    expect(asked.content).toContain('3 on the watchlist');
    expect(asked.buttons).toEqual(['/link ABCD-EFGH --yes']);
    expect(calls).toEqual([]);
    await run('ABCD-EFGH', {}, new Map([['yes', true]]));
    const interaction = { token: 't', isPrivate: true };
    await run('ABCD-EFGH --yes', { chatType: 'channel', interaction });
    expect(calls).toEqual(['link ABCD-EFGH test mina', 'link ABCD-EFGH test mina']);
  });

  it.each(['ABCD-EFGH', 'ABCD-EFGH --yes'])('makes a code void that others could read: %j', async (line) => {
    const { run, calls } = setUp();
    expect((await run(line, { chatType: 'group' })).content).toBe(EN.readByOthers());
    expect(calls).toEqual(['void ABCD-EFGH']);
  });

  it.each(['unknown', 'same'] as const)('says what to do where a code is %s', async (status) => {
    for (const locale of ['en', 'ko'] as const) {
      const { run } = setUp({ link: async () => ({ status }) });
      expect((await run('ABCD-EFGH', { locale })).content).toBe(texts(locale).identity[status]());
    }
  });

  it('takes a link back once that was confirmed', async () => {
    const { run, calls } = setUp({}, [OTHER]);
    const asked = await run('off');
    expect(asked.buttons).toEqual(['/link off --yes']);
    expect(calls).toEqual([]);
    expect((await run('해제 --yes')).content).toBe(EN.off({ others: 'Discord (`42`)' }));
    expect(calls).toEqual(['unlink test mina']);
    const alone = setUp();
    expect((await alone.run('off --yes')).content).toBe(EN.notLinked());
    expect(alone.calls).toEqual([]);
  });

  it.each(['ABCD', 'ABCD-EFGH-JKLM', 'of', '--yes', '<@U1>'])('explains itself for %j', async (line) => {
    const { run, calls } = setUp();
    expect((await run(line)).content).toContain('/link [<code> | off]');
    expect(calls).toEqual([]);
  });
});
