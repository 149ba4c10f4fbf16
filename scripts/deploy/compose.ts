import { parse } from 'yaml';

interface Service {
  readonly image?: string;
  readonly build?: unknown;
  readonly ports?: readonly unknown[];
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly env_file?: unknown;
  readonly volumes?: readonly unknown[];
  readonly tmpfs?: string | readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly healthcheck?: unknown;
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly privileged?: boolean;
  readonly restart?: string;
}

interface ComposeFile {
  readonly services?: Readonly<Record<string, Service>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

/** The mount that a volume or a tmpfs has in the container. */
const mountsOf = ({ volumes = [], tmpfs = [] }: Service): readonly string[] => [
  ...volumes.map((volume) => String(volume).split(':')[1] ?? ''),
  ...[tmpfs].flat().map((mount) => mount.split(':')[0] ?? ''),
];

const programProblems = (service: Service, variables: ReadonlySet<string>): readonly string[] => {
  const unknown = Object.keys(service.environment ?? {}).filter((name) => !variables.has(name));
  const rules: readonly (readonly [isBroken: boolean, problem: string])[] = [
    [unknown.length > 0, `sets ${unknown.join(', ')}, which FinClaw does not know`],
    [
      !/^(?:\/data|\$\{FINCLAW_DATA_DIR:-\/data\})$/.test(String(service.environment?.['FINCLAW_DATA_DIR'])),
      'may keep its data outside the volume, as an .env says: set FINCLAW_DATA_DIR',
    ],
    [service.read_only !== true, 'can write to the image: set read_only'],
    [!service.cap_drop?.includes('ALL'), 'keeps capabilities: drop ALL'],
    [!mountsOf(service).includes('/data'), 'has no place for /data'],
    [!mountsOf(service).includes('/tmp'), 'has no /tmp to write to'],
    [
      ![service.volumes ?? []].flat().some((volume) => /:\/data(?:\/backups)?$/.test(String(volume))),
      'keeps its backups in memory: mount a volume at /data/backups',
    ],
    [
      Number.parseInt(service.stop_grace_period ?? '', 10) < 30 || service.stop_grace_period === undefined,
      'gets less than 30 seconds to stop',
    ],
    [service.env_file === undefined, 'gets no tokens: set env_file'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, problem]) => problem);
};

/** What is wrong with a compose file. `variables` are those of the configuration. */
export const composeProblems = (
  path: string,
  text: string,
  variables: ReadonlySet<string>,
): readonly string[] => {
  const file = parse(text, { merge: true }) as ComposeFile;
  const services = Object.entries(file.services ?? {});
  const programs = services.filter(([, { build }]) => build !== undefined);
  const problems = programs.length === 0 ? ['has no service that is built from this repository'] : [];
  for (const [name, service] of services) {
    const isProgram = service.build !== undefined;
    const open = (service.ports ?? []).map(String).filter((port) => !port.startsWith('127.0.0.1:'));
    const waitsFor = Object.keys(service.depends_on ?? {}).filter((each) => !file.services?.[each]);
    const named = (service.volumes ?? []).map((volume) => String(volume).split(':')[0] ?? '');
    const undeclared = named.filter(
      (volume) => /^\w/.test(volume) && !Object.hasOwn(file.volumes ?? {}, volume),
    );
    const rules: readonly (readonly [isBroken: boolean, problem: string])[] = [
      [open.length > 0, `opens ${open.join(', ')} to other machines: begin it with 127.0.0.1:`],
      [service.privileged === true, 'is privileged'],
      [
        !service.security_opt?.includes('no-new-privileges:true'),
        'may gain privileges: set no-new-privileges:true',
      ],
      // The image of FinClaw has a health check.
      [!isProgram && service.healthcheck === undefined, 'has no health check'],
      [service.restart === undefined, 'is not started again after a failure: set restart'],
      [!isProgram && !/:\d/.test(service.image ?? ''), 'has an image without a version'],
      [
        /\bpg_isready\b(?!.*--host)/.test(JSON.stringify(service.healthcheck ?? '')),
        'is healthy before its first start is over: ask pg_isready with --host',
      ],
      [waitsFor.length > 0, `waits for ${waitsFor.join(', ')}, which is not there`],
      [undeclared.length > 0, `mounts ${undeclared.join(', ')}, which is not declared`],
    ];
    const found = rules.filter(([isBroken]) => isBroken).map(([, problem]) => problem);
    problems.push(
      ...[...found, ...(isProgram ? programProblems(service, variables) : [])].map(
        (problem) => `${name} ${problem}`,
      ),
    );
  }
  // The others are read by compose itself, for the database.
  const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  for (const name of asked)
    if (!variables.has(name) && name !== 'POSTGRES_PASSWORD')
      problems.push(`reads \${${name}}, which nobody sets`);
  return [...new Set(problems)].map((problem) => `${path}: ${problem}`);
};
