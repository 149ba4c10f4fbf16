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
  variants,
} from './check.ts';
import { imageUrl, nestedTool, toolList, toolName } from './check-tools.ts';
import type { Problem } from './errors.ts';
import type { JsonRecord } from './types.ts';
import { checkTurns } from './validate-chat-turns.ts';

/** Shorter than in the Responses API: ids that other providers or the other API made may not fit. */
const MAX_ID = 40;

/** Since GPT-5.4 these reason by default, and with reasoning the old API takes no tools. */
const TOOLS_NEED_RESPONSES = /^gpt-(?:[6-9]|5\.[4-9])/u;
const NEEDS_MAX_COMPLETION_TOKENS = /^(?:gpt-[5-9]|o\d)/u;

const textPart = shape({ type: anything, text: text() }, { prompt_cache_breakpoint: record });
const imagePart = shape({
  type: anything,
  image_url: shape({ url: imageUrl }, { detail: oneOf('low', 'high', 'auto', 'original') }),
});
const refusalPart = shape({ type: anything, refusal: text() });

const content = (parts: Readonly<Record<string, Check>>): Check =>
  either(text(), list(variants('type', parts), 1));

const prompt = shape({ role: anything, content: content({ text: textPart }) }, { name: text() });

const toolCall = shape({
  id: text(MAX_ID),
  type: oneOf('function'),
  function: shape({ name: toolName, arguments: text() }),
});

const message = variants('role', {
  system: prompt,
  developer: prompt,
  user: shape(
    { role: anything, content: content({ text: textPart, image_url: imagePart }) },
    { name: text() },
  ),
  assistant: shape(
    { role: anything },
    {
      content: content({ text: textPart, refusal: refusalPart }),
      refusal: text(),
      name: text(),
      tool_calls: list(toolCall, 1),
    },
  ),
  tool: shape({ role: anything, content: content({ text: textPart }), tool_call_id: text(MAX_ID) }),
});

const request = shape(
  { model: text(), messages: list(message, 1) },
  {
    max_tokens: integer(1),
    max_completion_tokens: integer(1),
    tools: toolList(nestedTool, 1),
    tool_choice: either(record, oneOf('none', 'auto', 'required')),
    parallel_tool_calls: flag,
    prompt_cache_key: text(64),
    store: flag,
    stream: flag,
    stream_options: shape({}, { include_usage: flag, include_obfuscation: flag }),
    reasoning_effort: oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
    ...Object.fromEntries(
      [
        'audio',
        'frequency_penalty',
        'function_call',
        'functions',
        'logit_bias',
        'logprobs',
        'metadata',
        'modalities',
        'moderation',
        'n',
        'prediction',
        'presence_penalty',
        'prompt_cache_options',
        'prompt_cache_retention',
        'response_format',
        'safety_identifier',
        'seed',
        'service_tier',
        'stop',
        'temperature',
        'top_logprobs',
        'top_p',
        'user',
        'verbosity',
        'web_search_options',
      ].map((name) => [name, anything]),
    ),
  },
);

const checkModel = (model: string, body: JsonRecord): Problem | undefined => {
  if (model === '') return missing('model');
  if (isGiven(body['max_tokens']) && NEEDS_MAX_COMPLETION_TOKENS.test(model)) {
    return problem(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    );
  }
  const refused = checkTemperature(body);
  if (refused) return refused;
  const isReasoning = TOOLS_NEED_RESPONSES.test(model) && body['reasoning_effort'] !== 'none';
  if (!isReasoning || !isGiven(body['tools'])) return undefined;
  return problem(
    `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
    'reasoning_effort',
  );
};

/** The first rule of chat completions that a request breaks. */
export const checkChat = (body: JsonRecord): Problem | undefined => {
  const found = request(body, '');
  if (found) return found;
  if (isGiven(body['stream_options']) && body['stream'] !== true) {
    return problem(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  }
  for (const name of ['tool_choice', 'parallel_tool_calls']) {
    if (isGiven(body[name]) && !isGiven(body['tools'])) {
      return problem(`Invalid value for '${name}': only allowed when 'tools' are specified.`, name);
    }
  }
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isRecord) : [];
  return checkModel(String(body['model']), body) ?? checkTurns(messages);
};
