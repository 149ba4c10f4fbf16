import type { SessionKey, Timestamp } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { SharedMessage } from '#src/kernel/operations/operator.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { joinPieces } from '#src/platform/storage/export-file.ts';
import { withoutRepaired } from './memory/transcript/repaired-answers.ts';
import type { TranscriptEntry } from './memory/transcript/transcript-store.ts';

interface MarkdownOptions {
  readonly locale: Locale;
  readonly timeZone: string;
  readonly exportedAt: Timestamp;
}

const WORDS = {
  en: {
    title: 'Conversation with FinClaw',
    exported: 'Exported',
    person: 'You',
    bot: 'FinClaw',
    tool: 'Looked up',
    result: 'Result',
    failed: 'Result (error)',
    image: 'image',
  },
  ko: {
    title: 'FinClaw와의 대화',
    exported: '내보낸 시각',
    person: '나',
    bot: 'FinClaw',
    tool: '조회',
    result: '결과',
    failed: '결과 (오류)',
    image: '이미지',
  },
} as const satisfies Record<Locale, Record<string, string>>;

/** The context block that the program appends is not part of the person's message. */
const isOurContext = (block: ContentBlock): boolean =>
  block.type === 'text' && block.text.startsWith('<context>') && block.text.endsWith('</context>');

const quoted = (text: string): string => text.replaceAll(/^/gm, '> ');

const timeOf = (at: string, timeZone: string): string => {
  const time = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone);
  return `${time.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')} ${timeZone}`;
};

type ShownBlock = Exclude<ContentBlock, { readonly type: 'thinking' }>;

const isThought = (block: ContentBlock): block is Exclude<ContentBlock, ShownBlock> =>
  block.type === 'thinking';

/** The visible part of a message. */
const shownBlocks = ({ isNote, shown, content }: ConversationMessage): readonly ShownBlock[] => {
  const others = isNote
    ? []
    : content.flatMap((block) => (isOurContext(block) || isThought(block) ? [] : [block]));
  if (shown === undefined) return others;
  return [...others.filter(({ type }) => type !== 'text'), { type: 'text', text: shown }];
};

interface ShownEntry extends TranscriptEntry {
  readonly blocks: readonly ShownBlock[];
}

/** What may leave the program of a conversation, in any format: what people saw, and what was looked up for it. */
const shownEntries = (entries: readonly TranscriptEntry[]): readonly ShownEntry[] =>
  withoutRepaired(entries).flatMap((entry) => {
    const blocks = shownBlocks(entry.message);
    return blocks.length > 0 ? [{ ...entry, blocks }] : [];
  });

const blockAsMarkdown = (block: ShownBlock, locale: Locale): readonly string[] => {
  const words = WORDS[locale];
  switch (block.type) {
    case 'text':
      return [block.text];
    case 'image':
      return [`[${words.image}: ${block.name}]`];
    case 'tool_use':
      return [`_${words.tool}: ${block.name} ${JSON.stringify(block.input)}_`];
    case 'tool_result':
      return [quoted(`${block.isError ? words.failed : words.result}: ${block.content}`)];
  }
  return block satisfies never;
};

/** Renders a conversation for a person: who said what when, and which tools ran in between. */
export const conversationAsMarkdown = (
  entries: readonly TranscriptEntry[],
  options: MarkdownOptions,
): string => {
  const { locale, timeZone, exportedAt } = options;
  const words = WORDS[locale];
  const parts: string[] = [];
  let speaker: 'person' | 'bot' | undefined;
  for (const { at, message, blocks } of shownEntries(entries)) {
    const body = blocks.flatMap((block) => blockAsMarkdown(block, locale));
    // Calls and results follow their answer without a heading of their own.
    const side = message.role === 'user' ? 'person' : 'bot';
    if (side !== speaker || side === 'person') parts.push(`## ${words[side]} · ${timeOf(at, timeZone)}`);
    parts.push(...body);
    speaker = side;
  }
  return `${[`# ${words.title}`, `${words.exported}: ${timeOf(exportedAt.toString(), timeZone)}`, ...parts].join('\n\n')}\n`;
};

interface JsonLinesOptions {
  readonly sessionKey: SessionKey;
  readonly exportedAt: Timestamp;
}

/** Pictures are named only, and files without their place on this computer. */
const blockAsJson = (block: ShownBlock): object => {
  switch (block.type) {
    case 'text':
      return { type: block.type, text: block.text };
    case 'image':
      return { type: block.type, name: block.name, mimeType: block.mimeType };
    case 'tool_use':
      return { type: block.type, id: block.id, name: block.name, input: block.input };
    case 'tool_result': {
      const { type, toolUseId, isError, code, isUntrusted, content, facts, media } = block;
      const files = media?.map(({ kind, name, mimeType }) => ({ kind, name, mimeType }));
      return { type, toolUseId, isError, code, isUntrusted, content, facts, files };
    }
  }
  return block satisfies never;
};

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

/**
 * Renders a conversation for programs, as JSON lines. The first line is about the conversation; each other line is an
 * entry, and those of one question have the same `turnId`. Times are UTC. A line is never changed in meaning without a
 * new `format`.
 */
export const conversationAsJsonLines = function* (
  entries: readonly TranscriptEntry[],
  { sessionKey, exportedAt }: JsonLinesOptions,
): Steps<readonly string[]> {
  const shown = shownEntries(entries);
  const lines = [
    lineOf({
      type: 'conversation',
      format: 1,
      sessionKey,
      exportedAt: exportedAt.toString(),
      entries: shown.length,
    }),
  ];
  for (const { turnId, at, message, blocks } of shown) {
    const { role, standIn } = message;
    lines.push(lineOf({ type: 'entry', turnId, at, role, content: blocks.map(blockAsJson), standIn }));
    yield;
  }
  return yield* joinPieces(lines);
};

/** Of a long conversation, an operator reads the end. */
const MAX_SHARED = 200;
const MAX_SHARED_CHARS = 4_000;

const blockForSupport = (block: ShownBlock): readonly string[] => {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [block.text];
    case 'image':
      return [`[${block.name}]`];
    case 'tool_use':
    case 'tool_result':
      return [];
  }
  return block satisfies never;
};

/**
 * What an operator may read of a conversation that its person shares: what both wrote, and the names of the tools that
 * were called. What the tools were asked and what they found is left out.
 */
export const conversationForSupport = (entries: readonly TranscriptEntry[]): readonly SharedMessage[] => {
  const shown = shownEntries(entries).flatMap(({ at: stored, message, blocks }): readonly SharedMessage[] => {
    const at = Temporal.Instant.from(stored);
    const text = blocks.flatMap(blockForSupport).join('\n\n').slice(0, MAX_SHARED_CHARS).toWellFormed();
    const tools = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.name] : []));
    return [
      ...(text === '' || message.role === 'tool'
        ? []
        : [{ at, from: message.role === 'user' ? ('person' as const) : ('bot' as const), text }]),
      ...tools.map((name) => ({ at, from: 'tool' as const, text: name })),
    ];
  });
  return shown.slice(-MAX_SHARED);
};
