import { approvalAction, approvalTexts } from '#src/kernel/agent/texts/approvals.ts';
import type { Approval, ApprovalStore } from '#src/kernel/agent/approval-store.ts';
import type { ClosedApproval } from '#src/kernel/channel/channel.ts';
import {
  type ApprovalId,
  asId,
  type InboxId,
  type MessageId,
  type SessionKey,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import type { ApprovalRequest, Approvals, Decider } from '#src/kernel/agent/approvals.ts';
import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';
import type { ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import { newId } from '#src/platform/ids.ts';
import { createPollingLoop } from '#src/platform/concurrency/polling-loop.ts';
import type { Uses } from '#src/platform/services.ts';
import {
  type CallToApprove,
  type GatedCall,
  type ApprovalDecision,
  approvalDecisionOf,
  hashOf,
  NOBODY_ASKED,
} from './approval-decision.ts';

export interface ApprovalSettings {
  /** Others who may decide beside the requester: ids, as `channel:id` or plain, and roles. */
  readonly approvers: { readonly users: readonly string[]; readonly roles: readonly string[] };
  readonly expiresMinutes: number;
}

export interface ApprovalDeps extends Uses<'clock' | 'events' | 'logger'> {
  readonly store: ApprovalStore;
  readonly settings: ApprovalSettings;
  /** Sends the question. May throw: then nobody was asked, and the call is not made. */
  readonly ask: (target: ReplyTarget, request: ApprovalRequest) => Promise<MessageId | undefined>;
  /** Closes a question that needs no answer any more. Never throws. */
  readonly close: (target: ReplyTarget, closed: ClosedApproval) => Promise<void>;
  /** Sends a message to the person, with what was changed. Never throws. */
  readonly tell: (target: ReplyTarget, text: string, receipts: readonly ChangeReceipt[]) => Promise<void>;
  /** Resumes the message whose run waited. Resolves (never rejects) when that run has ended. */
  readonly resume: (inboxId: InboxId) => Promise<void>;
  /** Closes a turn that will not be resumed in its conversation. Returns what it has changed. */
  readonly closeTurn: (
    sessionKey: SessionKey,
    turnId: TurnId,
    why: string,
  ) => Promise<readonly ChangeReceipt[]>;
  /** No other process asks people on the same database. */
  readonly isExclusive: boolean;
}

/** The interface for the engine and the gateway, beside the port. */
export interface ToolApprovals extends Approvals {
  /** Requests approval for a call, or returns the outcome of an earlier request. */
  readonly requireApproval: (call: CallToApprove, context: ToolExecutionContext) => Promise<ApprovalDecision>;
  /** Same for a resumed run: undefined if nobody was asked about this call. */
  readonly recallApproval: (
    call: GatedCall,
    context: ToolExecutionContext,
  ) => Promise<ApprovalDecision | undefined>;
  /** Sends all pending questions of a message. Never throws. */
  readonly askAbout: (inboxId: InboxId, sessionKey: SessionKey) => Promise<void>;
  /** Sends the questions of a session that nobody has seen, after a process has ended. Never throws. */
  readonly askAgain: (sessionKey: SessionKey) => Promise<void>;
  /** Called at the start: sends pending questions again, and closes expired ones. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const BY_TIME = 'time';
/** The model reads this reason. */
const GIVEN_UP = 'it was given up before it began';
const LATE_MS = 1;
/** How often a process looks for questions of others, whose process may have ended. */
const WATCH_OTHERS_MS = 30_000;

const mayDecide = ({ askedBy, channelId }: Approval, by: Decider, settings: ApprovalSettings): boolean => {
  const { users, roles } = settings.approvers;
  return (
    (askedBy === by.userId && channelId === by.channelId) ||
    users.includes(by.userId) ||
    users.includes(`${by.channelId}:${by.userId}`) ||
    by.userRoles.some((role) => roles.includes(role))
  );
};

const VERDICTS = { approved: 'approved', started: 'approved', denied: 'denied', expired: 'expired' } as const;

/** Undefined if no person decided. */
const deciderIn = ({ channelId, decidedBy }: Approval): UserId | undefined => {
  const before = `${channelId}:`;
  return decidedBy?.startsWith(before) ? asId<UserId>(decidedBy.slice(before.length)) : undefined;
};

const toRequest = (approval: Approval, isRepeated: boolean): ApprovalRequest => ({
  id: approval.id,
  toolName: approval.toolName,
  summary: approval.summary,
  reason: approval.reason,
  askedBy: approval.askedBy,
  ...(approval.requesterName === undefined ? {} : { requesterName: approval.requesterName }),
  locale: approval.locale,
  askedAt: approval.createdAt,
  expiresAt: approval.expiresAt,
  isRepeated,
});

/** Approvals by a person: stored durably, bound to the exact arguments, and never decided by the program. */
export const createApprovals = (deps: ApprovalDeps): ToolApprovals => {
  const { store, settings, clock, events, logger } = deps;

  const settlement = createSettlement(deps);
  const { timers, forget, isExpired, close, settle, expire, watch } = settlement;

  /** Any process may close a question whose time is over; the first one does. */
  const watching = createPollingLoop(async () => {
    try {
      for (const approval of await store.pending()) if (!timers.has(approval.id)) watch(approval);
    } catch (error) {
      logger.warn('The open questions could not be read; reading them again later', { error });
    }
    return WATCH_OTHERS_MS;
  }, clock);

  const ask = createAsk(deps, settlement);

  return {
    requireApproval: async (call, context) =>
      approvalDecisionOf(await request(deps, call, context), call, store.start),

    recallApproval: async (call, context) => {
      const known = await store.ofCall(context.turnId, call.callId);
      return known && approvalDecisionOf(known, call, store.start);
    },

    askAbout: async (inboxId, sessionKey) => {
      try {
        const open = await store.pending(sessionKey);
        for (const approval of open) if (approval.inboxId === inboxId) await ask(approval, false);
      } catch (error) {
        logger.error('The open questions of a message could not be read', { inboxId, error });
      }
    },

    askAgain: async (sessionKey) => {
      try {
        for (const approval of await store.pending(sessionKey))
          if (approval.messageId === undefined) await ask(approval, true);
      } catch (error) {
        logger.error('The open questions of a session could not be read', { sessionKey, error });
      }
    },

    decide: async (id, verdict, by) => {
      const approval = await store.get(id);
      if (!approval) return { outcome: 'unknown' };
      if (!mayDecide(approval, by, settings)) return { outcome: 'refused' };
      // Timers may be late (clock changes, suspended processes), so the time decides.
      if (isExpired(approval)) {
        if (approval.status === 'pending') expire(approval);
        return { outcome: 'too-late' };
      }
      const result = await settle(approval, verdict, `${by.channelId}:${by.userId}`, by);
      return result === 'too-late'
        ? { outcome: 'too-late' }
        : { outcome: 'recorded', settled: result.settled };
    },

    pending: async (sessionKey) =>
      (await store.pending(sessionKey)).map((approval) => toRequest(approval, false)),

    pendingFor: async (by) =>
      (await store.pending())
        .filter((approval) => mayDecide(approval, by, settings))
        .map((approval) => toRequest(approval, false)),

    giveUp: async (sessionKey, { by, ...which }) => {
      // A newer message of the requester superseded the question.
      const isPassedOver = which.before !== undefined;
      const given = await store.giveUp(sessionKey, which, by, clock.now());
      const changes = new Map<TurnId, readonly ChangeReceipt[]>();
      for (const turnId of new Set(given.map((approval) => approval.turnId)))
        changes.set(turnId, await closeTurn(deps, sessionKey, turnId));
      for (const approval of given) {
        const { id, turnId, toolName, target, locale } = approval;
        forget(id);
        events.emit('approval:decide', { id, toolName, status: 'given-up', by });
        await close(approval, 'given-up');
        const t = approvalTexts(locale);
        const what = approvalAction(approval);
        const text = isPassedOver ? t.passedOver({ what }) : t.givenUp({ what });
        // No answer follows that would tell of the other calls of the turn.
        await deps.tell(target, text, changes.get(turnId) ?? []);
        changes.delete(turnId);
      }
      return given.length;
    },

    start: async () => {
      if (!deps.isExclusive) {
        await watching.start();
        return;
      }
      for (const approval of await store.pending()) {
        if (isExpired(approval)) expire(approval);
        // A question that is still visible, with its buttons, is not sent again.
        else if (approval.messageId !== undefined) watch(approval);
        else await ask(approval, true);
      }
    },

    stop: async () => {
      await watching.stop();
      for (const cancel of timers.values()) cancel();
      timers.clear();
    },
  };
};

/** Decisions on questions, those by time among them. */
const createSettlement = (deps: ApprovalDeps) => {
  const { store, clock, events, logger } = deps;
  const timers = new Map<ApprovalId, () => void>();

  const forget = (id: ApprovalId): void => {
    timers.get(id)?.();
    timers.delete(id);
  };

  const isExpired = ({ expiresAt }: Approval): boolean =>
    Temporal.Instant.compare(clock.now(), expiresAt) >= 0;

  /** Updates the question on the platform with its outcome. Never throws. */
  const close = (
    { id, target, ...approval }: Approval,
    verdict: ClosedApproval['verdict'],
    decidedBy?: UserId,
  ): Promise<void> =>
    deps.close(target, {
      id,
      ...(approval.messageId === undefined ? {} : { messageId: approval.messageId }),
      request: toRequest({ id, target, ...approval }, false),
      verdict,
      ...(decidedBy === undefined ? {} : { decidedBy }),
      at: clock.now(),
    });

  /** Records a decision, and resumes the run if it was the last pending one. */
  const settle = async (
    approval: Approval,
    status: 'approved' | 'denied' | 'expired',
    by: string,
    decider?: Decider,
  ): Promise<{ readonly settled: Promise<void> } | 'too-late'> => {
    const operator = decider?.isOperator === true ? decider : undefined;
    const result = await store.decide(approval.id, status, by, clock.now(), operator);
    forget(approval.id);
    if (result.outcome === 'too-late') return 'too-late';
    events.emit('approval:decide', { id: approval.id, toolName: approval.toolName, status, by });
    await close(approval, status, decider?.userId);
    return { settled: result.isLast ? deps.resume(approval.inboxId) : Promise.resolve() };
  };

  const expire = (approval: Approval): void => {
    void settle(approval, 'expired', BY_TIME).catch((error: unknown) =>
      logger.error('An expired question could not be closed', { id: approval.id, error }),
    );
  };

  const watch = (approval: Approval): void => {
    timers.get(approval.id)?.();
    const leftMs = clock.now().until(approval.expiresAt).total('milliseconds');
    timers.set(
      approval.id,
      clock.after(Math.max(0, leftMs) + LATE_MS, () => expire(approval)),
    );
  };

  return { timers, forget, isExpired, close, settle, expire, watch };
};

type Settlement = ReturnType<typeof createSettlement>;

/** Asks a person, on the platform. */
const createAsk = (deps: ApprovalDeps, { close, settle, watch }: Settlement) => {
  const { store, events, logger } = deps;
  /** Stores the message of the question. A decision that came before it is shown there too. */
  const storeMessage = async (id: ApprovalId, messageId: MessageId): Promise<void> => {
    await store.askedIn(id, messageId);
    const asked = await store.get(id);
    if (!asked || asked.status === 'pending') return;
    await close(asked, VERDICTS[asked.status], deciderIn(asked));
  };

  const ask = async (approval: Approval, isRepeated: boolean): Promise<void> => {
    const { id, inboxId, toolName, sessionKey } = approval;
    watch(approval);
    try {
      const heard = await store.heardIn(inboxId);
      const question = { ...toRequest(approval, isRepeated), ...(heard !== undefined && { heard }) };
      const messageId = await deps.ask(approval.target, question);
      if (messageId !== undefined) await storeMessage(id, messageId);
      events.emit('approval:ask', { id, toolName, sessionKey });
    } catch (error) {
      logger.error('A person could not be asked, so the call is not made', { id, toolName, error });
      // Not awaited: the resumed run may be queued behind this very message.
      await settle(approval, 'denied', NOBODY_ASKED);
    }
  };

  return ask;
};

const closeTurn = async (
  deps: Pick<ApprovalDeps, 'closeTurn' | 'logger'>,
  sessionKey: SessionKey,
  turnId: TurnId,
): Promise<readonly ChangeReceipt[]> => {
  try {
    return await deps.closeTurn(sessionKey, turnId, GIVEN_UP);
  } catch (error) {
    // The next message repairs the conversation.
    deps.logger.warn('A turn that was given up could not be closed', { sessionKey, error });
    return [];
  }
};

const request = (
  { store, settings, clock }: ApprovalDeps,
  call: CallToApprove,
  context: ToolExecutionContext,
): Promise<Approval> =>
  store.request({
    id: newId<ApprovalId>(),
    inboxId: context.inboxId,
    turnId: context.turnId,
    callId: call.callId,
    sessionKey: context.sessionKey,
    channelId: context.channelId,
    askedBy: context.userId,
    requesterName: context.chatType === 'direct' ? undefined : context.userName,
    toolName: call.toolName,
    inputHash: hashOf(call.toolName, call.input),
    summary: call.summary,
    reason: [
      // Of their own things the summary says enough.
      call.whyThisCall ?? (call.why === 'own' ? '' : approvalTexts(context.locale).why[call.why]()),
      ...(call.note ? [call.note] : []),
    ]
      .filter((each) => each !== '')
      .join(' '),
    locale: context.locale,
    target: context.target,
    createdAt: clock.now(),
    expiresAt: clock.now().add({ milliseconds: settings.expiresMinutes * 60_000 }),
  });

/** Refuses every call that needs approval, where nobody can be asked. */
export const nobodyToAsk: Pick<ToolApprovals, 'requireApproval' | 'recallApproval'> = {
  requireApproval: async ({ toolName }) => ({
    status: 'refused',
    why: `${toolName} needs a person's word, and nobody can be asked`,
    code: 'approval-not-asked',
  }),
  recallApproval: async () => undefined,
};
