import { describe, expect, it } from 'vitest';
import { asId, type ChatId, type InboxId, type MessageId } from '#src/kernel/ids.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { MessageChange } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import { createExchanges } from '#src/chat/store/exchanges.ts';
import type { TestStorage } from '#test/support/database.ts';
import {
  AT,
  begin,
  entryOf,
  LATER,
  partOf,
  setUpStorage,
  turnOf,
} from '../../platform/storage/contract-fixture.ts';

const idsOf = (entries: readonly InboxEntry[] | undefined): readonly InboxId[] | undefined =>
  entries?.map(({ id }) => id);

const changeOf = ({ message }: InboxEntry): MessageChange => {
  const { channelId, accountId, chatId, messageId } = message;
  return { channelId, accountId, chatId, messageId, kind: 'deleted' };
};

/** What becomes of messages that share a turn, are replaced, edited or deleted. */
export const describeInboxChangesContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async (count = 3) => {
    const storage = await setUpStorage(open);
    const entries = Array.from({ length: count }, (_, index) => entryOf({ body: `message ${index}` }));
    for (const entry of entries) await storage.inbox.accept(entry, AT);
    const [first, second, third] = entries as [InboxEntry, InboxEntry, InboxEntry];
    const statuses = async () =>
      (await storage.db.selectFrom('inbox').select('status').orderBy('id').execute()).map(
        ({ status }) => status,
      );
    return { ...storage, first, second, third, statuses };
  };

  describe(`inbox on ${name}, when messages share a turn`, () => {
    it('makes those that wait part of it as the work begins, and gives them in order', async () => {
      const { inbox, first, second, third, inboxRow, statuses } = await setUp();
      const begun = await inbox.begin(first.id, [third.id, second.id], LATER);
      expect(begun).toMatchObject({ attempts: 1, entry: first });
      expect(idsOf(begun?.joined)).toEqual([second.id, third.id]);
      expect(idsOf(begun?.merged)).toEqual([second.id, third.id]);
      expect(await statuses()).toEqual(['pending', 'merged', 'merged']);
      expect(await inboxRow(second.id)).toMatchObject({
        taken_by: first.id,
        settled_at: LATER.toString({ smallestUnit: 'millisecond' }),
      });
      expect(idsOf(await inbox.pending())).toEqual([first.id]);
    });

    it('puts the same turn together again at the next attempt, and adds nothing to it', async () => {
      const { inbox, first, second, third } = await setUp();
      await inbox.begin(first.id, [second.id], AT);
      const again = await inbox.begin(first.id, [third.id], AT);
      expect(again?.attempts).toBe(2);
      expect(idsOf(again?.joined)).toEqual([]);
      expect(idsOf(again?.merged)).toEqual([second.id]);
      expect(idsOf(await inbox.pending())).toEqual([first.id, third.id]);
    });

    it('adds nothing to a turn that was begun before an orderly shutdown', async () => {
      const { inbox, turns, first, second } = await setUp();
      await begin(inbox, first.id);
      await turns.open(turnOf(first.id), AT);
      await inbox.forgiveAttempt(first.id);
      const again = await inbox.begin(first.id, [second.id], AT);
      expect(again).toMatchObject({ attempts: 1, joined: [], merged: [] });
    });

    it('adds nothing to a turn whose answer is on its way, however its attempts are counted', async () => {
      const { inbox, outbox, first, second } = await setUp();
      await begin(inbox, first.id);
      await outbox.plan(first.id, [partOf('on its way')], AT);
      await inbox.forgiveAttempt(first.id);
      const again = await inbox.begin(first.id, [second.id], AT);
      expect(again).toMatchObject({ attempts: 1, joined: [], merged: [] });
      expect(idsOf(await inbox.pending())).toEqual([first.id, second.id, expect.any(String)]);
    });

    it('lets nobody take, change or withdraw a message that others are part of', async () => {
      const { inbox, changes, first, second, third, statuses } = await setUp();
      await inbox.begin(second.id, [third.id], AT);
      // As an orderly shutdown leaves it that comes before its turn is opened.
      await inbox.forgiveAttempt(second.id);
      expect(await changes.withdraw(second.id, AT)).toBe(false);
      expect(await changes.rewrite(second, 'other')).toBe(false);
      expect(await inbox.merge([second.id], first.id, AT)).toEqual([]);
      expect(idsOf((await inbox.begin(second.id, [], AT))?.merged)).toEqual([third.id]);
      expect(await statuses()).toEqual(['pending', 'pending', 'merged']);
    });

    it('takes nothing that was begun before, is over, or belongs to another turn', async () => {
      const { inbox, turns, changes, first, second, third } = await setUp(3);
      const other = entryOf();
      const withTurn = entryOf();
      for (const entry of [other, withTurn]) await inbox.accept(entry, AT);
      await begin(inbox, second.id);
      await inbox.settle(third.id, 'done', AT);
      await changes.withdraw(other.id, AT);
      await turns.open(turnOf(withTurn.id), AT);
      const ids = [second.id, third.id, other.id, withTurn.id];
      expect(await inbox.merge(ids, first.id, AT)).toEqual([]);
      expect((await inbox.begin(first.id, ids, AT))?.merged).toEqual([]);
    });

    it('merges into a turn that runs, each message once', async () => {
      const { inbox, first, second, third } = await setUp();
      await begin(inbox, first.id);
      expect(idsOf(await inbox.merge([second.id, third.id], first.id, AT))).toEqual([second.id, third.id]);
      expect(await inbox.merge([second.id, third.id], first.id, AT)).toEqual([]);
      expect(await inbox.merge([], first.id, AT)).toEqual([]);
    });

    it('does not begin, settle or rest what is part of another turn', async () => {
      const { inbox, first, second, statuses } = await setUp();
      await inbox.begin(first.id, [second.id], AT);
      expect(await begin(inbox, second.id)).toBeUndefined();
      await inbox.settle(second.id, 'failed', AT, 'abcd');
      expect(await statuses()).toEqual(['pending', 'merged', 'pending']);
    });

    it('counts what waits', async () => {
      const { inbox, first, second, third } = await setUp();
      expect(await inbox.counts()).toEqual({ pending: 3, suspended: 0 });
      await inbox.begin(first.id, [second.id, third.id], AT);
      await inbox.settle(first.id, 'done', AT);
      expect(await inbox.counts()).toEqual({ pending: 0, suspended: 0 });
    });
  });

  describe(`inbox on ${name}, when a message takes the place of others`, () => {
    it('gives them up, with the turns that were begun for them', async () => {
      const { changes, turns, first, second, third, inboxRow, turnRow, statuses } = await setUp();
      const turn = turnOf(first.id);
      await turns.open(turn, AT);
      expect(await changes.supersede([first.id, second.id], third.id, LATER)).toEqual([first.id, second.id]);
      expect(await statuses()).toEqual(['superseded', 'superseded', 'pending']);
      expect(await inboxRow(first.id)).toMatchObject({ taken_by: third.id });
      expect(await turnRow(turn.id)).toMatchObject({ status: 'failed' });
      expect(await changes.supersede([first.id], third.id, LATER)).toEqual([]);
      expect(await changes.supersede([], third.id, LATER)).toEqual([]);
    });

    it('lets an answer through that has been planned, and plans none for what was given up', async () => {
      const { changes, outbox, first, second, third, statuses } = await setUp();
      expect(await outbox.plan(first.id, [partOf('on its way')], AT)).toBe('planned');
      expect(await changes.supersede([first.id, second.id], third.id, AT)).toEqual([second.id]);
      expect(await outbox.plan(second.id, [partOf('too late')], AT)).toBe('superseded');
      expect(await outbox.partsOf(second.id)).toEqual([]);
      expect(await statuses()).toEqual(['pending', 'superseded', 'pending']);
    });

    it('plans an answer or gives the message up, never both, when they meet', async () => {
      const { inbox, changes, outbox, third, inboxRow } = await setUp();
      const rounds = Array.from({ length: 20 }, () => entryOf({ chatId: asId<ChatId>('race') }));
      for (const entry of rounds) await inbox.accept(entry, AT);
      await Promise.all(
        rounds.flatMap(({ id }) => [
          outbox.plan(id, [partOf('answer')], AT),
          changes.supersede([id], third.id, AT),
        ]),
      );
      for (const { id } of rounds) {
        const isGivenUp = (await inboxRow(id)).status === 'superseded';
        expect(await outbox.partsOf(id)).toHaveLength(isGivenUp ? 0 : 1);
      }
    });
  });

  describe(`inbox on ${name}, when a message changes on the platform`, () => {
    it('finds it by its place while it waits, and rewrites or withdraws it', async () => {
      const { inbox, changes, first, second, statuses } = await setUp(2);
      expect((await changes.waiting(changeOf(first)))?.id).toBe(first.id);
      expect(await changes.rewrite(first, '새 글 🙂')).toBe(true);
      expect((await inbox.get(first.id))?.message).toEqual({ ...first.message, body: '새 글 🙂' });
      expect(await changes.withdraw(second.id, AT)).toBe(true);
      expect(await changes.withdraw(second.id, AT)).toBe(false);
      expect(await changes.waiting(changeOf(second))).toBeUndefined();
      expect(await statuses()).toEqual(['pending', 'withdrawn']);
    });

    it('leaves it as it is once its work has begun', async () => {
      const { inbox, changes, first } = await setUp(1);
      await begin(inbox, first.id);
      expect(await changes.waiting(changeOf(first))).toBeUndefined();
      expect(await changes.rewrite(first, 'other')).toBe(false);
      expect(await changes.withdraw(first.id, AT)).toBe(false);
      expect((await inbox.get(first.id))?.message.body).toBe(first.message.body);
    });

    it('keeps the words of a recording in the message it came with, also while it is worked on', async () => {
      const { inbox, changes } = await setUp(1);
      const file = { kind: 'audio', mimeType: 'audio/ogg', name: 'a.ogg', url: 'u:1' } as const;
      const other = { ...file, url: 'u:2' };
      const plain = entryOf();
      const spoken = entryOf({ media: [file, other] });
      for (const entry of [plain, spoken]) await inbox.accept(entry, AT);
      await begin(inbox, spoken.id);
      await changes.keepWords([plain.id, spoken.id], 'u:1', '얼마야?');
      expect((await inbox.get(spoken.id))?.message.media).toEqual([{ ...file, words: '얼마야?' }, other]);
      expect((await inbox.get(plain.id))?.message).toEqual(plain.message);
    });

    it('does not find it in another chat or under another id', async () => {
      const { changes, first } = await setUp(1);
      const change = changeOf(first);
      expect(await changes.waiting({ ...change, chatId: asId<ChatId>('elsewhere') })).toBeUndefined();
      expect(await changes.waiting({ ...change, messageId: asId<MessageId>('other') })).toBeUndefined();
    });
  });

  describe(`exchanges on ${name}`, () => {
    it('are found by a message of a turn or a part of its answer, and know what was deleted or told to one', async () => {
      const { storage, inbox, outbox, turns, changes, first, second, third } = await setUp();
      const exchanges = createExchanges(storage);
      await inbox.begin(first.id, [second.id], AT);
      const [open, hidden] = [
        partOf('for all'),
        { ...partOf('for one'), payload: { text: 'x', ephemeral: true } },
      ];
      await outbox.plan(first.id, [open, hidden], AT);
      const answer = asId<MessageId>('answer-1');
      await outbox.markSent(open.deliveryId, answer, LATER);
      await outbox.markSent(hidden.deliveryId, asId<MessageId>('answer-2'), LATER);
      const behind = async (messageId: MessageId) => (await exchanges.behind(first.message, messageId))?.id;
      expect(await behind(first.message.messageId)).toBe(first.id);
      expect(await behind(second.message.messageId)).toBe(first.id);
      expect(await behind(answer)).toBe(first.id);
      const elsewhere = { ...first.message, chatId: asId<ChatId>('another') };
      expect(await exchanges.behind(elsewhere, answer)).toBeUndefined();
      const kept = await exchanges.of([first.id, newId<InboxId>()]);
      expect([...kept.values()]).toEqual([
        { message: first.message, answers: [{ messageId: answer, at: LATER }] },
      ]);
      expect(await exchanges.of([])).toEqual(new Map());

      const turn = turnOf(first.id);
      await turns.finish((await turns.open(turn, AT)).id, 'complete', LATER);
      expect(await turns.hasEnded(turn.sessionKey, first.id)).toBe(false);
      expect(await turns.hasEnded(turn.sessionKey, third.id)).toBe(true);

      await changes.markDeleted({ ...changeOf(first), messageId: answer });
      await changes.markDeleted(changeOf(third));
      await changes.markDeleted({ ...changeOf(third), messageId: asId<MessageId>('unheard of') });
      const marks = await exchanges.of([first.id, second.id, third.id]);
      expect([...marks.values()].filter(({ message }) => message.isDeleted)).toHaveLength(2);
      expect(marks.get(second.id)?.message).toEqual(second.message);
    });
  });
};
