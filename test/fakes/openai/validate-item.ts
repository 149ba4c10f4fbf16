import {
  anything,
  type Check,
  either,
  list,
  oneOf,
  problem,
  record,
  shape,
  text,
  variants,
} from './check.ts';
import { imageUrl, toolName } from './check-tools.ts';

const MAX_ID = 64;

const itemId =
  (prefix: string): Check =>
  (value, path) => {
    const found = text(MAX_ID)(value, path);
    if (found || String(value).startsWith(prefix)) return found;
    return problem(
      `Invalid '${path}': '${String(value)}'. Expected an ID that begins with '${prefix}'.`,
      path,
      'invalid_value',
    );
  };

const jsonText: Check = (value, path) => {
  const found = text()(value, path);
  if (found) return found;
  try {
    JSON.parse(String(value));
    return undefined;
  } catch {
    return problem(`Invalid '${path}': expected a string of valid JSON.`, path, 'invalid_value');
  }
};

const status = oneOf('in_progress', 'completed', 'incomplete');

const inputText = shape({ type: anything, text: text() }, { prompt_cache_breakpoint: record });
const inputImage = shape(
  { type: anything, image_url: imageUrl },
  { detail: oneOf('low', 'high', 'auto', 'original'), prompt_cache_breakpoint: record },
);
const outputText = shape(
  { type: anything, text: text() },
  { annotations: list(record), logprobs: list(record) },
);
const refusal = shape({ type: anything, refusal: text() });

const message = (parts: Readonly<Record<string, Check>>): Check =>
  shape(
    { role: anything, content: either(text(), list(variants('type', parts))) },
    { type: anything, id: itemId('msg'), status, phase: oneOf('commentary', 'final_answer') },
  );

/** One entry of `input`, by itself. */
export const inputItem = variants(
  'type',
  {
    message: variants('role', {
      user: message({ input_text: inputText, input_image: inputImage }),
      assistant: message({ output_text: outputText, refusal }),
      system: message({ input_text: inputText }),
      developer: message({ input_text: inputText }),
    }),
    function_call: shape(
      { type: anything, call_id: text(MAX_ID), name: toolName, arguments: jsonText },
      { id: itemId('fc'), status },
    ),
    function_call_output: shape(
      { type: anything, call_id: text(MAX_ID), output: text() },
      { id: itemId('fc'), status },
    ),
    reasoning: shape(
      {
        type: anything,
        id: itemId('rs'),
        summary: list(shape({ type: oneOf('summary_text'), text: text() })),
      },
      { encrypted_content: text(), content: list(record), status },
    ),
  },
  'message',
);
