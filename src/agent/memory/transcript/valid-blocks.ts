import type { ContentBlock, ConversationMessage } from '#src/kernel/model.ts';

const BLOCKS_OF: Readonly<Record<ConversationMessage['role'], ReadonlySet<ContentBlock['type']>>> = {
  user: new Set(['text', 'image']),
  assistant: new Set(['text', 'thinking', 'tool_use']),
  tool: new Set(['tool_result']),
};

const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME_CHARS = 64;
const NAMED = [
  /^(?:The tool|There is no tool|Invalid input for) "?([a-zA-Z0-9_-]{1,64})(?![\w.-])/,
  /"tool(?:Name|_name)?"\s*:\s*"([a-zA-Z0-9_-]{1,64})"/,
];

/** The tool that a result came from, where its words tell. */
export const toolNameIn = (content: string): string =>
  NAMED.map((pattern) => pattern.exec(content)?.[1]).find((name) => name !== undefined) ?? 'unknown_tool';

export const hasLegalName = ({ name }: { readonly name: string }): boolean => LEGAL_NAME.test(name);

/** A name that is no tool's any more is history, and stays; one that no provider takes is replaced. */
const withLegalName = (block: ContentBlock): ContentBlock => {
  if (block.type !== 'tool_use' || hasLegalName(block)) return block;
  const name = block.name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME_CHARS);
  return { ...block, name: /[a-zA-Z0-9]/.test(name) ? name : 'unknown_tool' };
};

export const fitsRole = ({ type }: ContentBlock, role: ConversationMessage['role']): boolean =>
  BLOCKS_OF[role].has(type);

/** The blocks that may stand in a message of this role. Each is an object of its own. */
export const validBlocks = ({ role, content }: ConversationMessage): readonly ContentBlock[] =>
  content.flatMap((block) => (fitsRole(block, role) ? [{ ...withLegalName(block) }] : []));

/** The same without calls whose id another call of the message has: no result could say which it means. */
export const withoutRepeatedCalls = (blocks: readonly ContentBlock[]): readonly ContentBlock[] => {
  const ids = new Set<string>();
  return blocks.filter((block) => {
    if (block.type !== 'tool_use') return true;
    const isNew = !ids.has(block.id);
    ids.add(block.id);
    return isNew;
  });
};

/** No provider is ever sent such a message. */
export const saysNothing = (blocks: readonly ContentBlock[]): boolean =>
  blocks.every((block) => block.type === 'text' && block.text.trim() === '');

export const isWordless = (block: ContentBlock): block is Extract<ContentBlock, { type: 'tool_result' }> =>
  block.type === 'tool_result' && block.content.trim() === '';
