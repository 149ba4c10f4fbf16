import { createHash } from 'node:crypto';
import type { ToolResultCode } from '#src/kernel/tool.ts';
import type { Approval, ApprovalStore } from '#src/platform/storage/approvals.ts';
import { canonicalJson } from './canonical-json.ts';

/** A call that a person was asked about, or may have to be. */
export interface GatedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** `own`: it changes what is kept about the person. */
  readonly why: 'own' | 'transactional' | 'loop' | 'policy';
  /** The tool's own words for why this very call is asked about. */
  readonly whyThisCall?: string | undefined;
  /** The operator's own words about it. */
  readonly note?: string | undefined;
  readonly isTransactional: boolean;
}

/** A call that needs a person's word, as the registry hands it over. */
export interface CallToApprove extends GatedCall {
  /** What would be done, in the person's words. */
  readonly summary: string;
}

/** What a person's word, or the lack of it, means for a call. */
export type ApprovalDecision =
  | { readonly status: 'approved' }
  | { readonly status: 'waiting' }
  | { readonly status: 'refused'; readonly why: string; readonly code: ToolResultCode };

/** In the place of who decided, where the question could not be put. */
export const NOBODY_ASKED = 'nobody asked';

/** The same for the same call, in whatever order its arguments stand. */
export const hashOf = (toolName: string, input: unknown): string =>
  createHash('sha256')
    .update(`${toolName}\n${canonicalJson(input)}`)
    .digest('hex');

/** What the stored answer means for exactly this call. */
export const approvalDecisionOf = async (
  approval: Approval,
  call: GatedCall,
  start: ApprovalStore['start'],
): Promise<ApprovalDecision> => {
  const { toolName } = call;
  if (approval.inputHash !== hashOf(toolName, call.input))
    return {
      status: 'refused',
      why: 'what would be done is no longer what the person was asked about',
      code: 'approval-mismatch',
    };
  switch (approval.status) {
    case 'pending':
      return { status: 'waiting' };
    case 'denied':
      return approval.decidedBy === NOBODY_ASKED
        ? { status: 'refused', why: 'the person could not be asked', code: 'approval-not-asked' }
        : { status: 'refused', why: 'the person refused it', code: 'approval-denied' };
    case 'expired':
      return { status: 'refused', why: 'nobody decided in time', code: 'approval-expired' };
    case 'started':
      // What changes nothing may be done again.
      if (!call.isTransactional) return { status: 'approved' };
      // It may or may not have taken effect: only the person can find out.
      return {
        status: 'refused',
        why: 'it had begun when the program ended, and it is not known whether it took effect; it is not repeated. Tell the person to check',
        code: 'maybe-done',
      };
    case 'approved':
      return (await start(approval.id))
        ? { status: 'approved' }
        : { status: 'refused', why: 'it was given up', code: 'approval-given-up' };
  }
  return approval.status satisfies never;
};
