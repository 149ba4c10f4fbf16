import { describe, expect, it } from 'vitest';
import { createHideSecrets, hideInAddresses, passwordsIn } from '#src/platform/config/hide-secrets.ts';
import { everyRow } from '#test/support/every-row.ts';

describe('hideInAddresses', () => {
  everyRow([
    ['postgres://bot:hunter22@db:5432/app', 'postgres://[***]@db:5432/app'],
    ['postgres://bot@db/app', 'postgres://[***]@db/app'],
    ['postgres://db/app', 'postgres://db/app'],
    ['postgres://bot:p@ss@db/app', 'postgres://[***]@db/app'],
    ['postgres://bot:two words@db/app', 'postgres://[***]@db/app'],
    ['postgres://bot:line\nbreak@db/app', 'postgres://[***]@db/app'],
    ['postgres://bot:x@/app?host=/run', 'postgres://[***]@/app?[***]'],
    ['https://proxy.example.com/v1?key=abc#def', 'https://proxy.example.com/v1?[***]'],
    ['https://proxy.example.com/v1#key', 'https://proxy.example.com/v1?[***]'],
    ['HTTPS://u:p@proxy', 'HTTPS://[***]@proxy'],
    ['Use https://u:p@proxy/v1 and http://other first', 'Use https://[***]@proxy/v1 and http://other first'],
    ['nothing@all', 'nothing@all'],
  ])('shows %j as %j', (text, shown) => {
    expect(hideInAddresses(text)).toBe(shown);
  });

  it.each(['postgres://bot:12/ss@db/app', 'postgres://bot:1?2@db/app', 'postgres://db/app?password=a@b'])(
    'shows nothing of %s, where a password could be anywhere',
    (text) => {
      expect(hideInAddresses(text)).toBe('postgres://[***]');
    },
  );
});

describe('passwordsIn', () => {
  it.each([
    ['postgres://bot:hunter22@db/app', ['hunter22', 'hunter22']],
    ['postgres://bot:p%40ss@db/app', ['p%40ss', 'p@ss']],
    ['postgres://bot:p/a@ss@db/app', ['p/a@ss', 'p/a@ss']],
    ['postgres://bot:100%@db/app', ['100%', '100%']],
    ['postgres://db/app?sslmode=require&password=x%21&sslkey=k', ['x%21', 'x!', 'k', 'k']],
    ['postgres://bot@db:5432/app', []],
    ['', []],
  ])('finds in %j what opens it', (address, passwords) => {
    expect(passwordsIn(address)).toEqual(passwords);
  });
});

describe('createHideSecrets', () => {
  it('leaves no tail of a secret that begins with another one', () => {
    expect(createHideSecrets(['secret-1', 'secret-123'])('is secret-123, secret-1.')).toBe(
      'is [***], [***].',
    );
  });

  it('leaves words alone that are as short as five letters', () => {
    expect(createHideSecrets(['local', 'locals'])('local locals')).toBe('local [***]');
  });

  it.each(['sk-ant-0123456789', 'xoxb-0123456789-a', 'xapp-1-A0123456'])(
    'hides what looks like a key: %s',
    (key) => {
      expect(createHideSecrets([])(`model ${key}!`)).toBe('model [***]!');
    },
  );

  it('takes no model for a key', () => {
    expect(createHideSecrets([])('claude-sonnet-5-5, gpt-5-mini, sk-1')).toBe(
      'claude-sonnet-5-5, gpt-5-mini, sk-1',
    );
  });
});
