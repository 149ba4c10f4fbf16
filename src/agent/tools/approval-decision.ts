import { createHash } from 'node:crypto';
import type { ToolResultCode } from '#src/kernel/agent/tool.ts';
import type { Approval, ApprovalStore } from '#src/kernel/agent/approval-store.ts';
import { canonicalJson } from './canonical-json.ts';

/** A call that needs, or may need, approval. */
export interface GatedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** `own`: the call changes the person's stored data. */
  readonly why: 'own' | 'transactional' | 'loop' | 'policy';
  /** The tool's reason for asking about this call. */
  readonly whyThisCall?: string | undefined;
  /** The operator's note from the rule. */
  readonly note?: string | undefined;
  readonly isTransactional: boolean;
}

/** A call that needs approval, with its summary for the person. */
export interface CallToApprove extends GatedCall {
  /** The planned action, in the person's language. */
  readonly summary: string;
}

/** The outcome of an approval, for the call. */
export type ApprovalDecision =
  | { readonly status: 'approved' }
  | { readonly status: 'waiting' }
  | { readonly status: 'refused'; readonly why: string; readonly code: ToolResultCode };

/** Stored as the decider if the question could not be sent. */
export const NOBODY_ASKED = 'nobody asked';

/** Equal for equal calls, independent of the order of arguments. */
export const hashOf = (toolName: string, input: unknown): string =>
  createHash('sha256')
    .update(`${toolName}\n${canonicalJson(input)}`)
    .digest('hex');

const refused = (why: string, code: ToolResultCode): ApprovalDecision => ({ status: 'refused', why, code });

/** Evaluates the stored approval for exactly this call. */
export const approvalDecisionOf = async (
  approval: Approval,
  call: GatedCall,
  start: ApprovalStore['start'],
): Promise<ApprovalDecision> => {
  const { toolName } = call;
  if (approval.inputHash !== hashOf(toolName, call.input))
    return refused('what would be done is no longer what the person was asked about', 'approval-mismatch');
  switch (approval.status) {
    case 'pending':
      return { status: 'waiting' };
    case 'denied':
      return approval.decidedBy === NOBODY_ASKED
        ? refused('the person could not be asked', 'approval-not-asked')
        : refused('the person refused it', 'approval-denied');
    case 'expired':
      return refused('nobody decided in time', 'approval-expired');
    case 'started':
      // A call without side effects may be repeated.
      if (!call.isTransactional) return { status: 'approved' };
      // Whether it took effect is unknown; only the person can check.
      return refused(
        'it had begun when the program ended, and it is not known whether it took effect; it is not repeated. Tell the person to check',
        'maybe-done',
      );
    case 'approved':
      return (await start(approval.id))
        ? { status: 'approved' }
        : refused('it was given up', 'approval-given-up');
  }
  return approval.status satisfies never;
};
