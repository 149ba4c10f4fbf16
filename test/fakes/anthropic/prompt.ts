import {
  type AnthropicBlock,
  type AnthropicBody,
  type AnthropicTool,
  blocksOf,
  type CacheControl,
} from './body.ts';

type Section = 'tools' | 'system' | 'messages';

/** One step of the prompt in the order in which it is cached: tools, system, messages. */
export interface PromptBlock {
  readonly section: Section;
  /** Everything that must be equal for a cached prefix to fit; the breakpoints themselves are no part of it. */
  readonly exactText: string;
  readonly tokens: number;
  /** The breakpoint at its end, if it has one. */
  readonly mark?: CacheControl;
}

/** Independent of how many bytes the picture has: the API counts pixels. */
const IMAGE_TOKENS = 1_500;

export const tokensOfText = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3);

const tokensOf = (block: AnthropicBlock): number => {
  if (block.type === 'text') return tokensOfText(block.text);
  if (block.type === 'thinking') return tokensOfText(block.thinking);
  if (block.type === 'image') return IMAGE_TOKENS;
  if (block.type === 'tool_use') return tokensOfText(block.name + JSON.stringify(block.input));
  return typeof block.content === 'string'
    ? tokensOfText(block.content)
    : (block.content ?? []).reduce((sum, part) => sum + tokensOf(part), 0);
};

const withoutMark = <Block extends object>(block: Block): object => ({ ...block, cache_control: undefined });

const withoutMarks = (block: AnthropicBlock): object =>
  block.type === 'tool_result' && typeof block.content === 'object'
    ? withoutMark({ ...block, content: block.content.map(withoutMark) })
    : withoutMark(block);

/** Breakpoints inside a tool's result stand for one at the end of the result. */
const marksOf = (block: AnthropicBlock | AnthropicTool): readonly CacheControl[] => {
  const inner =
    'type' in block && block.type === 'tool_result' && typeof block.content === 'object' ? block.content : [];
  const own = 'cache_control' in block ? [block.cache_control] : [];
  return [...inner.map((part) => part.cache_control), ...own].filter(
    (mark) => mark !== undefined && mark !== null,
  );
};

const markOf = (block: AnthropicBlock | AnthropicTool): Pick<PromptBlock, 'mark'> => {
  const mark = marksOf(block).at(-1);
  return mark === undefined ? {} : { mark };
};

/** `cache_control` of the request itself marks its last block, unless that has a mark of its own. */
const withAutomaticMark = (
  blocks: readonly PromptBlock[],
  automatic: CacheControl | null | undefined,
): readonly PromptBlock[] =>
  automatic === undefined || automatic === null
    ? blocks
    : blocks.map((block, index) => (index === blocks.length - 1 ? { mark: automatic, ...block } : block));

export const promptOf = (body: AnthropicBody): readonly PromptBlock[] => {
  const tools = (body.tools ?? []).map((tool): PromptBlock => {
    const exactText = JSON.stringify(withoutMark(tool));
    return { section: 'tools', exactText, tokens: tokensOfText(exactText), ...markOf(tool) };
  });
  const system = (body.system === undefined ? [] : blocksOf(body.system)).map((block): PromptBlock => ({
    section: 'system',
    exactText: JSON.stringify(withoutMarks(block)),
    tokens: tokensOf(block),
    ...markOf(block),
  }));
  const messages = body.messages.flatMap(({ role, content }) =>
    blocksOf(content).map((block): PromptBlock => ({
      section: 'messages',
      exactText: `${role} ${JSON.stringify(withoutMarks(block))}`,
      tokens: tokensOf(block),
      ...markOf(block),
    })),
  );
  return withAutomaticMark([...tools, ...system, ...messages], body.cache_control);
};

export const tokensOfPrompt = (prompt: readonly PromptBlock[]): number =>
  prompt.reduce((sum, { tokens }) => sum + tokens, 0);

/** Every breakpoint of a request in the order of the prompt, also those that stand for the same position. */
export const allMarksOf = (body: AnthropicBody): readonly CacheControl[] => {
  const marks = [
    ...(body.tools ?? []),
    ...(body.system === undefined ? [] : blocksOf(body.system)),
    ...body.messages.flatMap(({ content }) => blocksOf(content)),
  ].map(marksOf);
  const automatic = marks.at(-1)?.length === 0 ? body.cache_control : undefined;
  return [...marks.flat(), ...(automatic === undefined || automatic === null ? [] : [automatic])];
};
