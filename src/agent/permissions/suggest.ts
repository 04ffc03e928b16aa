/** How wide a rule is offered where somebody is asked and may answer "always": two words of a command, a folder, a host. */
import { isObject } from '../../model/index.ts';
import { decide } from './decide.ts';
import { below } from './path-names.ts';
import { readRule } from './rule.ts';
import { loadShell, readShell } from './shell.ts';
import type { AskedCall, Circumstances } from './situation.ts';
import { kindOf, properName } from './tool-names.ts';
import { hostOf } from './web.ts';

/** Programs that run what their arguments say: a rule for any argument would allow everything. */
const anything =
	/^(bash|sh|zsh|dash|ksh|fish|eval|exec|source|\.|sudo|doas|su|env|xargs|nohup|nice|timeout|time|stdbuf|command|builtin|ssh|awk|perl|ruby|node|deno|bun|bunx|npx|pnpx|uvx|python[\d.]*|php|lua|osascript|find|parallel|watch|strace|docker|podman|kubectl)$/;

/** Their second word runs what the third one says, in programs of many kinds: with any third word, that is anything. */
const runs = /^(run|run-script|exec|dlx|x)$/;
/** What these run is a script of the project's own, by its name. */
const ofScripts = /^(npm|pnpm|yarn)$/;
const isPlain = (word: string | undefined): word is string => word !== undefined && /^[a-z][\w:-]*$/i.test(word);

/** Undefined where no rule would change the answer: a rule that is offered allows the call it was offered for. */
export async function suggestRule(call: AskedCall, circumstances: Circumstances): Promise<string | undefined> {
	for (const text of await candidates(call, circumstances))
		if (await ruleAllows(text, call, circumstances)) return text;
	return undefined;
}

/** With this rule, beside those that there are, nobody would have been asked. */
export async function ruleAllows(text: string, call: AskedCall, circumstances: Circumstances): Promise<boolean> {
	const read = readRule(text, 'allow');
	if ('problem' in read) return false;
	const { rules } = circumstances;
	const judged = await decide(call, { ...circumstances, rules: { ...rules, allow: [...rules.allow, read.rule] } });
	return judged.decision === 'allow';
}

async function candidates({ tool, input }: AskedCall, circumstances: Circumstances): Promise<readonly string[]> {
	const { cwd, shellFolder = cwd, home, files } = circumstances;
	const name = properName(tool);
	const fields = isObject(input) ? input : {};
	switch (kindOf(name)) {
		case 'shell':
			return typeof fields.command === 'string' ? await forCommand(fields.command, shellFolder, home) : [];
		case 'read':
		case 'search':
			return pathOf(fields.file_path ?? fields.path).map((path) => {
				const whole = files.kind(path) === 'folder' ? path : path.replace(/\/[^/]*$/, '');
				// Beside the file is everything else that the machine has.
				if (whole === '' || whole === '/') return `Read(/${escapedPath(path)})`;
				return `Read(/${escapedPath(whole)}/**)`;
			});
		case 'write':
			return pathOf(fields.file_path ?? fields.notebook_path).map((path) => {
				const inside = below(cwd, path);
				return `Edit(/${escapedPath(inside ?? path)})`;
			});
		case 'fetch':
			return typeof fields.url === 'string' && URL.canParse(fields.url)
				? [`WebFetch(domain:${hostOf(new URL(fields.url))})`]
				: [];
		case 'skill':
			return typeof fields.skill === 'string' ? [`Skill(${fields.skill})`] : [];
		default:
			return [name];
	}

	function pathOf(given: unknown): readonly string[] {
		if (typeof given !== 'string' || given === '') return [];
		const path = files.real(given.startsWith('/') ? given : `${shellFolder}/${given}`);
		return path === undefined ? [] : [path];
	}
}

/** The first two words with anything behind them, as in `npm test *`, or three, as in `npm run build *`; the whole command where that would say too much. */
async function forCommand(text: string, folder: string, home: string): Promise<readonly string[]> {
	await loadShell();
	const { commands, text: whole } = readShell(text, [folder], home);
	const [command, ...others] = commands;
	if (others.length > 0 || !command || command.assignments.length > 0) return [`Bash(${escaped(whole)})`];
	const [program, verb, script] = command.words.map(({ raw }) => raw);
	const exact = `Bash(${escaped(command.words.map(({ raw }) => raw).join(' '))})`;
	if (program === undefined || anything.test(program)) return [exact];
	if (!isPlain(verb)) return [exact];
	if (!runs.test(verb)) return [`Bash(${escaped(`${program} ${verb}`)} *)`, exact];
	const isScript = ofScripts.test(program) && verb.startsWith('run') && isPlain(script);
	return isScript ? [`Bash(${escaped(`${program} ${verb} ${script}`)} *)`, exact] : [exact];
}

function escapedPath(path: string): string {
	return path.replaceAll(/[*?[\]\\]/g, '\\$&');
}

function escaped(text: string): string {
	return text.replaceAll(/[\\*]/g, '\\$&');
}
