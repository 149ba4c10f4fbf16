import { isBase64, openPicture } from '#test/fakes/picture.ts';
import { anything, type Check, flag, isRecord, list, oneOf, problem, shape, text } from './check.ts';

const MAX_NAME = 64;
const PATTERN = /^[a-zA-Z0-9_-]+$/u;
const IMAGE = /^data:(image\/(?:png|jpeg|gif|webp));base64,/u;

export const toolName: Check = (value, path) => {
  const found = text(MAX_NAME)(value, path);
  if (found || (typeof value === 'string' && PATTERN.test(value))) return found;
  return problem(
    `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    path,
    'invalid_value',
  );
};

/** Animated ones are not taken either. */
const unopened = (url: string, path: string) => {
  const [start = '', claimed] = IMAGE.exec(url) ?? [];
  const opened = openPicture(url.slice(start.length));
  return opened?.mimeType === claimed && opened?.frames === 1
    ? undefined
    : problem(
        "The image data you provided does not represent a valid image. Please check your input and try again with one of the supported image formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'].",
        path,
        'invalid_value',
      );
};

export const imageUrl: Check = (value, path) => {
  const found = text()(value, path);
  if (found || /^https:\/\/[^\s/]/u.test(String(value))) return found;
  const [start] = IMAGE.exec(String(value)) ?? [];
  if (start !== undefined && isBase64(String(value).slice(start.length)))
    return unopened(String(value), path);
  return problem(
    `Invalid '${path}'. Expected a valid URL or a base64 data URL of a png, jpeg, gif or webp image.`,
    path,
    'invalid_value',
  );
};

const badSchema = (path: string, why: string) =>
  problem(`Invalid schema for function at '${path}': ${why}`, path, 'invalid_function_parameters');

const parameters: Check = (value, path) => {
  if (!isRecord(value)) return badSchema(path, 'schema must be an object.');
  if (value['type'] === 'object') return undefined;
  return badSchema(path, `schema must be a JSON Schema of 'type: "object"', got '${String(value['type'])}'.`);
};

/** A strict function must name every property as required, and allow no other. */
const strictness: Check = (value, path) => {
  if (!isRecord(value) || value['strict'] !== true) return undefined;
  const schema = isRecord(value['parameters']) ? value['parameters'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  if (schema['additionalProperties'] !== false) {
    return badSchema(path, "'additionalProperties' is required to be supplied and to be false.");
  }
  const left = properties.find((name) => !required.includes(name));
  return left === undefined
    ? undefined
    : badSchema(path, `'required' is required to include every key in properties. Missing '${left}'.`);
};

const all =
  (...checks: readonly Check[]): Check =>
  (value, path) => {
    for (const check of checks) {
      const found = check(value, path);
      if (found) return found;
    }
    return undefined;
  };

const description = { description: text() };

/** The Responses API has the function's fields beside `type`, and two more of them. */
export const flatTool = all(
  shape(
    { type: oneOf('function'), name: toolName, parameters },
    {
      ...description,
      strict: flag,
      output_schema: anything,
      allowed_callers: anything,
      async: flag,
      defer_loading: flag,
    },
  ),
  strictness,
);

/** Chat completions have them one level deeper, and a function without parameters is allowed. */
export const nestedTool = shape({
  type: oneOf('function'),
  function: all(shape({ name: toolName }, { ...description, parameters, strict: flag }), strictness),
});

const nameIn = (tool: unknown): unknown => {
  if (!isRecord(tool)) return undefined;
  return isRecord(tool['function']) ? tool['function']['name'] : tool['name'];
};

/** A list of tools of which no two have the same name. */
export const toolList =
  (tool: Check, minimum = 0): Check =>
  (value, path) => {
    const found = list(tool, minimum)(value, path);
    if (found || !Array.isArray(value)) return found;
    const names = value.map(nameIn);
    const again = names.findIndex((name, index) => names.indexOf(name) !== index);
    if (again < 0) return undefined;
    const where = `${path}[${String(again)}].name`;
    return problem(
      `Tool names must be unique: '${String(names[again])}' is there twice.`,
      where,
      'invalid_value',
    );
  };
