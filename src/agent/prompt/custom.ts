import { outsideText } from './untrusted-text.ts';
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

/** A blank line between one and the next. */
const framed = (texts: readonly string[]): PromptSection =>
  promptSection('custom', [...OPENING, texts.join('\n\n'), CLOSING]);

/** Cut, it says so: half an instruction must not be taken for a whole one. */
const cutTo = (text: string, maxBytes: number): string => {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const kept = firstBytes(text, maxBytes).trimEnd();
  return kept === '' ? CUT_NOTE : `${kept}\n${CUT_NOTE}`;
};

/** Equal shares; what a short one leaves is for the others. */
const sharesOf = (sizes: readonly number[], total: number): readonly number[] => {
  const shares = sizes.map(() => 0);
  let left = total;
  for (const [place, [index, size]] of [...sizes.entries()].toSorted(([, a], [, b]) => a - b).entries()) {
    shares[index] = Math.min(size, Math.floor(left / (sizes.length - place)));
    left -= shares[index];
  }
  return shares;
};

/**
 * What the operator wrote into the configuration, for all agents and for this one, of at most so many tokens
 * where the frame leaves any. Too long, each is cut to its share: none pushes out another.
 */
export const buildCustomSection = (instructions: readonly string[], maxTokens: number): PromptSection => {
  const texts = instructions.map(outsideText).filter((text) => text !== '');
  if (texts.length === 0) return promptSection('custom', []);
  const whole = framed(texts);
  if (whole.tokenEstimate <= maxTokens) return whole;
  const frame = framed(texts.map(() => CUT_NOTE));
  // Each has a line break before its note.
  const roomBytes = (maxTokens - frame.tokenEstimate) * BYTES_PER_TOKEN - texts.length;
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const shares = sharesOf(sizes, Math.max(0, roomBytes));
  return framed(texts.map((text, index) => cutTo(text, shares[index] ?? 0)));
};
