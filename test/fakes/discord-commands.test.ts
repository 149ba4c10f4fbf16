import { REST, Routes } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeDiscord } from './discord/api.ts';
import { entriesOf } from './discord/history.ts';
import { startFakeDiscord } from './discord/server.ts';
import { refusalOf } from './discord/refusal-of.ts';

let fake: FakeDiscord;
let rest: REST;

beforeEach(async () => {
  fake = await startFakeDiscord();
  rest = new REST({ api: fake.apiUrl, version: '10' }).setToken(fake.token);
});
afterEach(() => fake.close());

const option = (name: string, more: object = {}): object => ({ type: 3, name, description: 'd', ...more });

const command = (more: object = {}): object => ({ name: 'price', description: 'A price', ...more });

const register = (...body: readonly object[]): Promise<unknown> =>
  rest.put(Routes.applicationCommands(fake.applicationId), { body });

describe('slash commands', () => {
  it('are kept, and refused where a name, a text or an order is wrong', async () => {
    const guild = fake.addGuild({ name: 'Desk' });
    const channel = fake.addChannel(guild, { name: 'general' });
    const jun = fake.addUser({ name: 'jun' });
    const named = { name_localizations: { ko: '시세' }, options: [option('symbol', { required: true })] };
    await register(command(named));
    const url = Routes.applicationCommands(fake.applicationId);
    expect(JSON.stringify(await rest.get(url))).not.toMatch('시세');
    const query = new URLSearchParams({ with_localizations: 'true' });
    expect(await rest.get(url, { query })).toMatchObject([
      { name: 'price', name_localizations: { ko: '시세' } },
    ]);
    const wrong: readonly (readonly [object, string])[] = [
      [command({ name: 'Price' }), 'INVALID_NAME'],
      [command({ name_localizations: { ko: '시세 조회' } }), 'INVALID_NAME'],
      [command({ name_localizations: { kr: '시세' } }), 'ENUM_TYPE_COERCE'],
      [command({ description: '' }), 'MIN_LENGTH'],
      [command({ description_localizations: { ko: '가'.repeat(101) } }), 'MAX_LENGTH'],
      [command({ options: [option('a'), option('b', { required: true })] }), 'REQUIRED_INVALID'],
      [command({ options: [option('a'), option('a')] }), 'NAME_INVALID'],
      [
        command({
          options: [
            option('a', {
              choices: Array.from({ length: 26 }, (_, at) => ({ name: `${at}`, value: `${at}` })),
            }),
          ],
        }),
        'BAD_LENGTH',
      ],
      [
        command({ options: [option('a', { choices: [{ name: 'n'.repeat(101), value: 'v' }] })] }),
        'MAX_LENGTH',
      ],
    ];
    for (const [body, code] of wrong) expect(await refusalOf(register(body))).toMatch(code);
    expect(await refusalOf(register(command(), command()))).toMatch('DUPLICATE_NAME');
    expect(entriesOf(fake.history, 'commandsRegistered')).toHaveLength(1);
    await rest.put(Routes.applicationGuildCommands(fake.applicationId, guild.id), {
      body: [command({ name: 'here' })],
    });
    expect(fake.commands(guild)).toMatchObject([{ name: 'here' }]);
    expect(() => fake.command(jun, channel, 'nowhere')).toThrow('not registered');
    expect(() => fake.command(jun, channel, '시세')).toThrow('without symbol');
  });
});
