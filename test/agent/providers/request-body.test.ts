import { describe, expect, it } from 'vitest';
import { createBodyWriter } from '#src/agent/providers/request-body.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';

const tool = (name: string, description: string): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { symbol: { type: 'string', description: '종목' } } },
});

const PRICES = [tool('get_quote', '주식의 현재 가격을 "원"으로 알려 줍니다.')];
const NEWS = [tool('get_news', 'Lists the news.\nNewest first.'), tool('get_filings', '공시 목록')];
const NONE: readonly ToolDefinition[] = [];

const requestWith = (tools: unknown, words: string) => ({
  model: 'claude',
  stream: true as const,
  tools,
  messages: [{ role: 'user', content: words }],
});

const PROMPT = 'You answer about markets: "시세", 뉴스.';
const withTools = (tools: readonly ToolDefinition[], systemPrompt = PROMPT) => ({ tools, systemPrompt });

const read = (body: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(body));

describe('the body of a request', () => {
  it('is the JSON of the request, whichever list of tools was written before', () => {
    const write = createBodyWriter();
    for (const list of [PRICES, NEWS, NONE, NEWS, PRICES]) {
      const request = requestWith(list, `삼성전자 "얼마"야? ${list.length} 📈`);
      const { body, headers } = write(request, withTools(list));
      expect(read(body)).toEqual(JSON.parse(JSON.stringify(request)));
      expect(headers).toEqual({ 'content-type': 'application/json' });
    }
  });

  it('has no tools where the request has none, also for a list that was written before', () => {
    const write = createBodyWriter();
    write(requestWith(PRICES, 'one'), withTools(PRICES));
    const request = requestWith(undefined, '둘');
    expect(read(write(request, withTools(PRICES)).body)).toEqual(JSON.parse(JSON.stringify(request)));
  });

  it('writes each list of tools once, and everything else every time', () => {
    const write = createBodyWriter();
    let timesWritten = 0;
    const counted = (list: readonly ToolDefinition[]) => ({
      toJSON: () => {
        timesWritten += 1;
        return list;
      },
    });
    const contents = ['하나', '둘', '셋'].map(
      (words) => read(write(requestWith(counted(PRICES), words), withTools(PRICES)).body) as object,
    );
    expect(timesWritten).toBe(1);
    expect(contents).toEqual(['하나', '둘', '셋'].map((words) => requestWith(PRICES, words)));
    write(requestWith(counted(NEWS), '넷'), withTools(NEWS));
    expect(timesWritten).toBe(2);
  });

  it.each(['system', 'instructions'])('has the prompt of its own request, if it has one (%s)', (field) => {
    const write = createBodyWriter();
    for (const prompt of [undefined, PROMPT, 'Another prompt.', undefined, PROMPT]) {
      const request = { ...requestWith(PRICES, '얼마야?'), [field]: prompt };
      const { body } = write(request, withTools(PRICES, prompt));
      expect(read(body)).toEqual(JSON.parse(JSON.stringify(request)));
    }
  });
});
