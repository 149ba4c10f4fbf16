import { describe, expect, it } from 'vitest';
import { mayUse } from '#src/kernel/chat/command.ts';

describe('mayUse', () => {
  it.each([
    { requiredRoles: undefined, isAdmin: false, userRoles: [], expected: true },
    { requiredRoles: [], isAdmin: false, userRoles: [], expected: true },
    { requiredRoles: ['ops'], isAdmin: false, userRoles: [], expected: false },
    { requiredRoles: ['ops'], isAdmin: false, userRoles: ['op', 'opsy'], expected: false },
    { requiredRoles: ['ops', 'trader'], isAdmin: false, userRoles: ['guest', 'trader'], expected: true },
    { requiredRoles: ['ops'], isAdmin: true, userRoles: [], expected: true },
  ])(
    '$requiredRoles, admin $isAdmin, roles $userRoles: $expected',
    ({ requiredRoles, expected, ...person }) => {
      expect(mayUse(requiredRoles ? { requiredRoles } : {}, person)).toBe(expected);
    },
  );
});
