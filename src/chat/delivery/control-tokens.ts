import { CONTROL_TOKEN_NAMES } from '#src/kernel/text.ts';

/** An open code block and the marker that closes it. */
export interface TokenFence {
  readonly mark: '`' | '~';
  readonly length: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Also in quotes and lists, whose marks precede it. */
const FENCE = /^[\t >]*(?:(?:[-*+]|\d{1,9}[.)])[\t ]+)*(`{3,}|~{3,})([^]*)/;

/** The code block that is open after a line, given the one before it. */
const fenceAfter = (line: string, open: TokenFence | undefined): TokenFence | undefined => {
  const [, marks = '', rest = ''] = FENCE.exec(line) ?? [];
  const mark = marks.startsWith('~') ? '~' : '`';
  if (open) {
    const isEnd = marks !== '' && mark === open.mark && marks.length >= open.length && rest.trim() === '';
    return isEnd ? undefined : open;
  }
  // Backticks after the marker make it inline code.
  if (marks === '' || (mark === '`' && rest.includes('`'))) return undefined;
  return { mark, length: marks.length };
};

/**
 * The inline code of a line with its backticks: a run of backticks ends at the next run of the same length. Without one
 * it is plain text.
 */
const codeSpansIn = (line: string): readonly Span[] => {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  /** The position of the next run of each length, from right to left. */
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

export interface Scanned {
  /** Text to show; never a token or the start of an incomplete one. */
  readonly visible: string;
  /** In order of completion, with repetitions. */
  readonly tokens: readonly ControlToken[];
}

const OPENING = '<<';
const WRITTEN = CONTROL_TOKEN_NAMES.map((name) => ({ name, text: `<<${name}>>` }));
const TOKEN = new RegExp(`<<(${CONTROL_TOKEN_NAMES.join('|')})>>`, 'g');

/** Within code a token has no effect, so that the model can explain it. */
const harmless = (code: string): string => code.replaceAll(TOKEN, '‹‹$1››');

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** Compares from the end, where most texts differ. */
const endsWith = (out: readonly string[], token: string): boolean => {
  const from = out.length - token.length;
  if (from < 0) return false;
  for (let at = token.length - 1; at >= 0; at -= 1) if (out[from + at] !== token[at]) return false;
  return true;
};

/**
 * Removes tokens with the spaces before them from text that is not code. Two halves cannot join into another token:
 * each `>` is checked against all remaining text before it.
 */
const takeTokens = (text: string, out: string[], tokens: ControlToken[]): void => {
  for (const character of text) {
    // Skips spaces at the start of a line that follow a token.
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

/** Scans a whole or partial line. Tokens do not span lines. */
const scanLine = (line: string, fence: TokenFence | undefined): Scanned => {
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
 * The length of a partial line that cannot change any more: up to the first `<<`, without the spaces before it, which are
 * removed with a token, and without a trailing `<`.
 */
const settledLength = (line: string): number => {
  const opening = line.indexOf(OPENING);
  let end = opening >= 0 ? opening : line.length;
  while (isBlank(line[end - 1]) || line[end - 1] === '<') end -= 1;
  return end;
};

/** Finds control tokens in a streamed answer. */
export const createTokenScanner = () => {
  let fence: TokenFence | undefined;
  /** The current line as received. */
  let line = '';
  /** How much text and how many tokens of the line were emitted already. */
  let shown = 0;
  let sent = 0;
  /** How far the line was searched. It is not searched twice, because a line may be as long as the answer. */
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

  /** Tokens before any code are emitted at once; a token that may be within code waits for the end of the line. */
  const early = (): Scanned => {
    const end = settledLength(line);
    const visible = line.slice(shown, end);
    shown = Math.max(shown, end);
    const code = line.indexOf('`');
    const beforeCode = code < 0 ? line : line.slice(0, code);
    // A fence marker is at the start of its line.
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
    feed: (chunk: string): Scanned => {
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
    /** Ends the answer and returns the text that was held back. */
    flush: (): Scanned => {
      const rest = endLine();
      reset();
      return rest;
    },
    /** Restarts the answer and discards the text that was held back. */
    reset,
  };
};

/**
 * Removes control tokens from an answer. Similar texts such as `<<EOF` stay, and so do tokens within code.
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
