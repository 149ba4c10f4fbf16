import type { ExecutionEvent } from '#src/core/execution.ts';
import type { ContentBlock, ConversationMessage } from '#src/core/model.ts';

type ToolResultBlock = Extract<ContentBlock, { type: 'tool_result' }>;
type ToolUseEnd = Extract<ExecutionEvent, { type: 'tool_use_end' }>;

export const toolUseEnd = ({ toolUseId, facts = [] }: ToolResultBlock): ToolUseEnd => ({
  type: 'tool_use_end',
  toolUseId,
  isSample: facts.some((fact) => fact.isSample),
});

/** What was made up of all that a turn has found so far: it is told again when the turn is taken up again. */
export const sampleEndsIn = (messages: readonly ConversationMessage[]): readonly ToolUseEnd[] =>
  messages
    .flatMap(({ content }) => content)
    .filter((block) => block.type === 'tool_result')
    .map(toolUseEnd)
    .filter(({ isSample }) => isSample);
