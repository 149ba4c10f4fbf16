import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { TracingSettings } from '../tracing/tracing.ts';
import type { Environment } from './environment.ts';

/** `name=value` pairs, whose values are percent-encoded. */
const pairsIn = (variable: keyof Environment, pairs: readonly string[]): Readonly<Record<string, string>> => {
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const end = pair.indexOf('=');
        return [pair.slice(0, end).trim(), decodeURIComponent(pair.slice(end + 1).trim())];
      }),
    );
  } catch (error) {
    throw new FinClawError(
      `${variable}: a value is not percent-encoded: ${errorMessage(error)}`,
      'CONFIG_INVALID',
    );
  }
};

const headersOf = ({
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: ofTraces,
  OTEL_EXPORTER_OTLP_HEADERS: ofAll = [],
}: Environment): TracingSettings['headers'] => {
  const pairs = ofTraces
    ? pairsIn('OTEL_EXPORTER_OTLP_TRACES_HEADERS', ofTraces)
    : pairsIn('OTEL_EXPORTER_OTLP_HEADERS', ofAll);
  return Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name.toLowerCase(), value]));
};

const ratioOf = ({
  OTEL_TRACES_SAMPLER: sampler,
  OTEL_TRACES_SAMPLER_ARG: share = 1,
}: Environment): number => {
  if (sampler?.endsWith('always_off')) return 0;
  return sampler?.endsWith('traceidratio') ? share : 1;
};

/** Other programs beside FinClaw may follow the same variables. */
const isTurnedOff = ({
  OTEL_SDK_DISABLED: isDisabled,
  OTEL_TRACES_EXPORTER: exporters = ['otlp'],
}: Environment): boolean => isDisabled?.toLowerCase() === 'true' || !exporters.includes('otlp');

/** `fetch` refuses every address with a user name or a password, so no span would ever arrive. */
const requireNoPassword = (
  address: string,
  endpoint: keyof Environment,
  headers: keyof Environment,
): void => {
  const { username, password } = new URL(address);
  if (`${username}${password}` === '') return;
  throw new FinClawError(
    `${endpoint}: no user name and no password may stand in the address; set ${headers} instead, in the form name=value: the name is authorization, the value is Basic%20 and, right behind it, user:password in base64`,
    'CONFIG_INVALID',
  );
};

const SERVICE_NAME = 'service.name';

/** By the standard variables. Undefined: there are no traces. */
export const tracingConfig = (variables: Environment): TracingSettings | undefined => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = variables;
  const url = whole ?? (base === undefined ? undefined : `${base}${base.endsWith('/') ? '' : '/'}v1/traces`);
  const ratio = ratioOf(variables);
  if (url === undefined || ratio === 0 || isTurnedOff(variables)) return undefined;
  if (whole === undefined)
    requireNoPassword(url, 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS');
  else requireNoPassword(url, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS');
  const { [SERVICE_NAME]: serviceName = 'finclaw', ...resource } = pairsIn(
    'OTEL_RESOURCE_ATTRIBUTES',
    variables.OTEL_RESOURCE_ATTRIBUTES ?? [],
  );
  return {
    url,
    headers: headersOf(variables),
    serviceName: variables.OTEL_SERVICE_NAME ?? serviceName,
    ratio,
    resource,
  };
};
