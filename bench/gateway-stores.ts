import type { DeliveryId, InboxId, TurnId } from '#src/kernel/ids.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { TurnStore } from '#src/kernel/agent/turn-store.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createInboxChanges, type InboxChanges } from '#src/chat/store/inbox-changes.ts';
import { createInbox, type Inbox } from '#src/chat/store/inbox.ts';
import { createOutbox, type Outbox, type OutboxPart } from '#src/chat/store/outbox.ts';
import type { InboxStatus } from '#src/chat/store/tables.ts';
import { createTurns } from '#src/chat/store/turns.ts';

/** What makes an accepted message outlive the process. */
export interface GatewayStores {
  readonly inbox: Inbox;
  readonly changes: InboxChanges;
  readonly outbox: Outbox;
  readonly turns: TurnStore;
}

export const durableStores = (storage: Storage): GatewayStores => ({
  inbox: createInbox(storage),
  changes: createInboxChanges(storage),
  outbox: createOutbox(storage),
  turns: createTurns(storage),
});

interface Kept {
  entry: InboxEntry;
  status: InboxStatus;
  attempts: number;
  takenBy?: InboxId;
}

type Rows = ReadonlyMap<InboxId, Kept>;

const eventKey = (event: Parameters<Inbox['isKnown']>[0]): string =>
  [event.channelId, event.accountId, event.chatId, event.id].join('\0');

const isWaiting = (kept: Kept | undefined): kept is Kept => kept?.status === 'pending' && kept.attempts === 0;

/** Those of `ids` that wait get another status. */
const takeWaiting = (rows: Rows, ids: readonly InboxId[], status: InboxStatus, by: InboxId) =>
  ids
    .map((id) => rows.get(id))
    .filter(isWaiting)
    .map((kept) => {
      kept.status = status;
      kept.takenBy = by;
      return kept.entry;
    });

const memoryInbox = (rows: Map<InboxId, Kept>): Inbox => {
  const known = new Set<string>();
  const withStatus = (...statuses: readonly InboxStatus[]): readonly Kept[] =>
    [...rows.values()].filter(({ status }) => statuses.includes(status));
  return {
    accept: async (entry) => {
      const key = eventKey(entry.message);
      if (known.has(key)) return 'duplicate';
      known.add(key);
      rows.set(entry.id, { entry, status: 'pending', attempts: 0 });
      return 'accepted';
    },
    isKnown: async (event) => known.has(eventKey(event)),
    begin: async (id, candidates) => {
      const kept = rows.get(id);
      if (kept?.status !== 'pending') return undefined;
      kept.attempts += 1;
      const joined = kept.attempts === 1 ? takeWaiting(rows, candidates, 'merged', id) : [];
      return { entry: kept.entry, attempts: kept.attempts, joined, merged: joined, hasSuspended: false };
    },
    merge: async (ids, into) => takeWaiting(rows, ids, 'merged', into),
    forgiveAttempt: async (id) => {
      const kept = rows.get(id);
      if (kept) kept.attempts -= 1;
    },
    forgetWords: async () => undefined,
    settle: async (id) => void rows.delete(id),
    suspend: async () => false,
    get: async (id) => rows.get(id)?.entry,
    counts: async () => ({
      pending: withStatus('pending').length,
      suspended: withStatus('suspended').length,
    }),
    supersededWhileShown: async () => [],
    pending: async () => withStatus('pending').map(({ entry }) => entry),
  };
};

const memoryChanges = (rows: Map<InboxId, Kept>): InboxChanges => ({
  supersede: async (ids, by) => takeWaiting(rows, ids, 'superseded', by).map(({ id }) => id),
  waiting: async ({ chatId, messageId }) =>
    rows
      .values()
      .filter(isWaiting)
      .map(({ entry }) => entry)
      .find(({ message }) => message.chatId === chatId && message.messageId === messageId),
  rewrite: async (entry, body) => {
    const kept = rows.get(entry.id);
    if (!isWaiting(kept)) return false;
    kept.entry = { ...entry, message: { ...entry.message, body } };
    return true;
  },
  withdraw: async (id) => isWaiting(rows.get(id)) && rows.delete(id),
  markDeleted: async () => undefined,
  keepWords: async () => undefined,
});

const memoryOutbox = (rows: Rows, { write }: Pick<Storage, 'write'>): Outbox => {
  const parts = new Map<InboxId, OutboxPart[]>();
  const owners = new Map<DeliveryId, InboxId>();
  const add = (inboxId: InboxId, part: Omit<OutboxPart, 'status'>): void => {
    parts.getOrInsertComputed(inboxId, () => []).push({ ...part, status: 'pending' });
    owners.set(part.deliveryId, inboxId);
  };
  const mark = (id: DeliveryId, status: OutboxPart['status']): void => {
    const inboxId = owners.get(id);
    const own = (inboxId && parts.get(inboxId)) ?? [];
    const index = own.findIndex(({ deliveryId }) => deliveryId === id);
    const part = own[index];
    if (part) own[index] = { ...part, status };
  };
  return {
    plan: async (inboxId, planned, _at, alongside) => {
      if (parts.has(inboxId)) return 'planned';
      if (rows.get(inboxId)?.status === 'superseded') return 'superseded';
      for (const part of planned) add(inboxId, part);
      // The first answer to a person only: what is written with it is no part of the comparison.
      if (alongside) await write(alongside);
      return 'planned';
    },
    partsOf: async (inboxId) => [...(parts.get(inboxId) ?? [])],
    closeWith: async (inboxId, part) => {
      const sent = (parts.get(inboxId) ?? []).filter(({ status }) => status !== 'pending');
      parts.set(inboxId, sent);
      add(inboxId, part);
    },
    countAttempt: async () => undefined,
    markSent: async (id) => mark(id, 'sent'),
    markFailed: async (id) => mark(id, 'failed'),
  };
};

const memoryTurns = (): TurnStore => {
  type Known = Parameters<TurnStore['open']>[0] & { status: 'open' | 'suspended' | 'complete' | 'failed' };
  const turns = new Map<InboxId, Known>();
  const byId = new Map<TurnId, Known>();
  const mark = (id: TurnId, status: Known['status']): boolean => {
    const turn = byId.get(id);
    if (turn) turn.status = status;
    return turn !== undefined;
  };
  return {
    open: async (turn) => {
      const known = turns.getOrInsertComputed(turn.inboxId, () => ({ ...turn, status: 'open' }));
      byId.set(known.id, known);
      return { id: known.id, status: known.status };
    },
    isBegun: async (inboxId) => turns.has(inboxId),
    sessionOf: async (inboxId) => turns.get(inboxId)?.sessionKey,
    hasEnded: async () => false,
    finish: async (id, status) => void mark(id, status),
    suspend: async (id) => void mark(id, 'suspended'),
    reopen: async (id) => mark(id, 'open'),
    sendersIn: async () => new Map(),
    liveIn: async () => new Set(),
  };
};

/** The same for a bot that would forget all of it with its process: the measure for what durability costs. */
export const memoryStores = (storage: Pick<Storage, 'write'>): GatewayStores => {
  const rows = new Map<InboxId, Kept>();
  return {
    inbox: memoryInbox(rows),
    changes: memoryChanges(rows),
    outbox: memoryOutbox(rows, storage),
    turns: memoryTurns(),
  };
};
