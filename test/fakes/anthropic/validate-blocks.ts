import {
  at,
  cacheControlProblems,
  choiceProblems,
  extraInputs,
  type Fields,
  isFields,
  isList,
  nameProblems,
  objectProblems,
  type Problems,
  stringProblems,
} from './shape.ts';
import { isBase64 } from '#test/fakes/picture.ts';

/** Whether the fake itself signed this thought, for this model. */
export type IsSigned = (thinking: string, signature: string) => boolean;

/** The kinds of block the fake knows (the API knows more, and the program sends none of those), and their fields. */
const FIELDS_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  image: ['type', 'source', 'cache_control', 'transformations'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller', 'toolset_name'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control', 'toolset_name'],
};

const TYPES_BY_PLACE = {
  user: ['text', 'image', 'tool_result'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
  system: ['text'],
  tool_result: ['text', 'image'],
} as const;

type Place = keyof typeof TYPES_BY_PLACE;

const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

function* textProblems({ text, cache_control }: Fields, path: string): Problems {
  yield* stringProblems(text, at(path, 'text'));
  if (typeof text !== 'string' || text.trim() !== '') return;
  const section = path.split('.', 1)[0];
  if (cache_control) yield `${path}: cache_control cannot be set for empty text blocks`;
  else if (text === '') yield `${section}: text content blocks must be non-empty`;
  else yield `${section}: text content blocks must contain non-whitespace text`;
}

function* imageProblems({ source }: Fields, path: string): Problems {
  const sourcePath = at(path, 'source');
  yield* objectProblems(source, sourcePath, ['type', 'media_type', 'data', 'url', 'file_id']);
  if (!isFields(source)) return;
  if (source['type'] !== 'base64')
    yield `${sourcePath}: Input tag '${String(source['type'])}' found using 'type' does not match any of the expected tags: 'base64'`;
  const base64Path = at(sourcePath, 'base64');
  yield* extraInputs(source, base64Path, ['type', 'media_type', 'data']);
  yield* choiceProblems(source['media_type'], at(base64Path, 'media_type'), MEDIA_TYPES);
  const data = source['data'];
  yield* stringProblems(data, at(base64Path, 'data'));
  if (data === '') yield `${base64Path}: image cannot be empty`;
  if (typeof data === 'string' && (data.length % 4 !== 0 || !isBase64(data)))
    yield `${base64Path}.data: Invalid base64 data`;
}

function* thinkingProblems(block: Fields, path: string, isSigned: IsSigned): Problems {
  const { thinking, signature } = block;
  yield* stringProblems(thinking, at(path, 'thinking'));
  yield* stringProblems(signature, at(path, 'signature'));
  if (typeof thinking !== 'string' || typeof signature !== 'string') return;
  if (!isSigned(thinking, signature))
    yield `${path.replace(/\.thinking$/, '')}: Invalid \`signature\` in \`thinking\` block`;
}

function* toolUseProblems({ id, name, input }: Fields, path: string): Problems {
  yield* nameProblems(id, at(path, 'id'));
  yield* nameProblems(name, at(path, 'name'));
  if (input === undefined) yield `${path}.input: Field required`;
  else if (!isFields(input)) yield `${path}.input: Input should be a valid dictionary`;
}

function* toolResultProblems(block: Fields, path: string, isSigned: IsSigned): Problems {
  const { tool_use_id, content, is_error } = block;
  yield* nameProblems(tool_use_id, at(path, 'tool_use_id'));
  if (is_error !== undefined && typeof is_error !== 'boolean')
    yield `${path}.is_error: Input should be a valid boolean`;
  if (
    is_error === true &&
    (content === undefined || content === '' || (isList(content) && content.length === 0))
  )
    yield `${path}: content cannot be empty if \`is_error\` is true`;
  if (content === undefined || typeof content === 'string') return;
  yield* contentProblems(content, at(path, 'content'), 'tool_result', isSigned);
  if (
    is_error === true &&
    isList(content) &&
    content.some((part) => !isFields(part) || part['type'] !== 'text')
  )
    yield `${path}: all content must be type \`text\` if \`is_error\` is true`;
}

function* blockProblems(block: unknown, path: string, place: Place, isSigned: IsSigned): Problems {
  if (!isFields(block)) {
    yield `${path}: Input should be a valid dictionary`;
    return;
  }
  const type = String(block['type']);
  const known = Object.hasOwn(FIELDS_BY_TYPE, type) ? FIELDS_BY_TYPE[type] : undefined;
  const allowed: readonly string[] = TYPES_BY_PLACE[place];
  if (block['type'] === undefined) yield `${path}.type: Field required`;
  if (known === undefined || (!allowed.includes(type) && (place === 'system' || place === 'tool_result')))
    yield `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${allowed.map((tag) => `'${tag}'`).join(', ')}`;
  if (!allowed.includes(type))
    yield `${path}: \`${type}\` blocks can only be in \`${place === 'user' ? 'assistant' : 'user'}\` messages`;
  const tagged = at(path, type);
  yield* extraInputs(block, tagged, known ?? []);
  yield* cacheControlProblems(block['cache_control'], at(tagged, 'cache_control'));
  if (type === 'text') yield* textProblems(block, tagged);
  if (type === 'image') yield* imageProblems(block, tagged);
  if (type === 'thinking') yield* thinkingProblems(block, tagged, isSigned);
  // The fake never hid a thought, so it cannot have issued this one.
  if (type === 'redacted_thinking') yield `${path}: Invalid \`data\` in \`redacted_thinking\` block`;
  if (type === 'tool_use') yield* toolUseProblems(block, tagged);
  if (type === 'tool_result') yield* toolResultProblems(block, tagged, isSigned);
}

/** A list of blocks, where it may also be text alone for the caller to look at. */
export function* contentProblems(content: unknown, path: string, place: Place, isSigned: IsSigned): Problems {
  if (!isList(content)) {
    yield `${path}: Input should be a valid list`;
    return;
  }
  for (const [index, block] of content.entries()) {
    yield* blockProblems(block, at(path, index), place, isSigned);
  }
}
