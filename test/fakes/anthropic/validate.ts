import type { AnthropicBody } from './body.ts';
import { allMarksOf } from './prompt.ts';
import {
  at,
  cacheControlProblems,
  choiceProblems,
  extraInputs,
  type Fields,
  integerProblems,
  isFields,
  isList,
  objectProblems,
  type Problems,
  stringProblems,
} from './shape.ts';
import { contentProblems, type IsSigned } from './validate-blocks.ts';
import { pictureProblems } from './validate-pictures.ts';
import { toolProblems } from './validate-tools.ts';
import { turnProblems } from './validate-turns.ts';

/** `temperature`, `top_p` and `top_k` are gone from the API, and so are refused as any unknown field is. */
const COUNT_FIELDS =
  'model messages system tools tool_choice thinking cache_control output_config speed'.split(' ');
const CREATE_FIELDS = [
  ...COUNT_FIELDS,
  ...'max_tokens stream stop_sequences metadata service_tier container diagnostics inference_geo'.split(' '),
];
const MAX_BREAKPOINTS = 4;
const MIN_THINKING_TOKENS = 1_024;

function* thinkingProblems({ thinking, max_tokens }: Fields): Problems {
  if (thinking === undefined) return;
  yield* objectProblems(thinking, 'thinking', ['type', 'budget_tokens', 'display']);
  if (!isFields(thinking)) return;
  const { type, budget_tokens } = thinking;
  yield* choiceProblems(type, 'thinking.type', ['enabled', 'disabled', 'adaptive', 'between_tools']);
  if (type !== 'enabled') {
    yield* extraInputs(
      thinking,
      at('thinking', String(type)),
      type === 'adaptive' ? ['type', 'display'] : ['type'],
    );
    return;
  }
  yield* integerProblems(budget_tokens, 'thinking.enabled.budget_tokens', MIN_THINKING_TOKENS);
  if (typeof max_tokens === 'number' && typeof budget_tokens === 'number' && max_tokens <= budget_tokens)
    yield '`max_tokens` must be greater than `thinking.budget_tokens`.';
}

function* settingProblems(body: Fields): Problems {
  const { stream, stop_sequences, metadata, output_config, system } = body;
  if (stream !== undefined && typeof stream !== 'boolean') yield 'stream: Input should be a valid boolean';
  if (stop_sequences !== undefined && !isList(stop_sequences))
    yield 'stop_sequences: Input should be a valid list';
  if (isList(stop_sequences) && stop_sequences.some((text) => typeof text !== 'string' || text.trim() === ''))
    yield 'stop_sequences: each stop sequence must contain non-whitespace';
  if (metadata !== undefined) yield* objectProblems(metadata, 'metadata', ['user_id']);
  if (output_config !== undefined)
    yield* objectProblems(output_config, 'output_config', ['effort', 'format']);
  yield* cacheControlProblems(body['cache_control'], 'cache_control');
  if (system !== undefined && typeof system !== 'string' && !isList(system))
    yield 'system: Input should be a valid list';
  yield* thinkingProblems(body);
}

function* messageProblems(message: unknown, path: string, isSigned: IsSigned): Problems {
  if (!isFields(message)) {
    yield `${path}: Input should be a valid dictionary`;
    return;
  }
  const { role, content } = message;
  if (role === 'system')
    yield 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';
  yield* choiceProblems(role, at(path, 'role'), ['user', 'assistant']);
  yield* extraInputs(message, path, ['role', 'content']);
  if (content === undefined) yield `${path}.content: Field required`;
  if (content === '' || (isList(content) && content.length === 0))
    yield `${path}: all messages must have non-empty content`;
  yield* contentProblems(
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    at(path, 'content'),
    role === 'assistant' ? 'assistant' : 'user',
    isSigned,
  );
}

function* breakpointProblems(body: AnthropicBody): Problems {
  const marks = allMarksOf(body);
  if (marks.length > MAX_BREAKPOINTS)
    yield `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${marks.length}.`;
  const firstShort = marks.findIndex(({ ttl }) => ttl !== '1h');
  if (marks.findLastIndex(({ ttl }) => ttl === '1h') > firstShort && firstShort !== -1)
    yield "cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.";
}

function* problemsOf(body: unknown, isCount: boolean, isSigned: IsSigned): Problems {
  if (!isFields(body)) {
    yield 'Input should be a valid dictionary';
    return;
  }
  const { model, messages, system } = body;
  yield* stringProblems(model, 'model');
  if (model === '') yield 'model: String should have at least 1 character';
  if (!isCount) yield* integerProblems(body['max_tokens'], 'max_tokens', 1);
  yield* extraInputs(body, '', isCount ? COUNT_FIELDS : CREATE_FIELDS);
  yield* settingProblems(body);
  yield* toolProblems(body);
  if (isList(system)) yield* contentProblems(system, 'system', 'system', isSigned);
  if (messages === undefined) yield 'messages: Field required';
  if (!isList(messages)) {
    yield 'messages: Input should be a valid list';
    return;
  }
  if (messages.length === 0) yield 'messages: at least one message is required';
  for (const [index, message] of messages.entries()) {
    yield* messageProblems(message, `messages.${index}`, isSigned);
  }
  // Nothing above complained, so it has the shape that the rules below need.
  const wellFormed = body as unknown as AnthropicBody;
  yield* turnProblems(wellFormed);
  yield* breakpointProblems(wellFormed);
  yield* pictureProblems(wellFormed);
}

/** The first rule of the API that a request breaks, in the words of the API. */
export const problemOf = (
  body: unknown,
  { isCount, isSigned }: { readonly isCount: boolean; readonly isSigned: (model: string) => IsSigned },
): string | undefined => {
  const model = isFields(body) && typeof body['model'] === 'string' ? body['model'] : '';
  const first = problemsOf(body, isCount, isSigned(model)).next();
  return first.done === true ? undefined : first.value;
};
