import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import {
  type ApprovalId,
  asId,
  type ChannelId,
  type InboxId,
  type SessionKey,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { Approval } from '#src/kernel/agent/approval-store.ts';
import { newId } from '#src/platform/ids.ts';
import { createApprovalStore } from '#src/chat/store/approvals.ts';
import type { Database } from '#src/platform/storage/schema.ts';
import type { TestStorage } from '#test/support/database.ts';
import { AT, begin, entryOf, partOf, setUpStorage, turnOf } from '../../platform/storage/contract-fixture.ts';

export type Question = Omit<Approval, 'status' | 'decidedBy'>;

export const SESSION = asId<SessionKey>('agent:main:console:local:direct:me');
export const OTHER_SESSION = asId<SessionKey>('agent:main:slack:T1:channel:C1');
export const TOO_LATE = { outcome: 'too-late' };
export const LAST = { outcome: 'recorded', isLast: true };

export const questionOf = (overrides: Partial<Question> = {}): Question => ({
  id: newId<ApprovalId>(),
  inboxId: newId<InboxId>(),
  turnId: newId<TurnId>(),
  callId: 'call-1',
  sessionKey: SESSION,
  channelId: asId<ChannelId>('console'),
  askedBy: asId<UserId>('me'),
  requesterName: undefined,
  toolName: 'place_order',
  inputHash: 'a1b2',
  summary: 'Buy 10 AAPL',
  reason: 'It cannot be undone',
  locale: 'en',
  target: partOf('').target,
  createdAt: AT,
  expiresAt: AT.add({ minutes: 10 }),
  ...overrides,
});

/** Begins both at once. In every second round the other one is first, so that each gets to win. */
export const atOnce = <A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>) => {
  if (round % 2 === 0) return Promise.all([one(), other()]);
  const begun = other();
  return Promise.all([one(), begun]);
};

/**
 * A second row of this status is refused until the test has ended: what a transaction wrote before that must be
 * undone.
 */
export const refuseSecond = async (
  db: Kysely<Database>,
  table: 'inbox' | 'approvals' | 'turns',
  status: string,
): Promise<void> => {
  const condition = sql`status = ${sql.lit(status)}`;
  await sql`create unique index refused on ${sql.table(table)} (status) where ${condition}`.execute(db);
  // The database may go to another test.
  onTestFinished(async () => void (await sql`drop index refused`.execute(db)));
};

export const setUpApprovals = async (open: () => Promise<TestStorage>) => {
  const all = await setUpStorage(open);
  const { inbox, turns, inboxRow, turnRow } = all;
  const approvals = createApprovalStore(all.storage);

  /** A message whose run is under way and has asked `questions` times. */
  const run = async (questions = 1, overrides: Partial<Question> = {}) => {
    const { sessionKey, askedBy } = questionOf(overrides);
    const entry = { ...entryOf({ senderId: askedBy }), sessionKey };
    const turn = { ...turnOf(entry.id), sessionKey, senderId: askedBy };
    await inbox.accept(entry, AT);
    await begin(inbox, entry.id);
    await turns.open(turn, AT);
    const ids: ApprovalId[] = [];
    for (let index = 1; index <= questions; index += 1) {
      const question = { inboxId: entry.id, turnId: turn.id, callId: `call-${index}`, ...overrides };
      ids.push((await approvals.request(questionOf(question))).id);
    }
    return { entry, turn, ids, id: ids[0] ?? newId<ApprovalId>() };
  };

  /** A message that rests: its run asked `questions` times, and nobody has decided. */
  const rest = async (questions = 1, overrides: Partial<Question> = {}) => {
    const message = await run(questions, overrides);
    await turns.suspend(message.turn.id);
    expect(await inbox.suspend(message.entry.id)).toBe(true);
    return message;
  };

  /** A message of which all was approved, and which nobody has taken up since. */
  const decided = async (questions = 1, overrides: Partial<Question> = {}) => {
    const message = await rest(questions, overrides);
    for (const id of message.ids) await approvals.decide(id, 'approved', 'me', AT);
    return message;
  };

  const statusOf = async (id: ApprovalId) => (await approvals.get(id))?.status;
  /** What became of a message: its own status, its turn's, and those of its questions. */
  const stateOf = async (message: Awaited<ReturnType<typeof run>>) => ({
    inbox: (await inboxRow(message.entry.id)).status,
    turn: (await turnRow(message.turn.id)).status,
    questions: await Promise.all(message.ids.map(statusOf)),
  });

  return { ...all, approvals, run, rest, decided, statusOf, stateOf };
};
