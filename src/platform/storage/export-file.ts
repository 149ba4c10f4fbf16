import { createHash } from 'node:crypto';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { ConversationFormat } from '#src/kernel/agent/conversations.ts';
import type { Steps } from '../concurrency/cooperative-tasks.ts';
import type { SentFiles } from './sent-files.ts';

/** A file that a person downloads. There is at most one of each kind and subject at a time. */
export interface ExportFile {
  readonly kind: 'data' | 'conversation' | 'portfolio' | 'import-errors' | 'feedback';
  /** The person, conversation or portfolio that the file is about. */
  readonly subject: string;
  readonly extension: string;
}

const CONVERSATION_EXTENSIONS = {
  markdown: 'md',
  'json-lines': 'jsonl',
} as const satisfies Record<ConversationFormat, string>;

export const conversationFile = (sessionKey: SessionKey, format: ConversationFormat): ExportFile => ({
  kind: 'conversation',
  subject: sessionKey,
  extension: CONVERSATION_EXTENSIONS[format],
});

/** Writes a file and returns its address. Long content comes in pieces, which are written one after another. */
export type WriteExport = (file: ExportFile, content: string | readonly string[]) => Promise<string>;

const NAME_LENGTH = 32;

/** One subject always gives the same name; the name reveals nothing of the subject. */
export const exportName = ({ kind, subject, extension }: ExportFile): string => {
  const hash = createHash('sha256').update(subject).digest('hex');
  return `${kind}-${hash.slice(0, NAME_LENGTH)}.${extension}`;
};

/**
 * A new export replaces an earlier one of the same subject, so that repeated requests cannot fill the disk; an answer that
 * was not sent yet then sends the newer file. Files are removed after two days and by `/privacy delete`.
 */
export const createExportWriter =
  (files: Pick<SentFiles, 'save'>): WriteExport =>
  (file, content) =>
    files.save('exports', exportName(file), content);

type Plain = Readonly<Record<string, unknown>>;

const INDENT = '  ';
/** Values below this many levels are short: one entry of a list, one setting. */
const MAX_DEPTH = 5;

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const isLeftOut = (value: unknown): boolean => value === undefined || typeof value === 'function';

/** Texts in JSON contain no raw line breaks, so each line break can be indented. */
const shortJson = (value: unknown, margin: string): string =>
  (JSON.stringify(value, null, INDENT.length) ?? 'null').replaceAll('\n', `\n${margin}`);

const write = function* (value: unknown, depth: number, pieces: string[]): Steps<void> {
  const margin = INDENT.repeat(depth);
  const isList = Array.isArray(value);
  const members: readonly (readonly [string, unknown])[] = isList
    ? value.map((item) => ['', item])
    : isPlain(value)
      ? Object.entries(value)
          .filter(([, item]) => !isLeftOut(item))
          .map(([name, item]) => [`${JSON.stringify(name)}: `, item])
      : [];
  if (members.length === 0 || depth >= MAX_DEPTH) {
    pieces.push(shortJson(value, margin));
    yield;
    return;
  }
  for (const [index, [name, item]] of members.entries()) {
    pieces.push(`${index > 0 ? ',' : isList ? '[' : '{'}\n${margin}${INDENT}${name}`);
    yield* write(item, depth + 1, pieces);
  }
  pieces.push(`\n${margin}${isList ? ']' : '}'}`);
};

/** Small pieces are joined, because each piece is a write of its own. */
const PIECE_CHARS = 65_536;

export const joinPieces = function* (small: readonly string[]): Steps<readonly string[]> {
  const pieces: string[] = [];
  let chars = 0;
  let from = 0;
  for (const [index, piece] of small.entries()) {
    chars += piece.length;
    if (chars < PIECE_CHARS && index < small.length - 1) continue;
    pieces.push(small.slice(from, index + 1).join(''));
    from = index + 1;
    chars = 0;
    yield;
  }
  return pieces;
};

/** `JSON.stringify(value, null, 2)`, in steps and in pieces: the data of one person may be very long. */
export const jsonInPieces = function* (value: unknown): Steps<readonly string[]> {
  const small: string[] = [];
  yield* write(value, 0, small);
  return yield* joinPieces(small);
};

/** The size of all pieces in bytes of UTF-8. */
export const sizeInSteps = function* (pieces: readonly string[]): Steps<number> {
  let size = 0;
  for (const piece of pieces) {
    size += Buffer.byteLength(piece);
    yield;
  }
  return size;
};
