import { CONTROL_TOKEN_NAMES } from '#src/kernel/text.ts';

/** A code block that is open: what it takes to close it. */
export interface Fence {
  readonly mark: '`' | '~';
  readonly length: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Also inside quotations and lists, whose marks stand before it. */
const FENCE = /^[\t >]*(?:(?:[-*+]|\d{1,9}[.)])[\t ]+)*(`{3,}|~{3,})([^]*)/;

/** Which code block is open behind a line, given the one that was open before it. */
const fenceAfter = (line: string, open: Fence | undefined): Fence | undefined => {
  const [, marks = '', rest = ''] = FENCE.exec(line) ?? [];
  const mark = marks.startsWith('~') ? '~' : '`';
  if (open) {
    const isEnd = marks !== '' && mark === open.mark && marks.length >= open.length && rest.trim() === '';
    return isEnd ? undefined : open;
  }
  // Backticks behind backticks are code inside a line.
  if (marks === '' || (mark === '`' && rest.includes('`'))) return undefined;
  return { mark, length: marks.length };
};

/**
 * The code inside a line, its backticks included: a run of them ends at the next run of the same length; where
 * there is none, it is only text.
 */
const codeSpansIn = (line: string): readonly Span[] => {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  /** From right to left: where the next run of each length stands. */
  const nextOfLength = new Map<number, number>();
  const closings = runs
    .toReversed()
    .map(({ length, index }) => {
      const closing = nextOfLength.get(length);
      nextOfLength.set(length, index);
      return { start: index, end: closing === undefined ? undefined : closing + length };
    })
    .toReversed();
  const spans: Span[] = [];
  let done = 0;
  for (const { start, end } of closings) {
    if (start < done || end === undefined) continue;
    spans.push({ start, end });
    done = end;
  }
  return spans;
};

export type ControlToken = (typeof CONTROL_TOKEN_NAMES)[number];

export interface ControlTokenResult {
  readonly cleanContent: string;
  readonly hasNoReply: boolean;
  readonly hasSilentReply: boolean;
  readonly hasHeartbeat: boolean;
  readonly needsInput: boolean;
  readonly needsDisclaimer: boolean;
  readonly needsQuote: boolean;
}

/** What came out of a piece of an answer. */
export interface Scanned {
  /** What a person may see of it; never a token, nor the beginning of one that is still being written. */
  readonly visible: string;
  /** In the order in which they were completed, each as often as it was written. */
  readonly tokens: readonly ControlToken[];
}

/** Reads an answer while it is being written. */
export interface TokenScanner {
  readonly feed: (chunk: string) => Scanned;
  /** The answer has ended: what was held back comes out, and the next one can begin. */
  readonly flush: () => Scanned;
  /** The answer begins anew; what was held back of it is forgotten. */
  readonly reset: () => void;
}

const OPENING = '<<';
const WRITTEN = CONTROL_TOKEN_NAMES.map((name) => ({ name, text: `<<${name}>>` }));
const TOKEN = new RegExp(`<<(${CONTROL_TOKEN_NAMES.join('|')})>>`, 'g');

/** In code a token is only shown: a model that explains it must not be silenced by it. */
const harmless = (code: string): string => code.replaceAll(TOKEN, '‹‹$1››');

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** Compared from its end, where most texts differ. */
const endsWith = (out: readonly string[], token: string): boolean => {
  const from = out.length - token.length;
  if (from < 0) return false;
  for (let at = token.length - 1; at >= 0; at -= 1) if (out[from + at] !== token[at]) return false;
  return true;
};

/**
 * Takes the tokens out of text that is not code, with the blanks before them. What was taken out leaves no seam
 * at which two halves could become another token: each `>` is looked at together with all that is left before it.
 */
const takeTokens = (text: string, out: string[], tokens: ControlToken[]): void => {
  for (const character of text) {
    // A line does not begin with the blanks that stood behind a token.
    if (isBlank(character) && out.length === 0 && tokens.length > 0) continue;
    out.push(character);
    if (character !== '>' || out.at(-2) !== '>') continue;
    const found = WRITTEN.find(({ text: token }) => endsWith(out, token));
    if (!found) continue;
    out.length -= found.text.length;
    while (isBlank(out.at(-1))) out.pop();
    tokens.push(found.name);
  }
};

/** A whole line, or what there is of it. Tokens do not reach over lines, so each line is read by itself. */
const scanLine = (line: string, fence: Fence | undefined): Scanned => {
  if (!line.includes(OPENING)) return { visible: line, tokens: [] };
  if (fence || fenceAfter(line, fence)) return { visible: harmless(line), tokens: [] };
  const out: string[] = [];
  const tokens: ControlToken[] = [];
  let done = 0;
  for (const { start, end } of codeSpansIn(line)) {
    takeTokens(line.slice(done, start), out, tokens);
    out.push(harmless(line.slice(start, end)));
    done = end;
  }
  takeTokens(line.slice(done), out, tokens);
  return { visible: out.join(''), tokens };
};

/**
 * How much of a line that is still being written looks the same whatever follows: up to the first `<<`, without
 * the blanks before it, for they go with a token, and without each `<` that would then stand at its end.
 */
const settledLength = (line: string): number => {
  const opening = line.indexOf(OPENING);
  let end = opening >= 0 ? opening : line.length;
  while (isBlank(line[end - 1]) || line[end - 1] === '<') end -= 1;
  return end;
};

export const createTokenScanner = (): TokenScanner => {
  let fence: Fence | undefined;
  /** The line that is being written, as the model writes it. */
  let line = '';
  /** How much of the line's text and how many of its tokens were emitted already. */
  let shown = 0;
  let sent = 0;
  /** How far the line was searched for tokens. It is not searched twice, because a line may be as long as the answer. */
  let searched: { end: number; readonly out: string[]; readonly tokens: ControlToken[] } | undefined;

  const startLine = (): void => {
    line = '';
    shown = 0;
    sent = 0;
    searched = undefined;
  };

  const endLine = (): Scanned => {
    const { visible, tokens } = scanLine(line, fence);
    const rest = { visible: visible.slice(shown), tokens: tokens.slice(sent) };
    fence = fenceAfter(line, fence);
    startLine();
    return rest;
  };

  /** A token before any code counts at once; a token that may be inside code waits for the end of the line. */
  const early = (): Scanned => {
    const end = settledLength(line);
    const visible = line.slice(shown, end);
    shown = Math.max(shown, end);
    const code = line.indexOf('`');
    const beforeCode = code < 0 ? line : line.slice(0, code);
    // What makes a fence of a line stands before all else in it.
    if (fence || !beforeCode.includes(OPENING) || (!searched && fenceAfter(beforeCode, fence)))
      return { visible, tokens: [] };
    searched ??= { end: 0, out: [], tokens: [] };
    takeTokens(beforeCode.slice(searched.end), searched.out, searched.tokens);
    searched.end = beforeCode.length;
    const tokens = searched.tokens.slice(sent);
    sent += tokens.length;
    return { visible, tokens };
  };

  const reset = (): void => {
    fence = undefined;
    startLine();
  };

  return {
    feed: (chunk) => {
      let visible = '';
      const tokens: ControlToken[] = [];
      const add = (scanned: Scanned): void => {
        visible += scanned.visible;
        tokens.push(...scanned.tokens);
      };
      const [first = '', ...others] = chunk.split('\n');
      line += first;
      for (const next of others) {
        add(endLine());
        visible += '\n';
        line = next;
      }
      add(early());
      return { visible, tokens };
    },
    flush: () => {
      const rest = endLine();
      reset();
      return rest;
    },
    reset,
  };
};

/**
 * Takes the known tokens out of an answer. What only looks like one stays (a person may write `<<EOF`), and in
 * code a token is a text like any other.
 */
export const extractControlTokens = (answer: string): ControlTokenResult => {
  const scanner = createTokenScanner();
  const parts = [scanner.feed(answer), scanner.flush()];
  const tokens = new Set(parts.flatMap((part) => part.tokens));
  return {
    cleanContent: parts
      .map(({ visible }) => visible)
      .join('')
      .trim(),
    hasNoReply: tokens.has('NO_REPLY'),
    hasSilentReply: tokens.has('SILENT_REPLY'),
    hasHeartbeat: tokens.has('HEARTBEAT_OK'),
    needsInput: tokens.has('NEED_INPUT'),
    needsDisclaimer: tokens.has('ATTACH_DISCLAIMER'),
    needsQuote: tokens.has('ATTACH_QUOTE'),
  };
};
