import { texts } from './i18n.ts';
import type { ApprovalId, Timestamp } from './ids.ts';
import type { ApprovalRequest } from './ports.ts';
import { shortened } from './text.ts';

const CODE_LENGTH = 6;

/** What a person types to name a question: short, and of the part of its id that is chance. */
export const approvalCode = (id: ApprovalId): string => id.slice(-CODE_LENGTH).toLowerCase();

/** The question as a person reads it, without how to answer it. */
export const questionOf = (request: ApprovalRequest, clock: { readonly now: () => Timestamp }): string => {
  const { summary, reason: why, askerName, isRepeated, expiresAt, locale } = request;
  const minutes = Math.max(1, Math.ceil(clock.now().until(expiresAt).total('minutes')));
  const asker = askerName === undefined ? undefined : shortened(askerName);
  return texts(locale).approvals.ask({ summary, why, minutes, asker, isRepeated });
};
