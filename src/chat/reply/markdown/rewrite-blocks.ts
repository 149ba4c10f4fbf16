import type { Lexer } from 'marked';
import type { Steps } from '#src/platform/steps.ts';
import { newLexer } from './new-lexer.ts';
import { type Chunk, chunkSteps } from './chunks.ts';
import { readRegions } from './read-regions.ts';
import type { Region } from './region.ts';

/** The lines that stand for a block from now on; undefined leaves it as it is. */
export type BlockWriter = (
  region: Region,
  lines: readonly string[],
  lexer: Lexer,
) => readonly string[] | undefined;

interface ReadChunk extends Chunk {
  readonly text: string;
  readonly lines: readonly string[];
  /** Undefined: it stays as it is. */
  readonly regions: readonly Region[] | undefined;
}

/** Nothing but marks of quotes, or the edge of the chunk: one blank line before a block is enough. */
const isEmpty = (line = ''): boolean => /^[ \t>]*$/.test(line);

/**
 * Writes some blocks of a document anew and leaves every other byte alone. A chunk that cannot be parsed
 * in reasonable time is left alone as well.
 */
export const rewriteBlocks = function* (
  source: string,
  isConcerned: (chunk: string) => boolean,
  write: BlockWriter,
): Steps<string> {
  // One for all chunks: it knows where links lead that are defined elsewhere.
  const lexer = newLexer();
  const chunks: ReadChunk[] = [];
  for (const chunk of yield* chunkSteps(source)) {
    const text = source.slice(chunk.start, chunk.end);
    const lines = text.split('\n');
    chunks.push({
      ...chunk,
      text,
      lines,
      regions: isConcerned(text) ? readRegions(lines, lexer) : undefined,
    });
    yield;
  }
  let written = '';
  let from = 0;
  for (const { start, end, text, lines, regions } of chunks) {
    const made: string[] = [];
    let next = 0;
    for (const region of regions ?? []) {
      yield;
      const own = lines.slice(region.first, region.last + 1);
      made.push(...lines.slice(next, region.first));
      next = region.last + 1;
      const block = write(region, own, lexer) ?? own;
      const isOpen = block.length > 1 && isEmpty(block[0]) && isEmpty(made.at(-1));
      const isEnded = block.length > 1 && isEmpty(block.at(-1)) && isEmpty(lines[next]);
      made.push(...block.slice(isOpen ? 1 : 0, isEnded ? -1 : undefined));
    }
    written += source.slice(from, start) + (next === 0 ? text : [...made, ...lines.slice(next)].join('\n'));
    from = end;
  }
  return written + source.slice(from);
};
