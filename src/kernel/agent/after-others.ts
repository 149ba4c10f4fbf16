import { approvalTexts } from './texts/approvals.ts';
import type { ApprovalNeed, ToolExecutionContext } from './tool.ts';

/** For calls that delete something, or that let the bot say something later: words of others may have asked for them. */
export const askAfterOthers = ({ addresses, locale }: ToolExecutionContext): ApprovalNeed | undefined =>
  addresses?.hasReadOthers() === true
    ? {
        reason: 'Words of others were read in this turn.',
        words: approvalTexts(locale).why.afterOthers(),
      }
    : undefined;
