import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildStages } from '../../scripts/deploy/build-stages.ts';
import { composeProblems } from '../../scripts/deploy/compose.ts';
import { dockerfileProblems, parseDockerfile } from '../../scripts/deploy/dockerfile.ts';
import { libraryProblems, startProblems } from '../../scripts/deploy/start-image.ts';
import { checkUnit } from '../../scripts/deploy/unit.ts';
import { CHANNELS } from '#channels/index.ts';
import { environmentSchema } from '#src/platform/config/environment.ts';
import { temporaryDir } from '#test/support/database.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const VARIABLES = new Set(Object.keys(environmentSchema(CHANNELS).shape));

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The file with a fault in it. */
const planted = (path: string, right: string | RegExp, wrong: string): string => {
  const text = read(path);
  expect(text).toMatch(right);
  return text.replace(right, wrong);
};

describe('the Dockerfile', () => {
  it('has no problem that can be read', () => {
    expect(dockerfileProblems(read('Dockerfile'))).toEqual([]);
  });

  it.each([
    ['USER 1000:1000', 'USER root', 'runs as root'],
    ['USER 1000:1000', '', 'runs as root'],
    ['USER 1000:1000', 'USER 0:0', 'runs as 0:0'],
    ['CMD ["node", "bin/finclaw.js"]', 'CMD node bin/finclaw.js', 'a shell would get the signals'],
    ['CMD ["node", "bin/finclaw.js"]', 'CMD ["npm", "start"]', 'npm would get the signals'],
    [/HEALTHCHECK .*/, '', 'no HEALTHCHECK'],
    ['STOPSIGNAL SIGTERM', 'STOPSIGNAL SIGKILL', 'STOPSIGNAL'],
    ['VOLUME /data', '', 'no VOLUME'],
    ['debian:trixie-slim', 'debian', 'no tag'],
    ['node:24-trixie-slim', 'node:latest', 'no tag'],
    ['FROM node', 'FROM --platform=linux/amd64 node', 'one kind of processor'],
    ['COPY . .', 'ADD . .', 'use COPY'],
    ['npm ci --omit=dev', 'npm ci', 'development packages'],
    ['NODE_ENV=production', 'DISCORD_BOT_TOKEN=abc', 'secret'],
  ])('is refused with %s as %s', (right, wrong, problem) => {
    const problems = dockerfileProblems(planted('Dockerfile', right, wrong));
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });
});

const BOT = `
import { createServer } from 'node:http';
const server = createServer((_, response) => response.end()).listen(process.env.FINCLAW_HTTP_PORT, '127.0.0.1');
process.stdin.on('data', (text) => console.log('heard ' + text));
process.on('SIGTERM', () => process.exit(0));
`;
const HEALTH = `fetch('http://127.0.0.1:' + process.env.FINCLAW_HTTP_PORT).catch(() => process.exit(1));`;
const SMALL = `
FROM node:24 AS build
WORKDIR /app
COPY . .
RUN echo built > /app/built.txt && mkdir /data
FROM debian:13
WORKDIR /app
COPY --from=build /app ./
COPY --from=build --chown=1000:1000 /data /data
ENV BOT=bot.mjs
USER 1000:1000
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK CMD ["node", "health.mjs"]
CMD ["node", "--max-semi-space-size=32", "bot.mjs"]
`;

/** Builds and starts a small program of its own; says what the check says. */
const startSmall = async (files: Readonly<Record<string, string>>, dockerfile = SMALL, startMs = 20_000) => {
  const [context, folder] = [temporaryDir(), temporaryDir()];
  chmodSync(folder, 0o755);
  const all = {
    '.dockerignore': '*\n!*.mjs\n!lib\nlib/secret.*\n',
    'bot.mjs': BOT,
    'health.mjs': HEALTH,
    'beside.mjs': '',
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(context, path)), { recursive: true });
    writeFileSync(join(context, path), text);
  }
  try {
    const built = buildStages(parseDockerfile(dockerfile), { context, folder });
    const problems = await startProblems(built, {
      lines: ['hello'],
      expected: ['heard hello'],
      commands: [['node', 'beside.mjs']],
      startMs,
    });
    return { built, problems: problems.join('\n') };
  } finally {
    execFileSync('chmod', ['-R', 'u+w', folder]);
  }
};

describe('the steps of a Dockerfile', () => {
  it('are run without the files that .dockerignore leaves out, and the result starts and stops', async () => {
    const { built, problems } = await startSmall({ '.env': 'TOKEN=1', 'lib/a.js': '', 'lib/secret.pem': '' });
    expect(problems).toBe('');
    const inImage = ['bot.mjs', 'built.txt', 'lib/a.js', '.env', 'lib/secret.pem'].filter((path) =>
      existsSync(join(built.root, 'app', path)),
    );
    expect(inImage).toEqual(['bot.mjs', 'built.txt', 'lib/a.js']);
  });

  it.each([
    { fault: 'fails', files: { 'bot.mjs': 'process.exit(9);' }, problem: 'ended with 9 by itself' },
    {
      fault: 'does not answer',
      files: { 'bot.mjs': BOT.replace('heard', 'ignored') },
      problem: 'did not answer with: heard hello',
      startMs: 1_000,
    },
    {
      fault: 'does not stop properly',
      files: { 'bot.mjs': BOT.replace('exit(0)', 'exit(1)') },
      problem: 'After SIGTERM it ended with 1',
    },
    {
      fault: 'is never healthy',
      files: { 'health.mjs': 'process.exit(1);' },
      problem: 'health check did not pass',
      startMs: 1_000,
    },
    {
      fault: 'has a health check that always passes',
      files: { 'health.mjs': '' },
      problem: 'although nothing runs',
    },
    {
      fault: 'has a command that fails',
      files: { 'beside.mjs': `console.error('in use'); process.exit(2);` },
      problem: 'node beside.mjs ended with 2: in use',
    },
    {
      fault: 'needs to write beside its volume',
      files: { 'bot.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('new.txt', '');${BOT}` },
      problem: 'EACCES',
    },
  ])('are found wanting when the program $fault', async ({ files, problem, startMs }) => {
    expect((await startSmall(files, SMALL, startMs)).problems).toContain(problem);
  });

  // Only root can run the steps as a user without a name.
  it.runIf(process.getuid?.() === 0)(
    'are found wanting when the program asks for the name of its user',
    async () => {
      const files = { 'bot.mjs': `import { userInfo } from 'node:os'; userInfo();${BOT}` };
      expect((await startSmall(files)).problems).toContain('uv_os_get_passwd');
    },
  );

  it('are found wanting when a launcher stays between the signals and the program', async () => {
    const dockerfile = SMALL.replace('"--max-semi-space-size=32", ', '');
    expect((await startSmall({}, dockerfile)).problems).toContain('flags of `npm start`');
  });

  it('have the defaults of their build arguments, and keep what the image sets', async () => {
    const dockerfile = SMALL.replace(
      'RUN echo built',
      'ENV KEPT=yes\nARG COMMIT\nARG WHEN=today\nARG KEPT=no\nRUN echo "commit=$COMMIT $WHEN $KEPT"',
    );
    const { built, problems } = await startSmall({}, dockerfile);
    expect(problems).toBe('');
    expect(readFileSync(join(built.root, 'app/built.txt'), 'utf8')).toBe('commit= today yes\n');
  });

  it('fail on a file that is not there, and on a command that fails', async () => {
    await expect(startSmall({}, SMALL.replace('COPY . .', 'COPY none.txt .'))).rejects.toThrow(
      'COPY none.txt',
    );
    await expect(startSmall({}, SMALL.replace('echo built', 'false'))).rejects.toThrow('Command failed');
  });
});

it.runIf(process.platform === 'linux')('a library that Node needs is missed in the image', () => {
  const built = { root: dirname(ROOT), workdir: basename(ROOT), debianPackages: ['libatomic1'] };
  expect(libraryProblems(built)).toEqual([]);
  expect(libraryProblems({ ...built, debianPackages: [] })).toContainEqual(
    expect.stringMatching(/bin\/node needs libatomic\.so\.1, which no step installs/),
  );
});

describe.each(['deploy/compose.one.yml', 'deploy/compose.many.yml'])('%s', (path) => {
  it('has no problem', () => {
    expect(composeProblems(path, read(path), VARIABLES)).toEqual([]);
  });

  it.each([
    ['FINCLAW_DATA_DIR:', 'FINCLAW_DATA_DRI:', 'FINCLAW_DATA_DRI'],
    [/FINCLAW_DATA_DIR: .*/, 'FINCLAW_DATA_DIR: ./data', 'outside the volume'],
    [/(- data|\['backups):\/data/, '$1:/elsewhere', 'backups in memory'],
    ['read_only: true', 'read_only: false', 'set read_only'],
    ['cap_drop: [ALL]', 'cap_drop: [NET_RAW]', 'drop ALL'],
    ['no-new-privileges:true', 'seccomp=unconfined', 'no-new-privileges'],
    ['stop_grace_period: 30s', 'stop_grace_period: 5s', '30 seconds'],
    [
      'init: true',
      "init: true\n    ports: ['8080:8080']".replaceAll('    ', path.includes('one') ? '    ' : '  '),
      'other machines',
    ],
    ['init: true', 'privileged: true', 'is privileged'],
    ['restart: unless-stopped', '', 'set restart'],
    ['/tmp:mode', '/temp:mode', 'no /tmp'],
    [/^volumes:[^]*$/m, '', 'not declared'],
  ])('is refused with %s as %s', (right, wrong, problem) => {
    expect(composeProblems(path, planted(path, right, wrong), VARIABLES).join('\n')).toContain(problem);
  });
});

it('compose.many.yml starts one gateway and two workers, and waits for the database', () => {
  const text = read('deploy/compose.many.yml');
  expect([...text.matchAll(/FINCLAW_ROLE: (\w+)/gu)].map(([, role]) => role)).toEqual(['gateway', 'worker']);
  expect(text).toMatch(/worker:\s[^]*replicas: 2/);
  const broken = text.replace('\n  postgres:\n', '\n  database:\n').replace('healthcheck:', 'x-healthcheck:');
  expect(composeProblems('compose', text.replace('--host, 127.0.0.1, ', ''), VARIABLES).join('\n')).toContain(
    'healthy before its first start',
  );
  const problems = composeProblems('compose', broken, VARIABLES).join('\n');
  expect(problems).toContain('gateway waits for postgres, which is not there');
  expect(problems).toContain('database has no health check');
});

const check = (text: string) => checkUnit(text, ROOT, temporaryDir());
const isAnalysed = spawnSync('systemd-analyze', ['--version']).error === undefined;

describe('the unit of systemd', () => {
  it('has no problem', () => {
    expect(check(read('deploy/finclaw.service'))).toEqual({ problems: [], isAnalysed });
  });

  it.each([
    ['Restart=on-failure', 'Restart=no', 'not started again'],
    ['MemoryDenyWriteExecute=no', 'MemoryDenyWriteExecute=yes', 'V8'],
    [' AF_INET6', '', 'cannot reach the network'],
  ])('is refused with %s as %s', (right, wrong, problem) => {
    expect(check(planted('deploy/finclaw.service', right, wrong)).problems.join('\n')).toContain(problem);
  });

  it.runIf(isAnalysed).each([
    [
      /(?<=# A user of its own[^]*)^(?:Protect|Private|Restrict(?!Addr)|System|NoNew|Cap|Dynamic).*\n/gm,
      '',
      'exposure level',
    ],
    ['/opt/finclaw/node_modules/.bin/node', '/opt/finclaw/no-node', 'not executable'],
    ['Type=exec', 'Type=exact', 'service type'],
  ])('is refused by systemd with %s as %s', (right, wrong, problem) => {
    expect(check(planted('deploy/finclaw.service', right, wrong)).problems.join('\n')).toContain(problem);
  });
});
