import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { askControl } from '#src/platform/net/control-socket.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { restoreTo } from '#test/platform/backup/fixture.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { answer } from '#test/support/engine-app.ts';
import type { PlatformKit } from '#test/support/platforms/driver.ts';
import { discordKit } from '#test/support/platforms/discord.ts';
import { slackKit } from '#test/support/platforms/slack.ts';
import { ECHO, eventually, spokenIn, startTalk } from '#test/support/platforms/talk.ts';
import { ASKS_FIRST } from './cases/approvals.ts';

const PEOPLE = 5;
const ROUNDS = 6;
/** What is shown of an answer that is being made. */
const BEGUN = 'I have begun to think about your question, and this is what I have so far. ';
const NOTE = 'restored from a backup';
const NOON = 'It is noon.';

const heldUntil = (until: Promise<void>, reply: FakeReply): FakeReply =>
  // oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
  ({ kind: 'hold', until, answer: { text: BEGUN }, then: reply });

type Rows = readonly Readonly<Record<string, unknown>>[];

const rowsIn = (dataDir: string, query: string): Rows => {
  const database = new DatabaseSync(join(dataDir, 'finclaw.sqlite'));
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
};
const idsIn = (dataDir: string, where: string): ReadonlySet<unknown> =>
  new Set(rowsIn(dataDir, `select id from inbox where ${where}`).map(({ id }) => id));

const LEDGER = 'select id, number, kind, details from transactions order by id';
const OURS = new Set(['finclaw.sqlite', 'finclaw.sqlite-wal', 'person-codes.key', 'charts', 'exports']);

/** The data directory is lost, and a backup is restored in its place. */
const replaceData = async (dataDir: string, path: string): Promise<void> => {
  for (const name of readdirSync(dataDir))
    if (OURS.has(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
  const restored = mkdtempSync(join(tmpdir(), 'finclaw-test-'));
  await restoreTo({ kind: 'sqlite', directory: restored }, path, {
    isContinued: false,
    now: Temporal.Now.instant(),
  });
  for (const name of readdirSync(restored)) renameSync(join(restored, name), join(dataDir, name));
  rmSync(restored, { recursive: true });
};

it.each([[slackKit], [discordKit]] satisfies [PlatformKit][])(
  'a backup under load loses no message, and after a restore nothing is answered twice ($name)',
  { timeout: 60_000 },
  async (kit) => {
    const talk = await startTalk(kit, { config: () => ({ backup: { everyHours: 0 }, ...ASKS_FIRST }) });
    const { platform, dataDir, claude } = talk;
    try {
      const people = Array.from({ length: PEOPLE }, (_, index) => platform.addPerson(`person${index}`));
      const [held = platform.boss] = people;
      const asker = platform.addPerson('asker');
      const released = Promise.withResolvers<void>();
      // One answer is certainly being made while the backup is.
      claude.otherwise((body) => {
        const words = spokenIn(body);
        if (words.includes('clock'))
          return { kind: 'answer', toolCalls: [{ name: 'get_datetime', input: {} }] };
        // Behind the result of a tool, nobody has said anything.
        const reply = answer(words === '' ? NOON : `${ECHO}${words}`);
        if (!words.includes('slowly')) return reply;
        return heldUntil(released.promise, reply);
      });
      const answersTo = (words: string): number =>
        [...people, asker]
          .flatMap((person) => platform.seenBy(person, platform.direct(person)))
          .filter(({ text }) => text.includes(words)).length;

      platform.say(held, platform.direct(held), 'think slowly about 77');
      await eventually(() => platform.seenBy(held, platform.direct(held)).length > 0);
      // One waits for a decision then, and what is approved is done afterwards.
      platform.say(asker, platform.direct(asker), 'look at the clock');
      const question = await talk.sees(asker, platform.direct(asker), 'Shall I do this');
      const expected: string[] = [];
      let backup: Promise<unknown> = Promise.resolve();
      for (let round = 0; round < ROUNDS; round += 1) {
        if (round === 2) backup = askControl(dataDir, { ask: 'backup' });
        for (const [index, person] of people.entries()) {
          if (person === held) continue;
          const number = `${round + 1}.${index}00000000${index}`;
          const isTrade = (round + index) % 2 === 0;
          const words = isTrade ? `/portfolio buy AAPL ${number} 190.123456789 --yes` : `echo e${number}e`;
          // Answers show every digit, except the zeros at the end.
          expected.push(isTrade ? `Bought ${number.replace(/\.?0+$/u, '')} Apple` : `echo e${number}e`);
          platform.say(person, platform.direct(person), words);
        }
        await eventually(() => talk.count('inbox:accept') >= 2 + (round + 1) * (PEOPLE - 1));
      }
      expect(await backup).toMatchObject({ status: 'answered', answer: { status: 'made' } });
      released.resolve();
      platform.press(asker, question, channelTexts('en').approve());
      expected.push('think slowly about 77', NOON);
      for (const words of expected)
        await eventually(
          () => answersTo(words) === 1,
          () => words,
        );
      await talk.stop();

      const ledger = rowsIn(dataDir, LEDGER);
      const all = idsIn(dataDir, 'true');
      const [file = ''] = readdirSync(join(dataDir, 'backups'));
      await replaceData(dataDir, join(dataDir, 'backups', file));

      // The ledger of that moment, to the last digit, and every message that was accepted by then.
      const restored = rowsIn(dataDir, LEDGER);
      const known = new Map(ledger.map((row) => [row['id'], row]));
      expect(restored.length).toBeGreaterThan(0);
      expect(restored).toEqual(restored.map(({ id }) => known.get(id)));
      const messages = idsIn(dataDir, 'true');
      expect(messages.isSubsetOf(all)).toBe(true);
      expect(messages.size).toBeGreaterThanOrEqual(2 + 2 * (PEOPLE - 1));
      // What is done has its trade in the ledger.
      const trades = rowsIn(
        dataDir,
        `select count(*) as count from inbox where status = 'done' and message like '%/portfolio buy%'`,
      );
      expect(restored.length).toBeGreaterThanOrEqual(Number(trades[0]?.['count']));
      const unanswered = idsIn(dataDir, `status = 'pending' and attempts >= 1000`);
      expect(unanswered.size).toBeGreaterThan(0);

      await talk.start();
      await eventually(() => answersTo(NOTE) >= unanswered.size);
      platform.say(held, platform.direct(held), 'echo e-afterwards-e');
      await eventually(() => answersTo('echo e-afterwards-e') === 1);
      await talk.stop();
      // Each was answered once, by whichever process; whoever was in doubt was told so once.
      expect(expected.map((words) => [words, answersTo(words)])).toEqual(expected.map((words) => [words, 1]));
      expect(answersTo(NOTE)).toBe(unanswered.size);
      expect(idsIn(dataDir, `status in ('pending', 'suspended')`).size).toBe(0);
      const letters = rowsIn(dataDir, 'select inbox_id from dead_letters').map((row) => row['inbox_id']);
      expect(new Set(letters)).toEqual(unanswered);
      expect(rowsIn(dataDir, LEDGER)).toEqual(restored);
    } finally {
      await talk.close();
    }
  },
);
