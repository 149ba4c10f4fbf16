import { describe, expect, it } from 'vitest';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import { createAwaitedInputs } from '#src/chat/store/awaited-inputs.ts';
import { createPairings, MAX_PENDING, type PairingRequest } from '#src/people/store/pairings.ts';
import type { TestStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const SLACK = asId<ChannelId>('slack');
const DISCORD = asId<ChannelId>('discord');
const ADMIN = asId<UserId>('boss');
const AN_HOUR_MS = 60 * 60_000;

const requestOf = (userId: string, channelId = SLACK): PairingRequest => ({
  channelId,
  userId: asId<UserId>(userId),
  userName: `Name of ${userId}`,
  target: {
    channelId,
    accountId: asId<AccountId>('T1'),
    chatId: asId<ChatId>(`dm-${userId}`),
    recipientId: asId<UserId>(userId),
  },
  locale: 'ko',
});

/** The part of the contract about who may write directly, and who was asked something in a group. */
export const describePairingsContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage, reopen } = await open();
    const clock = new ManualClock();
    const pairings = createPairings(storage, clock);
    const codeOf = async (request: PairingRequest): Promise<string> => {
      const result = await pairings.request(request);
      return result.outcome === 'code' ? result.code : `none: ${result.outcome}`;
    };
    const rows = () => storage.db.selectFrom('pairings').selectAll().orderBy('user_id').execute();
    return { storage, reopen, clock, pairings, codeOf, rows };
  };

  const setUpInputs = async () => {
    const { storage, clock } = await setUp();
    const inputs = createAwaitedInputs(storage, clock);
    const count = async () => (await storage.db.selectFrom('awaited_inputs').selectAll().execute()).length;
    return { clock, inputs, count };
  };

  describe(`pairings on ${name}`, () => {
    it('wait with a code of eight clear letters and digits, another one each time', async () => {
      const { pairings, codeOf } = await setUp();
      const codes = [
        await codeOf(requestOf('a')),
        await codeOf(requestOf('b')),
        await codeOf(requestOf('c')),
      ];
      expect(new Set(codes).size).toBe(3);
      for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
      expect((await pairings.pending()).map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
    });

    it('are listed whole, the oldest first, until their hour is over', async () => {
      const { clock, pairings, codeOf } = await setUp();
      const first = await codeOf(requestOf('b'));
      await clock.advance(60_000);
      const second = await codeOf(requestOf('a', DISCORD));
      expect(await pairings.pending()).toEqual([
        { ...requestOf('b'), code: first, expiresAt: Temporal.Instant.from('2026-11-13T07:30:00Z') },
        {
          ...requestOf('a', DISCORD),
          code: second,
          expiresAt: Temporal.Instant.from('2026-11-13T07:31:00Z'),
        },
      ]);
      await clock.advance(AN_HOUR_MS - 60_001);
      expect(await pairings.pending()).toHaveLength(2);
      await clock.advance(1);
      expect((await pairings.pending()).map(({ userId }) => userId)).toEqual(['a']);
    });

    it('are confirmed once, by whom and when is kept, also after a restart', async () => {
      const { storage, reopen, clock, pairings, codeOf, rows } = await setUp();
      const code = await codeOf(requestOf('a'));
      expect(await pairings.isPaired(SLACK, asId<UserId>('a'))).toBe(false);
      await clock.advance(5_000);
      expect(await pairings.confirm(code, ADMIN)).toMatchObject({ ...requestOf('a'), code });
      expect(await pairings.confirm(code, ADMIN)).toBeUndefined();
      expect(await pairings.pending()).toEqual([]);
      expect(await rows()).toMatchObject([
        { status: 'paired', decided_by: 'boss', decided_at: '2026-11-13T06:30:05.000Z' },
      ]);
      await storage.close();
      const again = createPairings(await reopen(), clock);
      expect(await again.isPaired(SLACK, asId<UserId>('a'))).toBe(true);
      expect(await again.isPaired(SLACK, asId<UserId>('b'))).toBe(false);
      expect(await again.isPaired(DISCORD, asId<UserId>('a'))).toBe(false);
    });

    it('hold after the hour of their code', async () => {
      const { clock, pairings, codeOf } = await setUp();
      await pairings.confirm(await codeOf(requestOf('a')), ADMIN);
      await clock.advance(100 * AN_HOUR_MS);
      await codeOf(requestOf('b'));
      expect(await pairings.isPaired(SLACK, asId<UserId>('a'))).toBe(true);
      expect(await pairings.request(requestOf('a'))).toEqual({ outcome: 'paired' });
    });

    it('accept a code in small or full-width letters, with dashes, blanks and punctuation', async () => {
      const { pairings, codeOf } = await setUp();
      const typings: readonly ((code: string) => string)[] = [
        (code) => code.toLowerCase(),
        (code) => `${code.slice(0, 4)}-${code.slice(4)}`,
        (code) => `${code.slice(0, 4)}–${code.slice(4)}`,
        (code) => ` ${code.slice(0, 2)} ${code.slice(2)}\n`,
        (code) => `“${code}”.`,
        (code) => code.replaceAll(/[!-~]/gu, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
      ];
      for (const [index, typed] of typings.entries()) {
        const code = await codeOf(requestOf(`user-${index}`));
        expect(await pairings.confirm(typed(code), ADMIN)).toMatchObject({ code, userId: `user-${index}` });
      }
    });

    it('take nothing else for a code', async () => {
      const { pairings, codeOf } = await setUp();
      const code = await codeOf(requestOf('a'));
      const others = [
        '',
        '-',
        'ABCDEFGH',
        "' or 1=1 --",
        '%',
        code.slice(0, 7),
        `${code}A`,
        'A'.repeat(10_000),
      ];
      for (const typed of others) expect(await pairings.confirm(typed, ADMIN)).toBeUndefined();
      expect(await pairings.pending()).toHaveLength(1);
    });

    it('do not take a code whose hour is over', async () => {
      const { clock, pairings, codeOf } = await setUp();
      const code = await codeOf(requestOf('a'));
      await clock.advance(AN_HOUR_MS);
      expect(await pairings.confirm(code, ADMIN)).toBeUndefined();
      expect(await pairings.isPaired(SLACK, asId<UserId>('a'))).toBe(false);
    });

    it('give no second code while the first is good, and a new one afterwards', async () => {
      const { clock, pairings, codeOf, rows } = await setUp();
      const first = await codeOf(requestOf('a'));
      await clock.advance(AN_HOUR_MS - 1);
      expect(await pairings.request(requestOf('a'))).toMatchObject({
        outcome: 'waiting',
        code: expect.any(String),
      });
      await clock.advance(1);
      const second = await codeOf(requestOf('a'));
      expect(second).toMatch(/^\w{8}$/);
      expect(second).not.toBe(first);
      expect(await rows()).toHaveLength(1);
    });

    it('let the newest wait on a platform; who was let in, refused or came too late takes no place', async () => {
      const { clock, pairings, codeOf, rows } = await setUp();
      await pairings.confirm(await codeOf(requestOf('let-in')), ADMIN);
      await pairings.deny(await codeOf(requestOf('refused')), ADMIN);
      await codeOf(requestOf('elsewhere', DISCORD));
      const first = await codeOf(requestOf('first'));
      for (let stranger = 1; stranger < MAX_PENDING; stranger += 1) {
        await clock.advance(1);
        await codeOf(requestOf(`stranger-${stranger}`));
      }
      expect(await pairings.request(requestOf('first'))).toEqual({ outcome: 'waiting', code: first });
      expect(await pairings.request(requestOf('newest'))).toMatchObject({ outcome: 'code' });
      const waiting = (await pairings.pending()).filter(({ channelId }) => channelId === SLACK);
      expect(waiting).toHaveLength(MAX_PENDING);
      expect(waiting.map(({ userId }) => userId)).not.toContain('first');
      expect(await pairings.confirm(first, ADMIN)).toBeUndefined();
      expect(await pairings.request(requestOf('let-in'))).toEqual({ outcome: 'paired' });
      expect((await rows()).map(({ user_id }) => user_id)).toEqual(
        expect.arrayContaining(['let-in', 'refused', 'elsewhere', 'newest']),
      );
    });

    it('let no more wait where many ask at the same moment, and leave nothing else behind', async () => {
      const { pairings, rows } = await setUp();
      const users = Array.from({ length: MAX_PENDING + 5 }, (_, index) => `user-${index}`);
      const results = await Promise.all(users.map((user) => pairings.request(requestOf(user))));
      expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['code']));
      expect(await rows()).toHaveLength(MAX_PENDING);
    });

    it('are refused once; the person is told so for a day, and can ask again after it', async () => {
      const { clock, pairings, codeOf, rows } = await setUp();
      const code = await codeOf(requestOf('a'));
      expect(await pairings.deny('ABCDEFGH', ADMIN)).toBeUndefined();
      expect(await pairings.deny(code.toLowerCase(), ADMIN)).toMatchObject({ ...requestOf('a'), code });
      expect(await pairings.deny(code, ADMIN)).toBeUndefined();
      expect(await pairings.confirm(code, ADMIN)).toBeUndefined();
      expect(await pairings.pending()).toEqual([]);
      expect(await rows()).toMatchObject([{ status: 'denied', decided_by: 'boss' }]);
      await clock.advance(24 * AN_HOUR_MS - 1);
      expect(await pairings.request(requestOf('a'))).toEqual({ outcome: 'denied' });
      expect(await pairings.isPaired(SLACK, asId<UserId>('a'))).toBe(false);
      await clock.advance(1);
      expect(await pairings.request(requestOf('a'))).toMatchObject({ outcome: 'code' });
    });

    it('give one code to somebody who asks several times at once', async () => {
      const { pairings, rows } = await setUp();
      const results = await Promise.all([1, 2, 3, 4].map(() => pairings.request(requestOf('a'))));
      expect(results.map(({ outcome }) => outcome).toSorted()).toEqual([
        'code',
        'waiting',
        'waiting',
        'waiting',
      ]);
      expect(await rows()).toHaveLength(1);
    });

    it('are confirmed by one of two administrators who type the code at once', async () => {
      const { pairings, codeOf } = await setUp();
      const code = await codeOf(requestOf('a'));
      const results = await Promise.all([pairings.confirm(code, ADMIN), pairings.confirm(code, ADMIN)]);
      expect(results.filter((pairing) => pairing !== undefined)).toHaveLength(1);
    });

    it('are taken back, of whom they were given only', async () => {
      const { pairings, codeOf } = await setUp();
      await pairings.confirm(await codeOf(requestOf('a')), ADMIN);
      await codeOf(requestOf('b'));
      expect(await pairings.revoke(SLACK, asId<UserId>('b'))).toBe(false);
      expect(await pairings.revoke(DISCORD, asId<UserId>('a'))).toBe(false);
      expect(await pairings.revoke(SLACK, asId<UserId>('a'))).toBe(true);
      expect(await pairings.revoke(SLACK, asId<UserId>('a'))).toBe(false);
      expect(await pairings.isPaired(SLACK, asId<UserId>('a'))).toBe(false);
      expect((await pairings.pending()).map(({ userId }) => userId)).toEqual(['b']);
      expect(await pairings.request(requestOf('a'))).toMatchObject({ outcome: 'code' });
    });

    it('keep a name of any kind, in one line and not without end', async () => {
      const { pairings } = await setUp();
      const userName = `김철수\u0000\u202e\n👩‍👩‍👧 'x' ${'😀'.repeat(200)}`;
      await pairings.request({ ...requestOf('a'), userName });
      const [waiting] = await pairings.pending();
      expect(waiting?.userName).toMatch(/^김철수 👩/);
      expect(waiting?.userName).not.toMatch(/[\u0000\u202e\n]/);
      expect(waiting?.userName.length).toBeLessThanOrEqual(100);
    });
  });

  describe(`awaited inputs on ${name}`, () => {
    const place = {
      channelId: SLACK,
      accountId: asId<AccountId>('T1'),
      chatId: asId<ChatId>('C1'),
    };
    const thread = { ...place, threadId: asId<ThreadId>('1763015000.000001') };
    const ME = asId<UserId>('U1');

    it('are open for that person in that place, for as long as was said', async () => {
      const { clock, inputs } = await setUpInputs();
      await inputs.open(thread, ME, 600_000);
      expect(await inputs.isOpen(thread, ME)).toBe(true);
      expect(await inputs.isOpen(thread, asId<UserId>('U2'))).toBe(false);
      const others = [
        place,
        { ...thread, channelId: DISCORD },
        { ...thread, accountId: asId<AccountId>('T2') },
        { ...thread, chatId: asId<ChatId>('C2') },
        { ...thread, threadId: asId<ThreadId>('other') },
      ];
      for (const other of others) expect(await inputs.isOpen(other, ME)).toBe(false);
      await clock.advance(599_999);
      expect(await inputs.isOpen(thread, ME)).toBe(true);
      await clock.advance(1);
      expect(await inputs.isOpen(thread, ME)).toBe(false);
    });

    it('are open longer where they are opened again', async () => {
      const { clock, inputs, count } = await setUpInputs();
      await inputs.open(place, ME, 600_000);
      await clock.advance(300_000);
      await inputs.open(place, ME, 600_000);
      await clock.advance(599_999);
      expect(await inputs.isOpen(place, ME)).toBe(true);
      expect(await count()).toBe(1);
    });

    it('do not pile up', async () => {
      const { clock, inputs, count } = await setUpInputs();
      for (const user of ['U1', 'U2', 'U3']) await inputs.open(thread, asId<UserId>(user), 1_000);
      await inputs.open(thread, asId<UserId>('U4'), 1_001);
      await clock.advance(1_000);
      await inputs.open(thread, asId<UserId>('U5'), 1_000);
      expect(await count()).toBe(2);
      expect(await inputs.isOpen(thread, asId<UserId>('U4'))).toBe(true);
    });
  });
};
