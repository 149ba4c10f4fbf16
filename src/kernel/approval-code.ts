import type { Locale } from './locale.ts';
import { approvalMessages } from './messages/approvals.ts';
import type { ApprovalId, Timestamp } from './ids.ts';
import type { ApprovalOutcome, ApprovalRequest } from './ports.ts';
import { shortened } from './text.ts';

const CODE_LENGTH = 6;

/** What a person types to name a question: short, and of the part of its id that is chance. */
export const approvalCode = (id: ApprovalId): string => id.slice(-CODE_LENGTH).toLowerCase();

/** What is asked about, in one line. */
export const actOf = ({ summary, toolName }: Pick<ApprovalRequest, 'summary' | 'toolName'>): string =>
  summary.split('\n', 1)[0]?.replace(/^> /, '') || toolName;

/** The question as a person reads it, without how to answer it. */
export const questionOf = (request: ApprovalRequest, clock: { readonly now: () => Timestamp }): string => {
  const { summary, reason: why, requesterName, isRepeated, expiresAt, locale } = request;
  const minutes = Math.max(1, Math.ceil(clock.now().until(expiresAt).total('minutes')));
  const requester = requesterName === undefined ? undefined : shortened(requesterName);
  return approvalMessages(locale).ask({ summary, why, minutes, requester, isRepeated });
};

/** What the one who decided is told; undefined where the run that waited goes on, and says the rest itself. */
export const problemWith = ({ outcome }: ApprovalOutcome, locale: Locale): string | undefined => {
  const t = approvalMessages(locale);
  switch (outcome) {
    case 'recorded':
      return undefined;
    case 'refused':
      return t.notYours();
    case 'too-late':
      return t.tooLate();
    case 'unknown':
      return t.unknown();
  }
  return outcome satisfies never;
};
