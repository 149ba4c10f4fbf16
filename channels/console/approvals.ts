import { problemWith, questionOf } from '#src/core/approval-code.ts';
import type { ChannelHost } from '#src/core/channel.ts';
import { texts } from '#src/core/i18n.ts';
import type { ApprovalId, UserId } from '#src/core/ids.ts';
import type { ApprovalRequest, ApprovalVerdict } from '#src/core/ports.ts';
import type { Clock } from '#src/infra/clock.ts';
import { CONSOLE } from './inbound.ts';

export interface ConsoleApprovals {
  /** Puts the question on the screen. The next line that says yes or no answers the oldest one. */
  readonly ask: (request: ApprovalRequest) => Promise<void>;
  /** It needs no answer any more; the next one is put. */
  readonly close: (id: ApprovalId) => Promise<void>;
  /** True when the line was an answer to a question, and is no message; then the run that waited has ended. */
  readonly take: (text: string, host: ChannelHost) => Promise<boolean>;
}

const YES: ReadonlySet<string> = new Set(['y', 'yes', '예', '네', '응', 'ㅛ', '승인', '허용']);
const NO: ReadonlySet<string> = new Set(['n', 'no', '아니요', '아니오', '아니', 'ㅜ', '거절', '취소']);

const verdictIn = (text: string): ApprovalVerdict | undefined => {
  const word = text.normalize('NFC').trim().toLowerCase().replace(/[.!]$/, '');
  if (YES.has(word)) return 'approved';
  return NO.has(word) ? 'denied' : undefined;
};

/** y/n in the terminal. Anything else is an ordinary message: the person goes on, and what was asked is not done. */
export const createConsoleApprovals = (deps: {
  readonly say: (text: string) => Promise<void>;
  readonly userId: UserId;
  readonly clock: Clock;
}): ConsoleApprovals => {
  const { say, userId, clock } = deps;
  let open: readonly ApprovalRequest[] = [];

  const dropExpired = (): void => {
    open = open.filter(({ expiresAt }) => Temporal.Instant.compare(clock.now(), expiresAt) < 0);
  };

  const show = async (request: ApprovalRequest): Promise<void> => {
    await say(`${questionOf(request, clock)}\n${texts(request.locale).approvals.yesNo()}\n`);
  };

  return {
    ask: async (request) => {
      dropExpired();
      open = [...open.filter(({ id }) => id !== request.id), request];
      // One question at a time: a yes must not be taken for an answer to another one.
      if (open[0]?.id === request.id) await show(request);
    },
    close: async (closed) => {
      const wasShown = open[0]?.id === closed;
      open = open.filter(({ id }) => id !== closed);
      const [next] = open;
      if (wasShown && next) await show(next);
    },
    take: async (text, host) => {
      dropExpired();
      const [request] = open;
      if (!request) return false;
      const verdict = verdictIn(text);
      if (!verdict) {
        if (!text.trim().startsWith('/')) open = [];
        return false;
      }
      open = open.slice(1);
      const by = { channelId: CONSOLE, userId, userRoles: [] };
      const result = await host.approvals.decide(request.id, verdict, by);
      const problem = problemWith(result, request.locale);
      if (problem !== undefined) await say(problem);
      const [next] = open;
      if (next) await show(next);
      if (result.outcome === 'recorded') await result.settled;
      return true;
    },
  };
};
