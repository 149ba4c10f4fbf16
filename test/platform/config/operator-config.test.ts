import { describe, expect, it } from 'vitest';
import { load } from './support.ts';

const PORT = { FINCLAW_HTTP_PORT: '8080' };
const TOKEN = '3f9c1d7be05a42689b7de10c5fa8342e';

describe('the operator page in the configuration', () => {
  it('is on wherever the health server is, and only there', () => {
    expect(load({}, PORT).operator).toEqual({ token: undefined, publicUrl: undefined });
    expect(load({}, {}).operator).toBeUndefined();
    expect(load({ operator: { enabled: false } }, PORT).operator).toBeUndefined();
    expect(load({}, { ...PORT, FINCLAW_OPERATOR_TOKEN: TOKEN }).operator?.token).toBe(TOKEN);
  });

  it('takes no short token, hides it, and masks it in logs', () => {
    const short = TOKEN.slice(1);
    const refused = (): unknown => load({}, { ...PORT, FINCLAW_OPERATOR_TOKEN: short });
    expect(refused).toThrow('FINCLAW_OPERATOR_TOKEN: must have at least 32 characters');
    expect(refused).not.toThrow(short);
    const { secrets, effective } = load({}, { ...PORT, FINCLAW_OPERATOR_TOKEN: TOKEN });
    expect(secrets).toContain(TOKEN);
    expect(effective.find(({ path }) => path === 'FINCLAW_OPERATOR_TOKEN')?.value).toBe('[***]');
  });

  it.each([
    'a'.repeat(32),
    'password'.repeat(4),
    'abcdefghijklmnopqrstuvwxyz{|}~\u007f\u0080\u0081',
    '01'.repeat(20),
  ])('takes no token that can be guessed: %s', (token) => {
    const refused = (): unknown => load({}, { ...PORT, FINCLAW_OPERATOR_TOKEN: token });
    expect(refused).toThrow('FINCLAW_OPERATOR_TOKEN: can be guessed');
  });

  it('stays off with a warning where other machines reach it, until it has an address', () => {
    const open = { ...PORT, FINCLAW_HTTP_HOST: '0.0.0.0' };
    const { operator, httpHost, warnings } = load({}, open);
    expect([operator, httpHost]).toEqual([undefined, '0.0.0.0']);
    expect(warnings).toEqual([expect.stringContaining('Set operator.publicUrl')]);
    expect(load({ operator: { enabled: false } }, open).warnings).toEqual([]);
    const publicUrl = 'https://bot.example.com';
    const served = load({ operator: { publicUrl } }, open);
    expect([served.operator?.publicUrl, served.warnings]).toEqual([publicUrl, []]);
    for (const host of ['127.0.0.1', '127.0.0.2', '::1'])
      expect(load({}, { ...PORT, FINCLAW_HTTP_HOST: host }).operator).toBeDefined();
    expect(() => load({}, { ...PORT, FINCLAW_HTTP_HOST: 'example.com' })).toThrow('must be an IP address');
  });

  it('gives codes also where another process serves the page', () => {
    expect(load({ operator: { publicUrl: 'https://bot.example.com/' } }, {}).operator).toEqual({
      token: undefined,
      publicUrl: 'https://bot.example.com',
    });
  });

  it.each([
    'http://bot.example.com',
    'https://bot.example.com/finclaw',
    'https://bot.example.com/?a=b',
    'https://bot.example.com/#a',
    'https://me:secret@bot.example.com',
    'bot.example.com',
    'javascript:alert(1)',
  ])('refuses %s as its address', (publicUrl) => {
    expect(() => load({ operator: { publicUrl } }, PORT)).toThrow('must be an https address without a path');
  });

  it('takes http for this machine alone, such as a port of a container', () => {
    const { operator } = load(
      { operator: { publicUrl: 'http://localhost:8080' } },
      { ...PORT, FINCLAW_HTTP_HOST: '0.0.0.0' },
    );
    expect(operator?.publicUrl).toBe('http://localhost:8080');
  });
});
