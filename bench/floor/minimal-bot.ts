import { open } from 'node:fs/promises';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';

const MAX_KEPT = 20;
const TOOLS: Anthropic.Tool[] = [
  {
    name: 'get_quote',
    description: 'The last price of instruments.',
    input_schema: {
      type: 'object',
      properties: { symbols: { type: 'array', items: { type: 'string' } } },
      required: ['symbols'],
    },
  },
];

const quote = (): string => 'AAPL 304.12 USD, -0.59 %, as of 2026-11-13T21:00:00Z, source: sample';

type Append = (entry: object) => Promise<void>;

/** Appends lines to a file. An entry is on the disk when its promise resolves; those that wait share a flush. */
const openJournal = async (path: string): Promise<Append> => {
  const file = await open(path, 'a');
  let lines: string[] = [];
  let next: Promise<void> | undefined;
  let flushing = Promise.resolve();
  const flush = async (): Promise<void> => {
    await flushing;
    const batch = lines.join('');
    lines = [];
    next = undefined;
    flushing = file.write(batch).then(() => file.datasync());
    await flushing;
  };
  return (entry) => {
    lines.push(`${JSON.stringify(entry)}\n`);
    next ??= flush();
    return next;
  };
};

export interface MinimalBot {
  /** The question is on the disk before the model is asked, and the answer before it is returned. */
  readonly answer: (thread: string, eventId: string, question: string) => Promise<string>;
}

/** The least that a bot with a journal does: the floor that the bench compares with. */
export const openMinimalBot = async (): Promise<MinimalBot> => {
  const append = await openJournal(join(process.env['FINCLAW_DATA_DIR'] ?? '.', 'journal.jsonl'));
  const client = new Anthropic();
  const threads = new Map<string, Anthropic.MessageParam[]>();

  const ask = async (messages: Anthropic.MessageParam[]): Promise<string> => {
    const { content } = await client.messages.create({
      model: 'claude-sonnet-5',
      max_tokens: 1_024,
      system: 'You are a careful financial assistant. State where each number is from and as of when.',
      tools: TOOLS,
      messages,
    });
    const call = content.find((block) => block.type === 'tool_use');
    if (!call) return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
    const result = { type: 'tool_result' as const, tool_use_id: call.id, content: quote() };
    return ask([...messages, { role: 'assistant', content }, { role: 'user', content: [result] }]);
  };

  return {
    answer: async (thread, eventId, question) => {
      const said = threads.get(thread) ?? [];
      threads.set(thread, said);
      said.push({ role: 'user', content: question });
      await append({ eventId, thread, question });
      const answer = await ask(said.slice(-MAX_KEPT + 1));
      said.push({ role: 'assistant', content: answer });
      said.splice(0, said.length - MAX_KEPT);
      await append({ eventId, thread, answer });
      return answer;
    },
  };
};
