import type { Steps } from '#src/platform/steps.ts';
import { chunkSteps } from './chunks.ts';

const MANY = /\n(?:[ \t]*\n){3,}/g;
const TWO_BLANK = '\n\n\n';

/** Code, in a fence or by indentation. */
const mayHoldCode = (chunk: string): boolean => /```|~~~|^(?: {4}|\t)/m.test(chunk);

/** More than two blank lines say no more than two; in code every line counts. */
export const collapseBlankLines = function* (source: string): Steps<string> {
  if (source.search(MANY) === -1) return source;
  let made = '';
  let from = 0;
  for (const { start, end } of yield* chunkSteps(source)) {
    yield;
    const chunk = source.slice(start, end);
    made += source.slice(from, start).replaceAll(MANY, TWO_BLANK);
    made += mayHoldCode(chunk) ? chunk : chunk.replaceAll(MANY, TWO_BLANK);
    from = end;
  }
  return made + source.slice(from).replaceAll(MANY, TWO_BLANK);
};
