import SCRIPTS from '../../bin/scripts.json' with { type: 'json' };

const COMMAND = /\bnpm (?:start\b|run (?:--silent )?([a-z]+(?::[a-z]+)?)(?: --(?= ))?)/g;

/** A text of the repository that tells a person what to run, in the words of the package. Throws if it lacks the script. */
export const packagedText = (text: string): string =>
  text.replaceAll(COMMAND, (typed, script: string | undefined) => {
    if (script === undefined) return 'finclaw';
    const name = script.replace(':', '-');
    if (!Object.hasOwn(SCRIPTS, name)) throw new Error(`The package has no script for: ${typed}`);
    return `finclaw ${name}`;
  });
