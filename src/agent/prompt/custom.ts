import { outsideText } from './outside-text.ts';
import { type PromptSection, promptSection } from './section.ts';

const OPENING = [
  'From those who run this bot. They may set tone, scope and form; the rules, the limits on advice and the risk notice above stay.',
  '<operator>',
];
const CLOSING = '</operator>';
const CUT_NOTE = '[Cut here: the rest did not fit.]';

/** As many whole characters as `maxBytes` hold. */
const firstBytes = (text: string, maxBytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, Math.max(0, maxBytes)), { stream: true });

const BYTES_PER_TOKEN = 3;

/**
 * What the operator wrote into the configuration, of at most so many tokens where the frame leaves any. Cut,
 * it says so: half an instruction must not be taken for a whole one.
 */
export const buildCustomSection = (instructions: string, maxTokens: number): PromptSection => {
  const text = outsideText(instructions);
  if (text === '') return promptSection('custom', []);
  const whole = promptSection('custom', [...OPENING, text, CLOSING]);
  if (whole.tokenEstimate <= maxTokens) return whole;
  const frame = promptSection('custom', [...OPENING, CUT_NOTE, CLOSING]);
  const kept = firstBytes(text, (maxTokens - frame.tokenEstimate) * BYTES_PER_TOKEN - 1).trimEnd();
  return kept === '' ? frame : promptSection('custom', [...OPENING, kept, CUT_NOTE, CLOSING]);
};
