import { describe, expect, it, onTestFinished } from 'vitest';
import { startFakeOpenAi } from '#test/fakes/openai/server.ts';

const WORDS = { kind: 'words', text: 'Hello.', seconds: 3, outputTokens: 2 } as const;

const start = async () => {
  const fake = await startFakeOpenAi();
  onTestFinished(fake.close);
  return (fields: Readonly<Record<string, string | File>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    fake.speak(WORDS);
    const headers = { authorization: 'Bearer key' };
    return fetch(`${fake.url}/audio/transcriptions`, { method: 'POST', headers, body: form });
  };
};

const file = (name = 'voice.ogg', bytes = 10): File => new File([new Uint8Array(bytes)], name);
const MODEL = 'gpt-4o-mini-transcribe';

describe('the transcriptions of the fake', () => {
  it('are words with the tokens of sound and text', async () => {
    const post = await start();
    const response = await post({ file: file(), model: MODEL, response_format: 'json' });
    expect(await response.json()).toEqual({
      text: 'Hello.',
      usage: {
        type: 'tokens',
        input_tokens: 30,
        input_token_details: { audio_tokens: 30, text_tokens: 0 },
        output_tokens: 2,
        total_tokens: 32,
      },
    });
  });

  it.each<readonly [string, Readonly<Record<string, string | File>>, number]>([
    ['no file', { model: MODEL }, 400],
    ['no model', { file: file() }, 400],
    ['an unknown model', { file: file(), model: 'sonnet' }, 404],
    ['an unknown field', { file: file(), model: MODEL, speed: '2' }, 400],
    ['a format that the model does not write', { file: file(), model: MODEL, response_format: 'srt' }, 400],
    ['a kind of file that it does not read', { file: file('voice.exe'), model: MODEL }, 400],
    ['an empty file', { file: file('voice.ogg', 0), model: MODEL }, 400],
    ['a file above 25 MB', { file: file('voice.ogg', 26_214_401), model: MODEL }, 413],
  ])('are refused with %s', async (_, fields, status) => {
    const post = await start();
    expect((await post(fields)).status).toBe(status);
  });
});
