import { expect } from 'vitest';
import { type ApprovalDeps, createApprovals, type ToolApprovals } from '#src/agent/tools/approvals.ts';
import type { CallToApprove } from '#src/agent/tools/approval-decision.ts';
import {
  type ApprovalId,
  asId,
  type ChannelId,
  type InboxId,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { ApprovalRequest, Decider } from '#src/kernel/agent/approvals.ts';
import type { ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import { newId } from '#src/platform/ids.ts';
import { createApprovalStore } from '#src/chat/store/approvals.ts';
import { createInbox } from '#src/chat/store/inbox.ts';
import { createTurns } from '#src/chat/store/turns.ts';
import { AT, entryOf } from '#test/platform/storage/contract-fixture.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

export const EXPIRES_MS = 600_000;
export const REQUESTER: Decider = {
  channelId: asId<ChannelId>('console'),
  userId: asId<UserId>('me'),
  userRoles: [],
};

export const call = (overrides: Partial<CallToApprove> = {}): CallToApprove => ({
  callId: 'call-1',
  toolName: 'buy_stock',
  input: { symbol: 'AAPL', quantity: 3 },
  summary: 'Buy 3 AAPL',
  why: 'policy',
  isTransactional: false,
  ...overrides,
});

export const idOf = (request: ApprovalRequest | undefined): ApprovalId => {
  if (!request) throw new Error('nobody was asked');
  return request.id;
};

/** Real questions in a real database, with one message of a person whose run may ask. */
export const approvalWorld = async (
  approvers: ApprovalDeps['settings']['approvers'] = { users: [], roles: [] },
) => {
  const { storage } = await sqliteStorage();
  const inbox = createInbox(storage);
  const turns = createTurns(storage);
  const clock = new ManualClock(AT.toString());
  const { events, names, payloads } = recordingEvents();
  const { logger, records } = recordingLogger();
  const asked: ApprovalRequest[] = [];
  const closed: (readonly [chatId: string, id: ApprovalId])[] = [];
  const told: string[] = [];
  const resumed: InboxId[] = [];
  const ended: TurnId[] = [];

  const boot = (
    special: Partial<Pick<ApprovalDeps, 'ask' | 'close' | 'resume' | 'isExclusive'>> = {},
  ): ToolApprovals =>
    createApprovals({
      store: createApprovalStore(storage),
      settings: { approvers, expiresMinutes: EXPIRES_MS / 60_000 },
      ask: async (_target, request) => {
        asked.push(request);
        return undefined;
      },
      close: async (target, { id }) => void closed.push([target.chatId, id]),
      tell: async (_target, text) => void told.push(text),
      resume: async (inboxId) => void resumed.push(inboxId),
      closeTurn: async (_sessionKey, turnId) => {
        ended.push(turnId);
        return [];
      },
      isExclusive: true,
      clock,
      events,
      logger,
      ...special,
    });

  /** A message that was accepted, and whose run has begun. */
  const message = async (special: Partial<ToolExecutionContext> = {}): Promise<ToolExecutionContext> => {
    const turnId = newId<TurnId>();
    const entry = { ...entryOf(), ...(special.sessionKey ? { sessionKey: special.sessionKey } : {}) };
    const { id: inboxId, sessionKey } = entry;
    await inbox.accept(entry, AT);
    await turns.open({ id: turnId, inboxId, sessionKey, senderId: special.userId ?? REQUESTER.userId }, AT);
    return toolContextOf({ ...special, inboxId, sessionKey, turnId });
  };
  const context = await message();

  /** As the registry, the engine and then the router do it. */
  const ask = async (approvals = boot(), calls: readonly CallToApprove[] = [call()], of = context) => {
    for (const each of calls)
      expect(await approvals.requireApproval(each, of)).toEqual({ status: 'waiting' });
    await turns.suspend(of.turnId);
    expect(await inbox.suspend(of.inboxId)).toBe(true);
    await approvals.askAbout(of.inboxId, of.sessionKey);
    return approvals;
  };
  const statusOfMessage = async (of = context): Promise<string> => {
    const row = storage.db.selectFrom('inbox').select('status').where('id', '=', of.inboxId);
    return (await row.executeTakeFirstOrThrow()).status;
  };
  return {
    boot,
    message,
    context,
    ask,
    statusOfMessage,
    clock,
    asked,
    closed,
    told,
    resumed,
    ended,
    names,
    payloads,
    records,
  };
};
