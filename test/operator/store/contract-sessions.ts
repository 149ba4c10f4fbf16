import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import { createOperatorSessions } from '#src/operator/store/sessions.ts';
import type { TestStorage } from '#test/support/database.ts';

const PERSON = { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('U1') };
const HOLDER = { person: PERSON, roles: ['a', 'b'] };
const AT = Temporal.Instant.from('2026-11-13T06:30:00Z');
const LATER = AT.add({ hours: 12 });
const session = (hash: string) => ({ hash, createdAt: AT, expiresAt: LATER });

/** The part of the contract about the codes and sessions of the operator page. */
export const describeOperatorSessionsContract = (name: string, open: () => Promise<TestStorage>): void => {
  describe(`operator sessions on ${name}`, () => {
    it('give a code to one of many, who then have the session of its holder', async () => {
      const sessions = createOperatorSessions((await open()).storage);
      await sessions.putCode('code', HOLDER, AT.add({ minutes: 2 }));
      const tries = await Promise.all(
        ['s1', 's2', 's3', 's4'].map(async (hash) => sessions.redeem('code', session(hash), AT)),
      );
      expect(tries.filter((found) => found !== undefined)).toEqual([HOLDER]);
      const found = await sessions.find(['s1', 's2', 's3', 's4', 's5'], AT);
      expect(found).toEqual([{ hash: expect.stringMatching(/^s\d$/), holder: HOLDER, expiresAt: LATER }]);
      expect(await sessions.find(['s1', 's2', 's3', 's4'], LATER)).toEqual([]);
    });

    it('refuse a code that has expired, was replaced, or never was', async () => {
      const sessions = createOperatorSessions((await open()).storage);
      await sessions.putCode('first', HOLDER, AT.add({ minutes: 2 }));
      await sessions.putCode('second', HOLDER, AT.add({ minutes: 2 }));
      expect(await sessions.redeem('first', session('s1'), AT)).toBeUndefined();
      expect(await sessions.redeem('never', session('s1'), AT)).toBeUndefined();
      expect(await sessions.redeem('second', session('s1'), AT.add({ minutes: 2 }))).toBeUndefined();
      expect(await sessions.find(['s1'], AT)).toEqual([]);
    });

    it('end one by one, for a person with their code, and for all who used the token', async () => {
      const sessions = createOperatorSessions((await open()).storage);
      for (const hash of ['s1', 's2']) {
        await sessions.putCode(hash, HOLDER, AT.add({ minutes: 2 }));
        await sessions.redeem(hash, session(hash), AT);
      }
      await sessions.add(session('t1'));
      await sessions.add(session('t2'));
      await sessions.putCode('unused', HOLDER, AT.add({ minutes: 2 }));
      await sessions.end('t2');
      const left = async () =>
        (await sessions.find(['s1', 's2', 't1', 't2'], AT)).map(({ hash }) => hash).toSorted();
      expect(await left()).toEqual(['s1', 's2', 't1']);
      expect(await sessions.endAll(PERSON)).toBe(2);
      expect(await sessions.redeem('unused', session('s3'), AT)).toBeUndefined();
      expect(await left()).toEqual(['t1']);
      expect(await sessions.endAll('token')).toBe(1);
      expect(await left()).toEqual([]);
    });
  });
};
