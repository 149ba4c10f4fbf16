import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const hexId = (chars: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${chars}}$`), 'is no id')
    .refine((id) => /[^0]/.test(id), 'is all zero');

const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d{1,19}$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({
    arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }),
  }),
]);

const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value }))
  .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, 'a key appears twice');

/** Nanoseconds since 1970: a string, because a number cannot hold them. */
const time = z.string().regex(/^\d{19}$/);

const span = z
  .strictObject({
    traceId: hexId(32),
    spanId: hexId(16),
    parentSpanId: hexId(16).optional(),
    name: z.string().min(1),
    kind: z.number().int().min(1).max(5),
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes,
    status: z
      .strictObject({ code: z.number().int().min(0).max(2), message: z.string().optional() })
      .optional(),
    links: z.array(z.strictObject({ traceId: hexId(32), spanId: hexId(16) })).optional(),
  })
  .refine(
    ({ startTimeUnixNano: start, endTimeUnixNano: end }) => BigInt(end) >= BigInt(start),
    'ends too early',
  );

const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span).min(1),
        }),
      ),
    }),
  ),
});

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

type Collected = z.output<typeof span>;

const plainAttributes = (list: z.output<typeof attributes>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(list.map(({ key, value: held }) => [key, Object.values(held)[0]]));

const plainSpan = (found: Collected): CollectedSpan => ({
  traceId: found.traceId,
  spanId: found.spanId,
  parentSpanId: found.parentSpanId,
  name: found.name,
  startNs: BigInt(found.startTimeUnixNano),
  endNs: BigInt(found.endTimeUnixNano),
  isError: found.status?.code === 2,
  attributes: plainAttributes(found.attributes),
  links: found.links ?? [],
});

/** An answer other than the usual one, for one request. */
export interface OddAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface FakeCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** What was wrong with requests that were refused. */
  readonly problems: readonly string[];
  readonly requests: readonly { readonly headers: IncomingMessage['headers']; readonly path: string }[];
  readonly resource: () => Readonly<Record<string, unknown>>;
  /** The next requests get these answers. */
  readonly answer: (...answers: readonly OddAnswer[]) => void;
  /** Requests get no answer until the returned function is called. */
  readonly stall: () => () => void;
  /** Spans whose parent never came. */
  readonly orphans: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** An OpenTelemetry collector that takes OTLP in JSON, and refuses what is not exactly that. */
export const startFakeCollector = async (): Promise<FakeCollector> => {
  const spans: CollectedSpan[] = [];
  const problems: string[] = [];
  const requests: { readonly headers: IncomingMessage['headers']; readonly path: string }[] = [];
  const odd: OddAnswer[] = [];
  let resource: Readonly<Record<string, unknown>> = {};
  let stalled: Promise<void> | undefined;

  const refuse = (problem: string, response: ServerResponse): void => {
    problems.push(problem);
    response.writeHead(400).end(JSON.stringify({ code: 3, message: problem }));
  };

  const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(incoming);
    requests.push({ headers: incoming.headers, path: incoming.url ?? '' });
    await stalled;
    const answer = odd.shift();
    if (answer) {
      response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
      return;
    }
    if (incoming.method !== 'POST' || incoming.url !== '/v1/traces') {
      response.writeHead(404).end();
      return;
    }
    if (incoming.headers['content-type'] !== 'application/json') return refuse('content-type', response);
    const parsed = request.safeParse(JSON.parse(body));
    if (!parsed.success) return refuse(z.prettifyError(parsed.error), response);
    for (const { resource: of, scopeSpans } of parsed.data.resourceSpans) {
      resource = plainAttributes(of.attributes);
      const found = scopeSpans.flatMap((scope) => scope.spans.map(plainSpan));
      const known = new Set(spans.map(({ spanId }) => spanId));
      const twice = found.find(({ spanId }) => known.has(spanId));
      if (twice) return refuse(`the span ${twice.name} came twice`, response);
      spans.push(...found);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };

  const server = createServer((incoming, response) => void take(incoming, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    problems,
    requests,
    resource: () => resource,
    answer: (...answers) => void odd.push(...answers),
    stall: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      stalled = promise;
      return () => {
        stalled = undefined;
        resolve();
      };
    },
    orphans: () => {
      const known = new Set(spans.map(({ spanId }) => spanId));
      return spans.flatMap(({ name, parentSpanId }) =>
        parentSpanId === undefined || known.has(parentSpanId) ? [] : [name],
      );
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};
