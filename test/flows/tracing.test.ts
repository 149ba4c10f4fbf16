import { describe, expect, it, onTestFinished } from 'vitest';
import { type CollectedSpan, type FakeCollector, startFakeCollector } from '#test/fakes/otlp.ts';
import { answer, startEngineApp, until } from '#test/support/engine-app.ts';

const SECRET_HEADER = 'geheim-collector-4444';

const collector = async (): Promise<FakeCollector> => {
  const fake = await startFakeCollector();
  onTestFinished(fake.close);
  return fake;
};

const startTraced = async (fake: FakeCollector, env: NodeJS.ProcessEnv = {}) => {
  const app = await startEngineApp({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: fake.url,
      OTEL_EXPORTER_OTLP_HEADERS: `api-key=${SECRET_HEADER}`,
      ...env,
    },
  });
  const collected = async (count: number): Promise<readonly CollectedSpan[]> => {
    await app.clock.advance(5_000);
    await until(() => fake.spans.length >= count);
    return fake.spans;
  };
  return { app, collected };
};

const pathOf = (span: CollectedSpan, all: readonly CollectedSpan[]): string => {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? `${pathOf(parent, all)} > ${span.name}` : span.name;
};

const tree = (all: readonly CollectedSpan[]): readonly string[] => all.map((span) => pathOf(span, all));

describe('a message with a tool call', () => {
  it('is one trace, from its acceptance over the model and the tool to the delivery', async () => {
    const fake = await collector();
    const { app, collected } = await startTraced(fake, {
      OTEL_SERVICE_NAME: 'money-bot',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    app.claude.reply(
      { kind: 'answer', toolCalls: [{ name: 'search_symbol', input: { query: 'heron industries' } }] },
      answer('Nothing about the heron.'),
    );
    await app.ask('ann', 'Is there a heron stock?');
    const spans = await collected(12);
    expect(fake.problems).toEqual([]);
    expect(fake.orphans()).toEqual([]);
    expect(tree(spans).toSorted()).toEqual([
      'message',
      'message > queue wait',
      'message > stage ack',
      'message > stage command',
      'message > stage context',
      'message > stage deliver',
      'message > stage deliver > delivery',
      'message > stage execute',
      'message > stage execute > model call',
      'message > stage execute > model call',
      'message > stage execute > tool search_symbol',
      'message > stage normalize',
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const root = spans.find(({ name }) => name === 'message');
    expect(root?.attributes).toMatchObject({
      'messaging.system': 'test',
      'finclaw.chat_type': 'direct',
      'finclaw.outcome': 'answered',
      'finclaw.tools': '1',
    });
    expect(spans.find(({ name }) => name === 'model call')?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': expect.stringContaining('claude-sonnet'),
      'gen_ai.usage.input_tokens': expect.stringMatching(/^\d+$/),
      'gen_ai.usage.output_tokens': expect.stringMatching(/^\d+$/),
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'tool_use' }] },
    });
    expect(fake.resource()).toMatchObject({
      'service.name': 'money-bot',
      'service.version': '0.0.0-test (commit unknown)',
      'deployment.environment.name': 'test',
    });
    expect(fake.requests[0]?.headers['api-key']).toBe(SECRET_HEADER);
    const sent = JSON.stringify(spans, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(sent).not.toMatch(/heron|ann\b/i);
    expect(app.log.join('')).not.toContain(SECRET_HEADER);
  });

  it('is marked where it failed, with the error id', async () => {
    const fake = await collector();
    const { app, collected } = await startTraced(fake, { FINCLAW_FALLBACKS: 'none' });
    app.claude.otherwise({ kind: 'status', status: 400, message: 'no' });
    const asking = app.ask('ann', 'Hello?');
    await until(() => app.claude.history.length > 0);
    await app.clock.advance(5_000);
    const [said = ''] = await asking;
    await collected(8);
    const root = fake.spans.find(({ name }) => name === 'message');
    expect(root).toMatchObject({ isError: true, attributes: { 'finclaw.outcome': 'failed' } });
    expect(said).toContain(String(root?.attributes['finclaw.error_id']));
    const failed = fake.spans.filter(({ isError }) => isError);
    expect(tree(failed).toSorted()).toEqual([
      'message',
      'message > stage execute',
      'message > stage execute > model call',
    ]);
    // A cost of nothing has the type of the others.
    expect(root?.attributes['finclaw.cost_usd']).toBe(0);
    expect(app.log.find((line) => line.includes('pipeline:error'))).toContain('"stage":"execute"');
    expect(fake.problems).toEqual([]);
    expect(fake.orphans()).toEqual([]);
  });

  it('names a command', async () => {
    const fake = await collector();
    const { app, collected } = await startTraced(fake);
    await app.ask('ann', '/help');
    await collected(4);
    expect(fake.spans.find(({ name }) => name === 'message')?.attributes).toMatchObject({
      'finclaw.command': 'help',
    });
    expect(fake.orphans()).toEqual([]);
  });
});

describe('a share of the messages', () => {
  it('is chosen by the trace, and nothing is sent of the others', async () => {
    const fake = await collector();
    const { app } = await startTraced(fake, {
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.000000001',
    });
    app.claude.otherwise(answer('ok'));
    await app.ask('ann', 'Hello?');
    await app.stop();
    expect(fake.requests).toEqual([]);
  });
});

describe('a collector in trouble', () => {
  it('does not keep an answer, and is told of in the log', async () => {
    const fake = await collector();
    await fake.close();
    const { app } = await startTraced(fake);
    app.claude.otherwise(answer('ok'));
    expect(await app.ask('ann', 'Hello?')).toEqual(['ok']);
    await app.stop();
    expect(app.log.filter((line) => line.includes('Spans were dropped'))).toHaveLength(1);
    expect(app.log.join('')).not.toContain(SECRET_HEADER);
  });
});
