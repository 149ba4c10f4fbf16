import {
  checkTemperature,
  anything,
  type Check,
  either,
  flag,
  integer,
  isGiven,
  isRecord,
  list,
  missing,
  oneOf,
  problem,
  record,
  shape,
  text,
} from './check.ts';
import { flatTool, toolList } from './check-tools.ts';
import type { Problem } from './errors.ts';
import type { IssuedItems } from './issued-items.ts';
import type { JsonRecord, OpenAiBody } from './types.ts';
import { inputItem } from './validate-item.ts';
import { checkItemOrder } from './validate-item-order.ts';

const filledText: Check = (value, path) =>
  value === ''
    ? problem(`Invalid '${path}': must not be empty.`, path, 'invalid_value')
    : text()(value, path);

const INCLUDABLE = [
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
];

/** The parameters that the client's types know, with a rule for those that this project sends or could send. */
const request = shape(
  { model: filledText },
  {
    input: (value, path) => (Array.isArray(value) ? list(inputItem, 1) : filledText)(value, path),
    instructions: text(),
    include: list(oneOf(...INCLUDABLE)),
    max_output_tokens: integer(16),
    max_tool_calls: integer(1),
    tools: toolList(flatTool),
    tool_choice: either(record, oneOf('none', 'auto', 'required')),
    parallel_tool_calls: flag,
    prompt_cache_key: text(64),
    prompt_cache_retention: oneOf('in_memory', '24h'),
    safety_identifier: text(64),
    store: flag,
    stream: flag,
    stream_options: shape({}, { include_obfuscation: flag }),
    reasoning: record,
    text: record,
    metadata: record,
    truncation: oneOf('auto', 'disabled'),
    user: text(),
    temperature: anything,
    ...Object.fromEntries(
      [
        'access_programs',
        'background',
        'context_management',
        'conversation',
        'image',
        'moderation',
        'previous_response_id',
        'prompt',
        'prompt_cache_options',
        'service_tier',
        'top_logprobs',
        'top_p',
      ].map((name) => [name, anything]),
    ),
  },
);

/** The first rule of the Responses API that a request breaks. */
export const checkResponses = (body: JsonRecord, issued: IssuedItems): Problem | undefined => {
  const found = request(body, '');
  if (found) return found;
  if (!isGiven(body['input'])) return missing('input');
  const refused = checkTemperature(body);
  if (refused) return refused;
  if (isGiven(body['stream_options']) && body['stream'] !== true) {
    return problem(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  }
  const { input, store }: OpenAiBody = body;
  return Array.isArray(input) ? checkItemOrder(input.filter(isRecord), store !== false, issued) : undefined;
};
