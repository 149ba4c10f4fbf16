import type { Locale } from '#src/kernel/locale.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { ContentBlock } from '#src/kernel/model.ts';
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

/** What the program added behind the person's words is not part of what they said. */
const isOurContext = (block: ContentBlock): boolean =>
  block.type === 'text' && block.text.startsWith('<context>') && block.text.endsWith('</context>');

const quoted = (text: string): string => text.replaceAll(/^/gm, '> ');

const timeOf = (at: string, timeZone: string): string => {
  const time = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone);
  return `${time.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')} ${timeZone}`;
};

const blockAsMarkdown = (block: ContentBlock, locale: Locale): readonly string[] => {
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
    case 'thinking':
      return [];
  }
  return block satisfies never;
};

/** A conversation for a person to read: who said what when, and what was looked up in between. */
export const conversationAsMarkdown = (
  entries: readonly TranscriptEntry[],
  options: MarkdownOptions,
): string => {
  const { locale, timeZone, exportedAt } = options;
  const words = WORDS[locale];
  const parts: string[] = [];
  let speaker: 'person' | 'bot' | undefined;
  for (const { at, message } of entries) {
    const blocks = message.isNote ? [] : message.content.filter((block) => !isOurContext(block));
    const body = blocks.flatMap((block) => blockAsMarkdown(block, locale));
    if (body.length === 0) continue;
    // Calls and results stand below the answer they belong to, without a heading of their own.
    const side = message.role === 'user' ? 'person' : 'bot';
    if (side !== speaker || side === 'person') parts.push(`## ${words[side]} · ${timeOf(at, timeZone)}`);
    parts.push(...body);
    speaker = side;
  }
  return `${[`# ${words.title}`, `${words.exported}: ${timeOf(exportedAt.toString(), timeZone)}`, ...parts].join('\n\n')}\n`;
};
