import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { API_KEY, engineOn, MODEL_ID } from './engine-fixture.ts';
import { profileOf } from './profile.ts';
import { median, summarize } from './statistics.ts';

const CONCURRENCY = 64;
const TURNS_PER_ROUND = 320;
const ROUNDS = 7;
const PROMPT =
  'You are a careful financial assistant. State where each number is from and as of when. '.repeat(20);
const QUESTION = 'How is Apple doing today?';
const RESULT = 'AAPL 304.12 USD, -0.59 %, as of 2026-11-13T21:00:00Z, source: sample';

type Turn = () => Promise<void>;
type Body = Anthropic.MessageCreateParamsNonStreaming;

interface Seen {
  text: string;
  readonly calls: { readonly id: string; readonly name: string; json: string }[];
}

/** What the same turn costs with nothing but `fetch`, splitting lines and parsing JSON. */
const rawTurn = (url: string, tools: Anthropic.Tool[]): Turn => {
  const ask = async (body: Body): Promise<Seen> => {
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${API_KEY}`,
        'anthropic-version': '2026-10-21',
      },
      body: JSON.stringify({ ...body, stream: true }),
    });
    const seen: Seen = { text: '', calls: [] };
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of response.body ?? []) {
      rest += decoder.decode(bytes, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('data: ')) continue;
        const event = JSON.parse(line.slice(6)) as Anthropic.RawMessageStreamEvent;
        if (event.type === 'content_block_start' && event.content_block.type === 'tool_use')
          seen.calls.push({ id: event.content_block.id, name: event.content_block.name, json: '' });
        if (event.type !== 'content_block_delta') continue;
        if (event.delta.type === 'text_delta') seen.text += event.delta.text;
        const call = seen.calls.at(-1);
        if (event.delta.type === 'input_json_delta' && call) call.json += event.delta.partial_json;
      }
    }
    return seen;
  };
  return async () => {
    const system = [{ type: 'text' as const, text: PROMPT }];
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: QUESTION }];
    const base = { model: MODEL_ID, max_tokens: 4_096, system, tools };
    const first = await ask({ ...base, messages });
    const [call] = first.calls;
    if (!call) throw new Error('no call');
    const input: unknown = JSON.parse(call.json);
    messages.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: first.text },
          { type: 'tool_use', id: call.id, name: call.name, input },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: RESULT }] },
    );
    const second = await ask({ ...base, messages });
    if (second.text === '') throw new Error('no answer');
  };
};

/** The same with the stream of the SDK. */
const sdkTurn = (url: string, tools: Anthropic.Tool[]): Turn => {
  const client = new Anthropic({ apiKey: API_KEY, baseURL: url, maxRetries: 0 });
  return async () => {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: QUESTION }];
    const base = { model: MODEL_ID, max_tokens: 4_096, system: PROMPT, tools };
    const first = await client.messages.stream({ ...base, messages }).finalMessage();
    const call = first.content.find((block) => block.type === 'tool_use');
    if (!call) throw new Error('no call');
    messages.push(
      { role: 'assistant', content: first.content as Anthropic.ContentBlockParam[] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: RESULT }] },
    );
    await client.messages.stream({ ...base, messages }).finalMessage();
  };
};

const ourTurn = (run: ReturnType<typeof engineOn>['run']): Turn => {
  let session = 0;
  return async () => {
    session += 1;
    const user = { role: 'user' as const, content: [{ type: 'text' as const, text: QUESTION }] };
    const result = await run(`bench-${session}`, [user]);
    if (result.status !== 'completed') throw new Error(result.status, { cause: result.error });
  };
};

/** CPU of this process in microseconds for one turn, with so many at once. */
const cpuPerTurn = async (turn: Turn): Promise<number> => {
  let left = TURNS_PER_ROUND;
  const before = process.cpuUsage();
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await turn();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / TURNS_PER_ROUND;
};

/** The same turn in three ways. */
export const kindsOn = (url: string): Readonly<Record<'raw' | 'ours' | 'sdk', Turn>> => {
  const engine = engineOn(url, { furtherTools: 4, prompt: PROMPT });
  const tools = engine.tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputSchema as Anthropic.Tool.InputSchema,
  }));
  return { raw: rawTurn(url, tools), ours: ourTurn(engine.run), sdk: sdkTurn(url, tools) };
};

/** A turn with one tool call, against the least that could do it, in rounds that take turns. */
export const benchToolTurn = async (): Promise<void> => {
  const server = fork(join(import.meta.dirname, '../test/fakes/anthropic-process.ts'), { stdio: 'inherit' });
  try {
    const [url] = (await once(server, 'message')) as [string];
    const kinds = kindsOn(url);
    const samples: Record<keyof typeof kinds, number[]> = { raw: [], ours: [], sdk: [] };
    const names = ['raw', 'ours', 'sdk'] as const;
    for (const name of names) await cpuPerTurn(kinds[name]);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const name of names) samples[name].push(await cpuPerTurn(kinds[name]));
    for (const name of names) console.log(`CPU of a tool turn, ${name}: ${summarize(samples[name], 'µs')}`);
    const ratio = (name: 'ours' | 'sdk'): string => (median(samples[name]) / median(samples.raw)).toFixed(2);
    console.log(
      `CPU of a tool turn at ${CONCURRENCY} at once, against raw fetch and SSE: ours ${ratio('ours')}×, the SDK's stream ${ratio('sdk')}×; aim 1.6×`,
    );
    console.log(`where ours goes: ${await profileOf(() => cpuPerTurn(kinds.ours))}`);
  } finally {
    server.disconnect();
  }
};
