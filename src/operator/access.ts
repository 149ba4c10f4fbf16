import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PersonRef, Timestamp } from '#src/kernel/ids.ts';
import type { Dashboard, Operator } from '#src/kernel/operations/operator.ts';
import type { OperatorSessions, SessionHolder, StoredSession } from '#src/operator/store/sessions.ts';
import { cleanShortCode, newShortCode } from '#src/platform/text/short-codes.ts';
import type { Uses } from '#src/platform/services.ts';
import { createLoginLimit } from './login-limit.ts';

interface AccessDeps extends Uses<'clock'> {
  readonly sessions: OperatorSessions;
  /** Whether the configuration names a person or a role of theirs as an administrator, or the platform names its owner. */
  readonly isAdmin: (person: PersonRef, roles: readonly string[]) => Promise<boolean>;
  readonly token: string | undefined;
  /** Where people log in. */
  readonly url: string;
}

export interface Session {
  readonly operator: Operator;
  readonly expiresAt: Timestamp;
  /** Every form of the session carries it. */
  readonly formToken: string;
}

export type Login =
  | { readonly kind: 'in'; readonly secret: string; readonly operator: Operator }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

/** Who may use the operator page. Everything may throw, because sessions are in the database. */
export interface OperatorAccess extends Dashboard {
  /** Accepts a code from `/dashboard` or the token. */
  readonly logIn: (typed: string, address: string) => Promise<Login>;
  /** Undefined if the secret belongs to no session, or its holder is not an administrator any more. */
  readonly find: (secret: string) => Promise<Session | undefined>;
  readonly logOut: (secret: string) => Promise<void>;
  /** Ends the other sessions of the same person or, with the token, of everybody who used it. */
  readonly logOutEverywhere: (operator: Operator) => Promise<void>;
}

const CODE_CHARS = 8;
const CODE_MINUTES = 2;
const SHOWN_GROUP = 4;
/** Eight characters with dashes and spaces. Anything longer is a token. */
const MAX_TYPED_CODE_CHARS = 20;
export const SESSION_HOURS = 12;
const SECRET_BYTES = 32;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const keyed = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex');

/** The time that it takes does not tell how much of the text is right. */
export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

const operatorOf = (holder: SessionHolder | undefined): Operator =>
  holder ? { kind: 'admin', person: holder.person, roles: holder.roles } : { kind: 'token' };

export const createOperatorAccess = ({
  sessions,
  isAdmin,
  token,
  url,
  clock,
}: AccessDeps): OperatorAccess => {
  const limit = createLoginLimit(clock);

  /** With the token as key, so that these sessions end when the token is changed. */
  const tokenSessionHash = (secret: string): string | undefined =>
    token === undefined ? undefined : keyed(token, secret);

  const newSession = (hash: string) => {
    const createdAt = clock.now();
    return { hash, createdAt, expiresAt: createdAt.add({ hours: SESSION_HOURS }) };
  };

  const isStillIn = async ({ hash, holder }: StoredSession, secret: string): Promise<boolean> => {
    if (!holder) return hash === tokenSessionHash(secret);
    return hash === sha256(secret) && isAdmin(holder.person, holder.roles);
  };

  const redeem = async (typed: string): Promise<Login | undefined> => {
    const code = typed.length > MAX_TYPED_CODE_CHARS ? '' : cleanShortCode(typed);
    if (code.length !== CODE_CHARS) return undefined;
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const holder = await sessions.redeem(sha256(code), newSession(sha256(secret)), clock.now());
    return holder && { kind: 'in', secret, operator: operatorOf(holder) };
  };

  const logInWith = async (rightToken: string): Promise<Login> => {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    await sessions.add(newSession(keyed(rightToken, secret)));
    return { kind: 'in', secret, operator: { kind: 'token' } };
  };

  return {
    issueCode: async (person, roles) => {
      const code = newShortCode(CODE_CHARS);
      const expiresAt = clock.now().add({ minutes: CODE_MINUTES });
      await sessions.putCode(sha256(code), { person, roles }, expiresAt);
      return { code: `${code.slice(0, SHOWN_GROUP)}-${code.slice(SHOWN_GROUP)}`, expiresAt, url };
    },
    endSessions: (person) => sessions.endAll(person),
    logIn: async (typed, address) => {
      // A code has 40 random bits and expires after two minutes, so guessing does not find it. It is accepted even after too
      // many wrong tries: otherwise a stranger could lock administrators out.
      const redeemed = await redeem(typed);
      if (redeemed) return redeemed;
      const retryAfterSeconds = limit.waitSeconds(address);
      if (retryAfterSeconds > 0) return { kind: 'limited', retryAfterSeconds };
      // Counted before the answer, so that tries at the same time are counted too.
      const forgive = limit.count(address);
      if (token === undefined || !isSame(typed.trim(), token)) return { kind: 'wrong' };
      // Before the session is stored: a database that refuses it does not make the token wrong.
      forgive();
      return logInWith(token);
    },
    find: async (secret) => {
      const hashes = [sha256(secret), tokenSessionHash(secret)].filter((hash) => hash !== undefined);
      const [stored] = await sessions.find(hashes, clock.now());
      if (!stored || !(await isStillIn(stored, secret))) return undefined;
      return {
        operator: operatorOf(stored.holder),
        expiresAt: stored.expiresAt,
        formToken: keyed(secret, 'form'),
      };
    },
    logOut: async (secret) => {
      for (const hash of [sha256(secret), tokenSessionHash(secret)])
        if (hash !== undefined) await sessions.end(hash);
    },
    logOutEverywhere: async (operator) => {
      await sessions.endAll(operator.kind === 'admin' ? operator.person : 'token');
    },
  };
};
