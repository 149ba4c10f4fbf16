import type { Evidence, KnownFact, SourceText } from '#src/agent/grounding/facts/evidence.ts';
import { TODAY } from './sample-features.ts';

/** Facts, the person's words, and what others wrote. */
export const evidenceOf = (
  facts: readonly KnownFact[],
  question = '',
  texts: readonly SourceText[] = [],
): Evidence => ({
  facts,
  texts: [{ from: 'person', text: question }, ...texts],
  question,
  done: [],
  today: TODAY,
});
