import { describe, expect, it } from 'vitest';
import { errorMessage } from '#src/kernel/errors.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import { createTextMask } from '#src/platform/logging/logger.ts';
import { CHANNELS } from '#channels/index.ts';
import { temporaryDir } from '#test/support/database.ts';

const load = (env: NodeJS.ProcessEnv) => loadConfig(env, temporaryDir(), CHANNELS);
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/' };

describe('traces', () => {
  it.each([
    ['no collector', {}],
    ['a sampler that takes none', { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'always_off' }],
    ['every SDK turned off', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
    ['another exporter', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    ['a share of zero', { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }],
  ])('are off with %s', (_why, env) => {
    expect(load(env).tracing).toBeUndefined();
  });

  it('follow the standard variables', () => {
    expect(load(ENDPOINT).tracing).toEqual({
      url: 'http://localhost:4318/v1/traces',
      headers: {},
      serviceName: 'finclaw',
      ratio: 1,
      resource: {},
    });
    const env = {
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example/in',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20a2V5OnNlY3JldA==, tenant=seven',
      OTEL_SERVICE_NAME: 'bot',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(load(env).tracing).toEqual({
      url: 'https://collector.example/in',
      headers: { authorization: 'Basic a2V5OnNlY3JldA==', tenant: 'seven' },
      serviceName: 'bot',
      ratio: 0.25,
      resource: {},
    });
    const more = {
      ...env,
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'tenant=eight',
      OTEL_SERVICE_NAME: '',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=money,deployment.environment.name=a%20b',
      OTEL_TRACES_EXPORTER: 'console,otlp',
      OTEL_SDK_DISABLED: 'false',
    };
    expect(load(more).tracing).toMatchObject({
      headers: { tenant: 'eight' },
      serviceName: 'money',
      resource: { 'deployment.environment.name': 'a b' },
    });
    const shown = JSON.stringify(load(env).effective);
    expect(shown).not.toMatch(/a2V5|seven/);
  });

  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
    { ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'no value' },
    { ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'a=%' },
    { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'sometimes' },
    { ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '25' },
  ])('are refused with a clear error: %j', (env) => {
    expect(() => load(env)).toThrow(/OTEL_/);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS', 'https://me:geheim@collector.example'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS', 'https://geheim@collector.example'],
    [
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
      'https://me:geheim@collector.example/v1/traces',
    ],
  ])('refuse a password in %s, which no request would take, without repeating it', (name, headers, url) => {
    expect(() => load({ [name]: url })).toThrow(new RegExp(`^${name}: .*user name.*${headers}`));
    expect(() => load({ [name]: url })).not.toThrow(/geheim/);
    // The log and the doctor mask what looks like a secret; the advice must not be that.
    let said = '';
    try {
      load({ [name]: url });
    } catch (error) {
      said = errorMessage(error);
    }
    expect(createTextMask([])(said)).toBe(said);
    // It is of no account where nothing is sent there.
    expect(load({ [name]: url, OTEL_TRACES_EXPORTER: 'none' }).tracing).toBeUndefined();
  });

  it('accept a password in an address that another one replaces', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:geheim@collector.example',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://other.example/in',
    };
    expect(load(env).tracing?.url).toBe('https://other.example/in');
  });
});
