import { type AnthropicBlock, type AnthropicBody, type AnthropicMessage, blocksOf } from './body.ts';
import type { Problems } from './shape.ts';

const useIds = (blocks: readonly AnthropicBlock[]): readonly string[] =>
  blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));

function* roleProblems(messages: readonly AnthropicMessage[]): Problems {
  if (messages[0]?.role !== 'user') yield 'messages: first message must use the "user" role';
  for (const [index, { role }] of messages.entries()) {
    if (messages[index + 1]?.role === role)
      yield `messages: roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`;
  }
}

/** The results that answer the calls before: those at the start of the turn, up to the first other block. */
const leadingResults = (blocks: readonly AnthropicBlock[]): readonly string[] => {
  const end = blocks.findIndex(({ type }) => type !== 'tool_result');
  return (end === -1 ? blocks : blocks.slice(0, end)).flatMap((block) =>
    block.type === 'tool_result' ? [block.tool_use_id] : [],
  );
};

function* answerProblems(turns: readonly (readonly AnthropicBlock[])[]): Problems {
  for (const [index, blocks] of turns.entries()) {
    const answered = new Set(leadingResults(turns[index + 1] ?? []));
    const open = useIds(blocks).filter((id) => !answered.has(id));
    if (open.length > 0)
      yield `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
  }
}

function* resultProblems(turns: readonly (readonly AnthropicBlock[])[]): Problems {
  for (const [index, blocks] of turns.entries()) {
    const asked = new Set(useIds(turns[index - 1] ?? []));
    const seen = new Set<string>();
    for (const [place, block] of blocks.entries()) {
      if (block.type !== 'tool_result') continue;
      const path = `messages.${index}.content.${place}`;
      if (!asked.has(block.tool_use_id))
        yield `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
      if (seen.has(block.tool_use_id))
        yield `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${block.tool_use_id}`;
      seen.add(block.tool_use_id);
    }
  }
}

function* toolTurnProblems(body: AnthropicBody, turns: readonly (readonly AnthropicBlock[])[]): Problems {
  const ids = turns.flatMap(useIds);
  const hasTools = body.tools !== undefined && body.tools.length > 0;
  if (!hasTools && turns.flat().some(({ type }) => type === 'tool_use' || type === 'tool_result'))
    yield 'Requests which include `tool_use` or `tool_result` blocks must define tools';
  if (new Set(ids).size < ids.length) yield 'messages: `tool_use` ids must be unique';
  yield* resultProblems(turns);
  yield* answerProblems(turns);
}

function* finalProblems(messages: readonly AnthropicMessage[]): Problems {
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'assistant' && blocksOf(content).at(-1)?.type === 'thinking')
      yield `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`;
  }
  const last = messages.at(-1);
  const block = last?.role === 'assistant' ? blocksOf(last.content).at(-1) : undefined;
  if (block?.type === 'text' && block.text !== block.text.trimEnd())
    yield 'messages: final assistant content cannot end with trailing whitespace';
}

/** Who speaks when, and that every call of a tool has its result; of messages whose blocks are right by themselves. */
export function* turnProblems(body: AnthropicBody): Problems {
  yield* roleProblems(body.messages);
  yield* toolTurnProblems(
    body,
    body.messages.map(({ content }) => blocksOf(content)),
  );
  yield* finalProblems(body.messages);
}
