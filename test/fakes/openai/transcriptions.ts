import type { ServerResponse } from 'node:http';
import { problem } from './check.ts';
import type { Problem } from './errors.ts';
import { sendJson } from './play.ts';

/** What the fake hears in a recording. */
export type FakeSpeech =
  | {
      readonly kind: 'words';
      readonly text: string;
      /** Default: 2. Longer than the model takes is refused. */
      readonly seconds?: number;
      /** Default: as many as there are characters. */
      readonly outputTokens?: number;
      /** The server answers when it resolves. */
      readonly until?: Promise<void>;
      /** As compatible servers do. */
      readonly withoutUsage?: boolean;
    }
  | { readonly kind: 'status'; readonly status: number; readonly message?: string };

export interface HeardRecording {
  readonly model: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

const MODELS = new Set(['gpt-4o-mini-transcribe', 'gpt-4o-transcribe', 'whisper-1']);
const EXTENSIONS = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm'];
const FIELDS = new Set(['file', 'model', 'response_format', 'language', 'prompt', 'temperature', 'stream']);
const MAX_BYTES = 26_214_400;
const MAX_SECONDS = 1_500;
const TOKENS_PER_SECOND = 10;

const refused = (message: string, param: string | null, status = 400) => ({
  status,
  found: problem(message, param),
});

/** The parts of a form, or what is wrong with them, by the rules of the API. */
export const readRecording = async (
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<{ readonly status: number; readonly found: Problem } | HeardRecording> => {
  if (!contentType.startsWith('multipart/form-data'))
    return refused(`Unsupported content type: '${contentType}'. Use multipart/form-data.`, null);
  if (bytes.length > MAX_BYTES + 10_000)
    return refused(`Maximum content size limit (${MAX_BYTES}) exceeded`, null, 413);
  let form: FormData;
  try {
    form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch {
    return refused('Could not parse multipart form', null);
  }
  const unknown = [...form.keys()].find((field) => !FIELDS.has(field));
  if (unknown !== undefined) return refused(`Unknown parameter: '${unknown}'.`, unknown);
  const file = form.get('file');
  const model = form.get('model');
  const format = form.get('response_format');
  if (!(file instanceof File)) return refused("Missing required parameter: 'file'.", 'file');
  if (typeof model !== 'string') return refused('you must provide a model parameter', 'model');
  if (!MODELS.has(model)) return refused(`The model '${model}' does not exist`, 'model', 404);
  if (model !== 'whisper-1' && format !== null && format !== 'json')
    return refused(`response_format is not compatible with model '${model}'`, 'response_format');
  if (file.size > MAX_BYTES)
    return refused(`Maximum content size limit (${MAX_BYTES}) exceeded`, 'file', 413);
  if (!EXTENSIONS.includes(file.name.split('.').at(-1) ?? ''))
    return refused(`Invalid file format. Supported formats: ${JSON.stringify(EXTENSIONS)}`, 'file');
  if (file.size === 0)
    return refused('Audio file is too short. Minimum audio length is 0.1 seconds.', 'file');
  return { model, fileName: file.name, bytes: await file.bytes() };
};

/** A recording that is longer than the model takes. */
export const lengthProblem = (speech: FakeSpeech): Problem | undefined =>
  speech.kind === 'words' && (speech.seconds ?? 0) > MAX_SECONDS
    ? problem(
        `audio duration ${speech.seconds} seconds is longer than ${MAX_SECONDS} seconds which is the maximum for this model`,
        null,
        'invalid_value',
      )
    : undefined;

export const sendWords = async (
  { text, seconds = 2, outputTokens = text.length, until, withoutUsage }: FakeSpeech & { kind: 'words' },
  response: ServerResponse,
): Promise<void> => {
  await until;
  const audioTokens = seconds * TOKENS_PER_SECOND;
  const usage = {
    type: 'tokens',
    input_tokens: audioTokens,
    input_token_details: { audio_tokens: audioTokens, text_tokens: 0 },
    output_tokens: outputTokens,
    total_tokens: audioTokens + outputTokens,
  };
  sendJson(response, 200, withoutUsage ? { text } : { text, usage });
};
