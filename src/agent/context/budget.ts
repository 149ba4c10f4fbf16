/** Counts are estimates: a conversation that is to fit is made this much smaller. */
const SAFETY_MARGIN = 1.2;
/** The most that a summary may take, whatever the window. */
const SUMMARIZATION_OVERHEAD_TOKENS = 4_096;
/** The part of a small target that the summary may take. */
const SUMMARY_SHARE = 1 / 3;
/** However long the newest turn is, so much of the summary's share stays for what was said before. */
const LEAST_SHARE = 1 / 4;

/** How the tokens that a compaction aims at are divided. */
export interface Budget {
  readonly targetTokens: number;
  /** What is aimed at, below the target. */
  readonly safeTokens: number;
  readonly keptTokens: number;
  readonly summaryTokens: number;
  readonly leastSummaryTokens: number;
}

export const budgetFor = (targetTokens: number): Budget => {
  const safeTokens = Math.floor(targetTokens / SAFETY_MARGIN);
  const summaryTokens = Math.min(SUMMARIZATION_OVERHEAD_TOKENS, Math.floor(safeTokens * SUMMARY_SHARE));
  return {
    targetTokens,
    safeTokens,
    keptTokens: safeTokens - summaryTokens,
    summaryTokens,
    leastSummaryTokens: Math.floor(summaryTokens * LEAST_SHARE),
  };
};
