import { describe, expect, it } from 'vitest';
import { problemsOf } from './support.ts';

describe('ids of people', () => {
  it.each(['discord:*', '*', '@mina', '<@42>', 'discord: 42', 'discord:', ':42', 'mina#1234', '1,2'])(
    'are not %j, and the right form is named',
    (user) => {
      expect(problemsOf({ gates: { allow: { users: [user] } } })).toEqual([
        expect.stringMatching(
          /^gates\.allow\.users\.0: is not a user id; write discord:123, or 123 on any platform, .*no wildcards/,
        ),
      ]);
    },
  );
});

describe('administrators and servers', () => {
  it.each([
    [{ admins: { users: ['discord:*'] } }, /^admins\.users\.0: .*write discord:123.*found "discord:\*"/],
    [{ admins: { users: [''] } }, /^admins\.users\.0: must not be empty/],
    [{ admins: { roles: ['99:*'] } }, /^admins\.roles\.0: is not a role; write its id, .*found "99:\*"/],
    [{ discord: { commandGuilds: ['Desk'] } }, /^discord\.commandGuilds\.0: .*write its number/],
  ])('are not %j, and the right form is named', (file, problem) => {
    expect(problemsOf(file)).toEqual([expect.stringMatching(problem)]);
  });
});
