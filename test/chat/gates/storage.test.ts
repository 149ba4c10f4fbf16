import { expect, it } from 'vitest';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import { createDailyBytes } from '#src/platform/files/daily-bytes.ts';
import { storage } from '#src/chat/gates/storage.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { directMessage, gatesDeps, senderNamed } from './support.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** The rate limit of a day. */
const MESSAGES = 20 * 60 * 24;

const person = (id: string) => ({ channelId: asId<ChannelId>('test'), userId: asId<UserId>(id) });

it.each([
  ['pasted rows', `/portfolio import\n${'x'.repeat(9_880)}`],
  ['words of a command', `/help ${'x'.repeat(1_990)}`],
  ['questions', '삼'.repeat(20_000)],
])('a day of %s at the rate limit ends after 20 MB, and the next day goes on', async (_, body) => {
  const clock = new ManualClock();
  const { storage: database } = await sqliteStorage();
  const deps = gatesDeps(database, { clock });
  const gate = storage(deps);
  let passed = 0;
  for (let sent = 0; sent < MESSAGES; sent += 1) {
    const { verdict } = await gate.check(directMessage({ body }));
    if (verdict === 'drop') break;
    passed += 1;
  }
  expect(passed * (Buffer.byteLength(body) + 2_500)).toBeLessThan(20_100_000);
  const check = (text: string, who = 'mina') =>
    gate.check(directMessage({ body: text, ...senderNamed(who) }));
  const reply = gateTexts('en').storedEnough();
  expect(await check('hello')).toEqual({ verdict: 'drop', reason: 'stored-enough', reply });
  // What is under way can be ended, and everything deleted. Others notice nothing.
  for (const words of ['/stop', '/privacy delete']) expect((await check(words)).verdict).toBe('pass');
  expect((await check('hello', 'bob')).verdict).toBe('pass');
  await clock.advance(DAY_MS);
  expect((await check('hello')).verdict).toBe('pass');
});

it('forgets those who wrote longest ago, and reads again what is stored of them', async () => {
  const clock = new ManualClock();
  const reads: string[] = [];
  const storedToday = createDailyBytes({
    clock,
    storedBytes: async ({ userId }) => {
      reads.push(userId);
      return { bytes: 7, pictures: 0, since: clock.now().subtract({ hours: 23 }) };
    },
  });
  expect(await storedToday.of(person('ann'))).toBe(7);
  storedToday.add(person('ann'), 3);
  expect(await storedToday.of(person('ann'))).toBe(10);
  for (let index = 0; index < 2_000; index += 1) await storedToday.of(person(String(index)));
  expect(await storedToday.of(person('ann'))).toBe(7);
  await clock.advance(2 * 60 * 60_000);
  expect(await storedToday.of(person('ann'))).toBe(7);
  expect(reads.filter((id) => id === 'ann')).toHaveLength(3);
});
