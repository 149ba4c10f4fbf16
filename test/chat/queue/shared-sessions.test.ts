import { describe, expect, it } from 'vitest';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { SessionLostError } from '#src/platform/storage/fences.ts';
import { A, B, C, fail, setUp, setUpTurn } from './shared-sessions-support.ts';

describe('a session of several processes', () => {
  it('queues its messages in the order they were written, and newer ones when it is woken', async () => {
    const { store, turn, publish, advance, happened } = await setUpTurn();
    store(A, 'three', 30);
    store(A, 'two', 20);
    store(A, '/now', 40);
    await publish('wake', A);
    await advance(0);
    expect(happened(/begin/)).toEqual(['begin /now']);
    for (const each of ['one', 'two', '/now']) await turn(each).end();
    expect(happened(/begin|^end|claim/)).toEqual(['begin two', 'begin three']);
  });

  it('is given back when nothing is left, and requested again for a message that came meanwhile', async () => {
    const { world, store, turn, happened } = await setUpTurn();
    world.onEnd = async () => void store(A, 'late');
    await turn('one').end();
    expect(happened(/ a$/).slice(0, 4)).toEqual(['end a', 'read a', 'request a', 'claim a']);
    world.onEnd = async () => undefined;
    await turn('late').end();
    expect(happened(/ a$|begin/)).toEqual(['end a', 'read a']);
  });

  it('tells other processes the end of a turn, if nobody waited for it here', async () => {
    const { sessions, store, one, turn, happened } = await setUpTurn();
    const two = store(A, 'two');
    void sessions.whenEnded(one.id);
    for (const each of ['one', 'two']) await turn(each).end();
    expect(happened(/ended/)).toEqual([`publish ended ${two.id}`]);
  });

  it('waits for the sweep with a message that is still pending after its turn', async () => {
    const { world, one, request, turn, advance, happened } = await setUpTurn();
    await turn('one').end('pending');
    await advance(4_900);
    expect(happened(/request|claim|^end/)).toEqual(['end a']);
    world.sweep = async () => Number(await request({ sessionKey: A, channelId: one.message.channelId }));
    await advance(100);
    expect(happened(/claim|begin/)).toEqual(['claim a', 'begin one']);
  });

  it('is requested again at once for a message that is resumed just after its turn', async () => {
    const { world, one, inbox, turn, happened } = await setUpTurn();
    world.onEnd = async () => void inbox.set(one.id, { ...one, isResumed: true });
    await turn('one').end();
    expect(happened(/request|claim|begin/)).toEqual(['request a', 'claim a', 'begin one']);
  });

  it('stays held and fenced while its messages cannot be read, and is read again', async () => {
    const { world, store, turn, publish, advance, happened } = await setUpTurn();
    world.onRead = fail;
    store(A, 'two');
    await publish('wake', A);
    await advance(5_000);
    await expect(turn('one').check()).resolves.toBe('fenced');
    world.onRead = async () => undefined;
    await turn('one').end();
    await advance(1_000);
    expect(happened(/begin|^end/)).toEqual(['begin two']);
  });

  it('is read again while a turn runs, so that a command does not wait for its end', async () => {
    const { world, store, publish, advance, happened } = await setUpTurn();
    world.onRead = fail;
    store(A, '/stop');
    await publish('wake', A);
    await advance(500);
    world.onRead = async () => undefined;
    await advance(600);
    expect(happened(/begin/)).toEqual(['begin /stop']);
  });

  it('is neither worked on nor given back when it cannot be taken', async () => {
    const { world, open, store, advance, happened } = setUp();
    const { sessions } = open();
    world.onTake = fail;
    await sessions.wake(store(A, 'one'), false);
    await sessions.start();
    await advance(3_000);
    expect(happened(/ a$|begin/)).toEqual(['request a', 'claim a']);
  });

  it('lets a new message wait for earlier ones where several processes receive, longer after a loss', async () => {
    const { world, open, store, lose, advance, happened } = setUp();
    const { sessions } = open();
    world.isShared = true;
    await sessions.start();
    const later = store(A, 'later', 20);
    store(A, '/now', 30);
    await sessions.wake(later, false);
    await advance(149);
    expect(happened(/begin/)).toEqual(['begin /now']);
    store(A, 'earlier', 10);
    await advance(1);
    expect(happened(/begin/)).toEqual(['begin earlier']);
    lose();
    await advance(8_900);
    await sessions.wake(store(B, 'after a loss'), false);
    await advance(999);
    expect(happened(/begin/)).toEqual([]);
    await advance(101);
    expect(happened(/begin/)).toEqual(['begin after a loss']);
    await sessions.wake(store(C, 'long after it'), false);
    await advance(150);
    expect(happened(/begin/)).toEqual(['begin long after it']);
  });
});

const setUpShared = async () => {
  const given = setUp();
  const { sessions, turn } = given.open();
  given.world.isShared = true;
  await sessions.start();
  const say = (body: string, atMs: number) => sessions.wake(given.store(A, body, atMs), body.startsWith('/'));
  return { ...given, say, turn };
};

describe('a session that several processes receive messages of', () => {
  it('lets every message wait for earlier ones, also one that comes while another waits', async () => {
    const { say, turn, advance, happened } = await setUpShared();
    await say('first', 0);
    await advance(140);
    await say('third', 20);
    await advance(20);
    await say('second', 10);
    await advance(300);
    for (const each of ['first', 'second']) await turn(each).end();
    expect(happened(/begin/)).toEqual(['begin first', 'begin second', 'begin third']);
  });

  it('runs a command at once, also while a message waits for earlier ones', async () => {
    const { say, lose, advance, happened } = await setUpShared();
    lose();
    await say('first', 0);
    await advance(100);
    await say('/stop', 10);
    await advance(0);
    expect(happened(/begin/)).toEqual(['begin /stop']);
    await advance(900);
    expect(happened(/begin/)).toEqual(['begin first']);
  });
});

describe('a session that is lost', () => {
  type Given = Awaited<ReturnType<typeof setUpTurn>>;
  const ways: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
    'its renewal is not confirmed': ({ world, advance }) => {
      world.onRenew = async () => [];
      return advance(2_000);
    },
    'renewals fail for 8 seconds': async ({ world, turn, advance }) => {
      world.onRenew = fail;
      await advance(7_999);
      await expect(turn('one').check()).resolves.toBe('fenced');
      await advance(1);
    },
    'renewals are not answered for 8 seconds': ({ world, advance }) => {
      world.onRenew = () => new Promise(() => undefined);
      return advance(8_000);
    },
  };
  it.each(Object.keys(ways))('drops its turns and changes nothing more: %s', async (way) => {
    const given = await setUpTurn('two');
    const { sessions, turn, advance, happened } = given;
    await ways[way]?.(given);
    expect(turn('one').signal.reason).toMatchObject({ kind: 'shutdown' });
    await advance(3_000);
    expect(happened(/begin|^end|ended|request|read/)).toEqual([]);
    expect(sessions.isHolder(A)).toBe(false);
    await expect(turn('one').check()).rejects.toThrow(SessionLostError);
  });

  it('holds back what its turn left behind, but not what earlier turns did', async () => {
    const { world, turn, advance } = await setUpTurn('two');
    await turn('one').end();
    await expect(turn('one').check()).resolves.toBeUndefined();
    await expect(turn('two').check()).resolves.toBe('fenced');
    world.onRenew = async () => [];
    await advance(2_000);
    await expect(turn('one').check()).resolves.toBeUndefined();
    await expect(turn('two').check()).rejects.toThrow(SessionLostError);
  });

  it('is not given back by a process that stood still, although its turn ends before anybody looks', async () => {
    const { turn, standStill, happened } = await setUpTurn();
    standStill(60_000);
    await turn('one').end();
    await expect(turn('one').check()).rejects.toThrow(SessionLostError);
    expect(happened(/^end|ended|request/)).toEqual([]);
  });
});

describe('the sessions of a process', () => {
  it('are at most as many as it has room for, those being taken included, but for urgent ones', async () => {
    const { world, open, store, advance, happened } = setUp();
    const { sessions, turn } = open('all', 2);
    const taken = Promise.withResolvers<void>();
    world.onTake = () => taken.promise;
    for (const key of [A, B, C]) await sessions.wake(store(key, `in ${key}`), false);
    await sessions.start();
    await advance(3_000);
    expect(happened(/claim/)).toEqual(['claim a', 'claim b']);
    await sessions.wake(store(asId<SessionKey>('d'), '/stop'), true);
    await advance(0);
    expect(happened(/claim/)).toEqual(['claim d']);
    taken.resolve();
    await advance(0);
    await turn('/stop').end();
    expect(happened(/claim/)).toEqual([]);
    await turn('in a').end();
    expect(happened(/claim/)).toEqual(['claim c']);
  });

  it('are none in a gateway, which requests them for others', async () => {
    const { open, store, advance, happened } = setUp();
    const { sessions } = open('gateway');
    await sessions.start();
    await sessions.wake(store(A, 'one'), false);
    await advance(5_000);
    expect(happened(/./)).toEqual(['request a', 'publish free console']);
  });

  it('are no more after the stop, not even if the start is under way or called again', async () => {
    const { world, open, store, advance, happened } = setUp();
    const { sessions } = open();
    const { promise, resolve } = Promise.withResolvers<number>();
    world.sweep = () => promise;
    const starting = sessions.start();
    const stopping = sessions.stop();
    resolve(1);
    await Promise.all([starting, stopping, sessions.start()]);
    await sessions.wake(store(A, 'one'), false);
    await advance(10_000);
    expect(happened(/claim|read/)).toEqual([]);
  });

  it('go on after the stop, and are given back with what is left when their turns have ended', async () => {
    const { sessions, queue, turn, advance, happened } = await setUpTurn('two');
    await sessions.stop();
    void queue.drain();
    let isReleased = false;
    void sessions.release().then(() => (isReleased = true));
    await advance(20_000);
    await expect(turn('one').check()).resolves.toBe('fenced');
    expect([isReleased, happened(/./)]).toEqual([false, []]);
    await turn('one').end();
    expect(isReleased).toBe(true);
    expect(happened(/./)).toEqual(['end a', 'read a', 'request a', 'publish free console']);
  });
});

describe('/stop in another process', () => {
  it('stops the turn that runs now, and does nothing while only a command runs', async () => {
    const { open, one, turn, advance, happened } = await setUpTurn('/now');
    const { control } = open('gateway');
    const stopped = control.stop(A);
    await advance(100);
    await expect(stopped).resolves.toBe('stopped');
    expect(turn('one').signal.reason).toMatchObject({ kind: 'stopped' });
    expect(happened(/stop/)).toEqual([`publish stop ${one.id} a`]);
    await expect(control.stop(A)).resolves.toBe('idle');
    expect(happened(/stop/)).toEqual([]);
  });

  it('takes a session of another process while it must be at rest, once its turn has stopped', async () => {
    const { world, open, turn, advance } = await setUpTurn();
    const other = open();
    const seen: string[] = [];
    world.onTake = async () => void seen.push(turn('one').signal.aborted ? 'taken' : 'taken too early');
    const work = async (): Promise<string> => {
      seen.push('work');
      return 'done';
    };
    const done = other.control.whileStopped(A, work);
    await advance(100);
    expect([await done, seen]).toEqual(['done', ['taken', 'work']]);
  });

  it('does not stop a later turn', async () => {
    const { store, one, turn, publish } = await setUpTurn();
    const two = store(A, 'two');
    await turn('one').end();
    await publish('stop', `${one.id} a`);
    expect(turn('two').signal.aborted).toBe(false);
    await publish('stop', `${two.id} a`);
    expect(turn('two').signal.aborted).toBe(true);
  });
});
