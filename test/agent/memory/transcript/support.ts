import { toAnthropicRequest } from '#src/agent/providers/anthropic.ts';
import type { TranscriptEntry } from '#src/agent/memory/transcript/transcript-store.ts';
import { asId, type TurnId } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { requestTo } from '#test/agent/providers/request.ts';
import { problemOf } from '#test/fakes/anthropic/validate.ts';

export const turn = (name: string | number): TurnId => asId<TurnId>(`turn-${name}`);

/** Entries of one turn, a second apart. */
export const entriesOf = (
  name: string | number,
  messages: readonly ConversationMessage[],
  startsAt = '2026-11-13T06:30:00Z',
): readonly TranscriptEntry[] =>
  messages.map((message, index) => ({
    turnId: turn(name),
    at: Temporal.Instant.from(startsAt).add({ seconds: index }).toString(),
    message,
  }));

export const messagesOf = (entries: readonly TranscriptEntry[]): readonly ConversationMessage[] =>
  entries.map(({ message }) => message);

/** What the strict API says to a conversation; undefined where it takes it. */
export const apiProblem = (entries: readonly TranscriptEntry[]): string | undefined => {
  const request = toAnthropicRequest(requestTo('anthropic', 'claude', { messages: messagesOf(entries) }));
  return problemOf(JSON.parse(JSON.stringify(request)), { isCount: false, isSigned: () => () => true });
};

/** What is wrong with a conversation by the rules that all providers share, said without their help. */
export const brokenRules = (messages: readonly ConversationMessage[]): readonly string[] => {
  const broken: string[] = [];
  let due: string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if (index === 0 && role !== 'user') broken.push(`starts with ${role}`);
    if (role !== 'tool' && due.length > 0) broken.push(`${index}: no result for ${due.join()}`);
    if (role !== 'tool') due = [];
    for (const block of content) {
      if (block.type === 'tool_use') due.push(block.id);
      if (block.type !== 'tool_result') continue;
      if (!due.includes(block.toolUseId)) broken.push(`${index}: ${block.toolUseId} answers no call`);
      due = due.filter((id) => id !== block.toolUseId);
    }
  }
  if (due.length > 0 || messages.at(-1)?.role === 'tool') broken.push('ends within a tool call');
  return broken;
};
