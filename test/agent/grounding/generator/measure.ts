import { checkAnswer } from '#src/agent/grounding/judge/check-answer.ts';
import { asksForRepair } from '#src/agent/grounding/mark/mark-answer.ts';
import { Count, doubtsIn, isCaught, type Score } from '../score.ts';
import type { Collected } from './collect-facts.ts';
import { render } from './draft.ts';
import { generate } from './generate.ts';

/** What the check finds among generated answers, right and wrong. */
export const measure = (
  collected: Collected,
  options: { readonly seed: string; readonly answers: number },
): Score => {
  const flagged = new Count();
  const numbers = new Count();
  const caught = new Map<string, Count>();
  const alarms: string[] = [];
  for (const { session, draft, planted } of generate(collected, options)) {
    const { text } = render(draft.parts);
    const check = checkAnswer(text, session.evidence);
    flagged.add(asksForRepair(check));
    for (const { verdict } of check.numbers) if (verdict !== 'exempt') numbers.add(verdict === 'unsupported');
    if (asksForRepair(check)) alarms.push(`${draft.group}: ${doubtsIn(check).join(', ')} in: ${text}`);
    for (const { kind, text: wrong, target } of planted) {
      const count = caught.get(kind) ?? new Count();
      caught.set(kind, count);
      count.add(isCaught(checkAnswer(wrong, session.evidence), [target]));
    }
  }
  return { flagged, numbers, caught, alarms };
};
