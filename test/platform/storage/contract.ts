import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  type AccountId,
  type AgentId,
  asId,
  type ChannelId,
  type ChatId,
  type EventId,
  type InboxId,
  type SessionKey,
  type TurnId,
} from '#src/kernel/ids.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createInbox } from '#src/chat/store/inbox.ts';
import { createSharedInbox } from '#src/chat/store/shared-inbox.ts';
import { createTurns } from '#src/chat/store/turns.ts';
import type { TestStorage } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { describeAlertsContract } from '../../features/alerts/contract-alerts.ts';
import { describeApprovalsContract } from '../../chat/store/contract-approvals.ts';
import { describeAuditContract } from '../../people/store/contract-audit.ts';
import { describePersonCodesContract } from './contract-person-codes.ts';
import { describeAuthProfilesContract } from '../../agent/store/contract-auth-profiles.ts';
import { AT, begin, DIFFICULT, entryOf, LATER, setUpStorage } from './contract-fixture.ts';
import { describeBriefingsContract } from '../../features/briefings/contract-briefings.ts';
import { describeChannelProgressContract } from '../../chat/store/contract-channel-progress.ts';
import { describeCorporateActionsContract } from '../../features/portfolio/contract-corporate-actions.ts';
import { describeDailyRatesContract } from '../../features/portfolio/contract-daily-rates.ts';
import { describeDeadLettersContract } from '../../chat/store/contract-dead-letters.ts';
import { describeGivingUpContract } from '../../chat/store/contract-giving-up.ts';
import { describeGuildSettingsContract } from '../../chat/store/contract-guild-settings.ts';
import { describeInboxChangesContract } from '../../chat/store/contract-inbox-changes.ts';
import { describeNotificationsContract } from '../../chat/store/contract-notifications.ts';
import { describeOperatorSessionsContract } from '../../operator/store/contract-sessions.ts';
import { describeOperatorContract } from './contract-operator.ts';
import { describeOutboxContract } from '../../chat/store/contract-outbox.ts';
import { describeOwnersContract } from '../../people/store/contract-owners.ts';
import { describePairingsContract } from '../../people/store/contract-pairings.ts';
import { describePersonDataContract } from '../../people/contract-person-data.ts';
import { describePersonOwnContract } from '../../people/contract-person-own.ts';
import { describeEntryLimitContract } from '../../features/portfolio/contract-entry-limit.ts';
import { describePortfoliosContract } from '../../features/portfolio/contract-portfolios.ts';
import { describeProfilesContract } from '../../people/store/contract-profiles.ts';
import { describeRestingContract } from '../../agent/store/contract-resting.ts';
import { describeRetentionContract } from './contract-retention.ts';
import { describeSentFilesContract } from './contract-sent-files.ts';
import { describeTablesContract } from './contract-tables.ts';
import { describeTranscriptsContract } from '../../agent/store/contract-transcripts.ts';
import { describeTurnsContract } from '../../chat/store/contract-turns.ts';
import { describeBudgetContract } from '../../agent/store/contract-budgets.ts';
import { describeUsageContract } from '../../agent/store/contract-usage.ts';
import { describeFeedbackContract } from '../../features/feedback/contract-feedback.ts';
import { describeWatchlistsContract } from '../../features/watchlist/contract-watchlists.ts';
import { describeHomeVisitsContract } from '#test/features/home/contract-home-visits.ts';
import { describeWelcomeContract } from '../../features/welcome/contract-welcome.ts';

/** What every database has to do, whichever it is. `open` gives an empty one for each test. */
export const describeStorageContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = () => setUpStorage(open);

  describe(`inbox on ${name}`, () => {
    it('accepts an event once, and knows it from then on', async () => {
      const { inbox } = await setUp();
      const entry = entryOf();
      expect(await inbox.isKnown(entry.message)).toBe(false);
      expect(await inbox.accept(entry, AT)).toBe('accepted');
      expect(await inbox.isKnown(entry.message)).toBe(true);
      expect(await inbox.accept({ ...entry, id: newId<InboxId>() }, LATER)).toBe('duplicate');
      expect((await inbox.pending()).map(({ id }) => id)).toEqual([entry.id]);
    });

    it('accepts one of the same event when it arrives four times at once', async () => {
      const { inbox } = await setUp();
      const { message } = entryOf();
      const entries = [1, 2, 3, 4].map(() => ({ ...entryOf(), message }));
      const outcomes = await Promise.all(entries.map((entry) => inbox.accept(entry, AT)));
      expect(outcomes.toSorted()).toEqual(['accepted', 'duplicate', 'duplicate', 'duplicate']);
      expect(await inbox.pending()).toHaveLength(1);
    });

    it('does not touch what it has when the same event comes again', async () => {
      const { inbox, inboxRow } = await setUp();
      const entry = entryOf({ body: 'first' });
      await inbox.accept(entry, AT);
      await inbox.settle(entry.id, 'done', LATER);
      await inbox.accept(
        { ...entry, id: newId<InboxId>(), message: { ...entry.message, body: 'second' } },
        AT,
      );
      expect(await inboxRow(entry.id)).toMatchObject({ status: 'done' });
      expect(await inbox.pending()).toEqual([]);
    });

    it.each<[string, Partial<MsgContext>]>([
      ['chat', { chatId: asId<ChatId>('C2') }],
      ['account', { accountId: asId<AccountId>('T2') }],
      ['channel', { channelId: asId<ChannelId>('discord') }],
      ['event', { id: asId<EventId>('1763015400.000200') }],
    ])('takes the same event id in another %s for another message', async (_what, other) => {
      const { inbox } = await setUp();
      const first = entryOf({
        id: asId<EventId>('1763015400.000100'),
        channelId: asId<ChannelId>('slack'),
        accountId: asId<AccountId>('T1'),
        chatId: asId<ChatId>('C1'),
      });
      const second = entryOf({ ...first.message, ...other });
      await inbox.accept(first, AT);
      expect(await inbox.isKnown(second.message)).toBe(false);
      expect(await inbox.accept(second, AT)).toBe('accepted');
      expect((await inbox.pending()).map(({ id }) => id)).toEqual([first.id, second.id]);
    });

    it('gives what is pending in the order of acceptance, also of one millisecond', async () => {
      const { db, inbox } = await setUp();
      const entries = Array.from({ length: 40 }, (_, index) => entryOf({ body: `number ${index}` }));
      await Promise.all(entries.toReversed().map((entry) => inbox.accept(entry, AT)));
      // With statistics a database reads such a small table as it lies, not by an index.
      await sql`analyze inbox`.execute(db);
      const bodies = (await inbox.pending()).map(({ message }) => message.body);
      expect(bodies).toEqual(entries.map(({ message }) => message.body));
    });

    it('gives a message back exactly as it was, with where it was routed to', async () => {
      const { inbox } = await setUp();
      const entry: InboxEntry = {
        id: newId<InboxId>(),
        message: DIFFICULT,
        match: { agentId: asId<AgentId>('에이전트'), matchedBy: 'channel' },
        sessionKey: asId<SessionKey>('agent:에이전트:slack:T%3A1%25:channel:C"1"'),
      };
      expect(await inbox.accept(entry, AT)).toBe('accepted');
      const [found] = await inbox.pending();
      const { timestamp, ...rest } = found?.message ?? inboundMessage();
      const { timestamp: expectedTime, ...expected } = DIFFICULT;
      expect(rest).toStrictEqual(expected);
      expect(timestamp.equals(expectedTime)).toBe(true);
      expect(found).toMatchObject({ id: entry.id, match: entry.match, sessionKey: entry.sessionKey });
      expect(await inbox.isKnown(DIFFICULT)).toBe(true);
    });

    it('does not invent the optional parts of a message', async () => {
      const { inbox } = await setUp();
      const entry = entryOf();
      await inbox.accept(entry, AT);
      const [found] = await inbox.pending();
      expect(Object.keys(found?.message ?? {}).toSorted()).toEqual(Object.keys(entry.message).toSorted());
    });

    it('records when a message was accepted and when it was done', async () => {
      const { inbox, inboxRow } = await setUp();
      const entry = entryOf();
      await inbox.accept(entry, AT);
      expect(await inboxRow(entry.id)).toMatchObject({
        accepted_at: '2026-11-13T06:30:00.123Z',
        settled_at: null,
        attempts: 0,
      });
      await inbox.settle(entry.id, 'done', LATER);
      expect(await inboxRow(entry.id)).toMatchObject({
        status: 'done',
        settled_at: '2026-11-13T06:30:05.000Z',
        error_id: null,
      });
    });

    it('keeps the error id of a message that failed, and does not offer it again', async () => {
      const { inbox, inboxRow } = await setUp();
      const [failed, other] = [entryOf(), entryOf()];
      await inbox.accept(failed, AT);
      await inbox.accept(other, AT);
      await inbox.settle(failed.id, 'failed', LATER, 'deadbeef');
      expect(await inboxRow(failed.id)).toMatchObject({ status: 'failed', error_id: 'deadbeef' });
      expect((await inbox.pending()).map(({ id }) => id)).toEqual([other.id]);
    });

    it('counts attempts as numbers, one by one, also when they come at once', async () => {
      const { inbox } = await setUp();
      const [entry, other] = [entryOf(), entryOf()];
      await inbox.accept(entry, AT);
      await inbox.accept(other, AT);
      const counts = await Promise.all([1, 2, 3].map(() => begin(inbox, entry.id)));
      expect(new Set(counts)).toEqual(new Set([1, 2, 3]));
      expect(await begin(inbox, other.id)).toBe(1);
    });

    it('forgives one attempt of one message', async () => {
      const { inbox, inboxRow } = await setUp();
      const [entry, other] = [entryOf(), entryOf()];
      for (const { id, message, match, sessionKey } of [entry, other]) {
        await inbox.accept({ id, message, match, sessionKey }, AT);
        await begin(inbox, id);
        await begin(inbox, id);
      }
      await inbox.forgiveAttempt(entry.id);
      expect((await inboxRow(entry.id)).attempts).toBe(1);
      expect((await inboxRow(other.id)).attempts).toBe(2);
      expect(await begin(inbox, entry.id)).toBe(2);
    });

    it('says of a waiting message whether a process has begun it before, also if that attempt does not count', async () => {
      const { inbox, storage } = await setUp();
      const entry = entryOf();
      const states = async () =>
        (await createSharedInbox(storage).pendingIn(entry.sessionKey)).map(({ wasBegun, isNew }) => [
          wasBegun,
          isNew,
        ]);
      await inbox.accept(entry, AT);
      expect(await states()).toEqual([[false, true]]);
      await begin(inbox, entry.id);
      expect(await states()).toEqual([[true, false]]);
      await inbox.forgiveAttempt(entry.id);
      expect(await states()).toEqual([[false, false]]);
    });

    it.each(['done', 'failed'] as const)('counts no attempt of a message that is %s', async (status) => {
      const { inbox, inboxRow } = await setUp();
      const [entry, other] = [entryOf(), entryOf()];
      await inbox.accept(entry, AT);
      await inbox.accept(other, AT);
      await begin(inbox, entry.id);
      await inbox.settle(entry.id, status, LATER);
      const before = await inboxRow(entry.id);
      expect(await begin(inbox, entry.id)).toBeUndefined();
      expect(await inboxRow(entry.id)).toEqual(before);
      expect(await begin(inbox, other.id)).toBe(1);
    });

    it('counts no attempt of a message it does not have', async () => {
      const { inbox } = await setUp();
      expect(await begin(inbox, newId<InboxId>())).toBeUndefined();
      expect(await inbox.pending()).toEqual([]);
    });
  });

  describeTablesContract(name, open);
  describeTurnsContract(name, open);
  describeTranscriptsContract(name, open);
  describeOperatorSessionsContract(name, open);
  describeOutboxContract(name, open);
  describeAuthProfilesContract(name, open);
  describeUsageContract(name, open);
  describeBudgetContract(name, open);
  describeApprovalsContract(name, open);
  describeRestingContract(name, open);
  describeGivingUpContract(name, open);
  describeNotificationsContract(name, open);
  describeProfilesContract(name, open);
  describeGuildSettingsContract(name, open);
  describeInboxChangesContract(name, open);
  describePairingsContract(name, open);
  describeSentFilesContract(name, open);
  describeRetentionContract(name, open);
  describeCorporateActionsContract(name, open);
  describeDailyRatesContract(name, open);
  describeDeadLettersContract(name, open);
  describePersonDataContract(name, open);
  describePersonOwnContract(name, open);
  describeChannelProgressContract(name, open);
  describeAlertsContract(name, open);
  describeBriefingsContract(name, open);
  describeAuditContract(name, open);
  describePersonCodesContract(name, open);
  describeOwnersContract(name, open);
  describePortfoliosContract(name, open);
  describeEntryLimitContract(name, open);
  describeWatchlistsContract(name, open);
  describeFeedbackContract(name, open);
  describeWelcomeContract(name, open);
  describeHomeVisitsContract(name, open);
  describeOperatorContract(name, open);

  describe(`storage on ${name}`, () => {
    it('opens a database of before, with all that was in it', async () => {
      const { storage, reopen, inbox } = await setUp();
      const entry = entryOf();
      await inbox.accept(entry, AT);
      await storage.close();
      const again = await reopen();
      expect((await createInbox(again).pending()).map(({ id }) => id)).toEqual([entry.id]);
      const applied = await again.db.introspection.getTables({ withInternalKyselyTables: true });
      expect(applied.map((table) => table.name)).toEqual(
        expect.arrayContaining(['inbox', 'turns', 'outbox', 'kysely_migration']),
      );
    });

    it('can be written to while it is open, and says so without changing anything', async () => {
      const { storage, inbox } = await setUp();
      const entry = entryOf();
      await inbox.accept(entry, AT);
      await expect(storage.checkWritable()).resolves.toBeUndefined();
      expect(await begin(inbox, entry.id)).toBe(1);
    });

    it('cannot be written to once it is closed, and says so', async () => {
      const { storage, inbox } = await setUp();
      await storage.close();
      await expect(storage.checkWritable()).rejects.toThrow();
      await expect(inbox.accept(entryOf(), AT)).rejects.toThrow();
    });

    it('writes nothing of a transaction that throws', async () => {
      const { storage, db, inbox, turns } = await setUp();
      const entry = entryOf();
      const turn = {
        id: newId<TurnId>(),
        inboxId: entry.id,
        sessionKey: entry.sessionKey,
        senderId: entry.message.senderId,
      };
      const failing = db.transaction().execute(async (tx) => {
        const inside: Pick<Storage, 'db' | 'write' | 'codes'> = {
          db: tx,
          write: (work) => work(tx),
          codes: storage.codes,
        };
        expect(await createInbox(inside).accept(entry, AT)).toBe('accepted');
        await createTurns(inside).open(turn, AT);
        throw new Error('half-way');
      });
      await expect(failing).rejects.toThrow('half-way');
      expect(await inbox.isKnown(entry.message)).toBe(false);
      const other = { ...turn, id: newId<TurnId>() };
      expect(await turns.open(other, AT)).toMatchObject({ id: other.id });
    });

    it('goes on after a statement that failed', async () => {
      const { inbox } = await setUp();
      const entry = entryOf();
      await inbox.accept(entry, AT);
      await expect(inbox.accept({ ...entryOf(), id: entry.id }, AT)).rejects.toThrow();
      expect(await inbox.accept(entryOf(), AT)).toBe('accepted');
    });
  });
};
