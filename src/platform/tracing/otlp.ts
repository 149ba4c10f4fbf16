/** Span kinds and status codes of OTLP. */
export const SPAN_KINDS = { internal: 1, client: 3, producer: 4, consumer: 5 } as const;
const STATUS_ERROR = 2;

type AttributeValue = string | number | boolean | readonly string[];

export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: keyof typeof SPAN_KINDS;
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Undefined values are left out. */
  readonly attributes: Readonly<Record<string, AttributeValue | undefined>>;
  readonly isError?: boolean;
  /** A span that this one goes on from. */
  readonly link?: { readonly traceId: string; readonly spanId: string };
}

/** A cost of nothing is a fraction like the others: a database for traces takes one type for each attribute. */
const FRACTION = /_usd$/;

const encodeValue = (value: AttributeValue, key: string): object => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value !== 'number')
    return { arrayValue: { values: value.map((item) => encodeValue(item, key)) } };
  // A 64-bit integer is a string in the JSON of Protobuf.
  return Number.isInteger(value) && !FRACTION.test(key)
    ? { intValue: String(value) }
    : { doubleValue: value };
};

const encodeAttributes = (attributes: Span['attributes']): readonly object[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value, key) }],
  );

const encodeSpan = (span: Span): object => {
  const { traceId, spanId, parentSpanId, name, kind, startNs, endNs, attributes, isError, link } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(endNs < startNs ? startNs : endNs),
    attributes: encodeAttributes(attributes),
    ...(isError && { status: { code: STATUS_ERROR } }),
    ...(link && { links: [link] }),
  };
};

export interface Resource {
  readonly serviceName: string;
  readonly version: string;
  readonly instanceId: string;
  /** Those of the operator, such as `deployment.environment.name`. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The body of an export request: OTLP in its JSON encoding. */
export const encodeSpans = (spans: readonly Span[], resource: Resource): string => {
  const { serviceName, version, instanceId } = resource;
  const attributes = encodeAttributes({
    ...resource.attributes,
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': instanceId,
  });
  const scopeSpans = [{ scope: { name: 'finclaw', version }, spans: spans.map(encodeSpan) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] });
};
