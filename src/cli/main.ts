/** The command line: whether the arguments are a command or a prompt, `--debug` and `--no-color`, and which error gives which exit code (0, 1, 2, 3, 130). */
import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { asLogError, LogError } from '../log/errors.ts';
import { InputError } from '../store/errors.ts';
import { endOnLostOutput } from '../terminal/closed-pipe.ts';
import { muteLibraries } from '../terminal/mute-libraries.ts';
import { complain, prose } from '../terminal/prose.ts';
import { printPart, tellPart } from '../terminal/writer.ts';
import { commandGroups, commands, otherNames } from './commands.ts';
import { fittingItem, groupedHelp, seeHelp, tellUsage } from './help.ts';
import { version } from './version.ts';

/** 0 done, 1 the input is at fault, 2 wrong usage, 3 provider, network or disk, 130 interrupted; 129 and 143 a prompt that SIGHUP or SIGTERM ended. */
export type ExitCode = 0 | 1 | 2 | 3 | 129 | 130 | 143;

export async function main(given: readonly string[]): Promise<number> {
	if (!process.stdout.listeners('error').includes(endOnLostOutput)) process.stdout.on('error', endOnLostOutput);
	let told: (said: string) => void = () => undefined;
	muteLibraries((said) => told(said));
	const coloured = without(given, '--no-color');
	if (coloured !== given) process.env.NO_COLOR = '1';
	const { args, log } = logWanted(coloured);
	if (log === undefined) return await perform(args);
	const { startDebug, endDebug, debug } = await import('./debug.ts');
	complain(begun(() => startDebug(args, log)));
	told = (said) => debug('library', { said });
	try {
		const code = await perform(args, (error) => debug('error', { error }));
		debug('end', { code });
		return code;
	} finally {
		endDebug();
	}
}

/** A log that cannot be written is no reason not to do the work. */
function begun(start: () => string): string {
	try {
		return `logging to ${start()}`;
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		return `no log is written: ${error.message}`;
	}
}

/** Where the log goes: a file, the usual place where that is empty, nowhere where it is undefined. Hosts have more words for it. */
function logWanted(given: readonly string[]): { readonly args: readonly string[]; readonly log?: string } {
	const end = given.indexOf('--');
	const flag = given.findIndex((arg) => /^--debug(-file|-to-stderr)?(=|$)/.test(arg));
	if (flag === -1 || (end !== -1 && flag > end)) return { args: given };
	const [name = '', value] = (given[flag] ?? '').split(/=(.*)/s);
	if (name !== '--debug-file') return { args: given.toSpliced(flag, 1), log: name === '--debug' ? '' : '/dev/stderr' };
	return { args: given.toSpliced(flag, value === undefined ? 2 : 1), log: value ?? given[flag + 1] ?? '' };
}

/** The same arguments when the flag is not among them. Behind `--` it would be no flag. */
function without(args: readonly string[], flag: string): readonly string[] {
	const end = args.indexOf('--');
	const at = args.indexOf(flag);
	return at === -1 || (end !== -1 && at > end) ? args : args.toSpliced(at, 1);
}

async function perform(args: readonly string[], failed?: (error: unknown) => void): Promise<ExitCode> {
	const outcome: { code: ExitCode } = { code: 0 };
	if (args.length === 0 && !(process.stdin.isTTY && process.stdout.isTTY)) {
		await (await import('./welcome.ts')).welcome();
		return 0;
	}
	const [first = ''] = args;
	const meant = first in commands ? undefined : otherNames[first];
	if (meant !== undefined && !isPrompt(args)) {
		complain(`there is no command ${first}; did you mean reprise ${meant}? (see reprise --help)`);
		return 2;
	}
	const topic = helpTopic(args);
	if (topic !== '' && topic !== 'help' && !(topic in commands)) {
		const { nearNames } = await import('../client/commands/called.ts');
		const known = otherNames[topic] ?? nearNames(topic, Object.keys(commands))[0];
		const near = known === undefined ? '' : `; did you mean reprise ${known in commands ? 'help ' : ''}${known}?`;
		complain(`there is no command ${topic}${near} (see reprise --help)`);
		return 2;
	}
	const program = await buildProgram(args, outcome);
	try {
		await program.parseAsync([...args], { from: 'user' });
		return outcome.code;
	} catch (error) {
		failed?.(error);
		return exitCodeOf(error, first in commands ? first : undefined);
	}
}

/** The command that somebody wants to be told about: `help NAME`, or `NAME --help`. Several words are a prompt. */
function helpTopic([first = '', second = '', ...more]: readonly string[]): string {
	const isHelp = (arg: string): boolean => arg === '-h' || arg === '--help';
	const topic = first === 'help' ? second : [second, ...more].some(isHelp) ? first : '';
	return topic.startsWith('-') || /\s/.test(topic) ? '' : topic;
}

/** Only the command that is asked for is loaded; the others are listed by name. */
export async function buildProgram(args: readonly string[], outcome: { code: ExitCode }): Promise<Command> {
	const program = new Command('reprise')
		.usage('COMMAND …\n       reprise [flags] -p "what to do"')
		.description('Find, read, price, continue and move the sessions of your coding agents. Nothing is lost.')
		.version(version(), '-v, --version')
		.option('--debug', 'with any command: write a log, and link it as debug/latest in the data folder')
		.option('--no-color', 'with any command: no colours, as with NO_COLOR=1 in the environment')
		.commandsGroup(commandGroups.at(-1) ?? '')
		.helpCommand('help [command]', 'what a command does')
		// Behind a command nothing is ours: -v may begin a word that is searched for.
		.enablePositionalOptions()
		.configureHelp({ formatHelp: groupedHelp, formatItem: fittingItem })
		.configureOutput(outputFor(undefined, args))
		.exitOverride();
	const [first] = args;
	const asked = args.find((arg) => !arg.startsWith('-') && arg !== 'help');
	if (isPrompt(args)) {
		(await import('./client/client-flags.ts')).defineClient(program, outcome);
		return program;
	}
	// Whoever looks for help wants to see both: what can be done with sessions, and the flags of the client.
	if (first === undefined || !(first in commands)) (await import('./client/client-flags.ts')).clientOptions(program);
	for (const [name, entry] of Object.entries(commands)) {
		const command = program.command(name).helpGroup(entry.group).description(entry.summary).exitOverride();
		command.configureHelp({ formatItem: fittingItem }).configureOutput(outputFor(name));
		if (name === asked) (await entry.load())(command, outcome);
	}
	return program;
}

/** Everything goes through the one way to stdout and stderr; `name`: the command that errors are about. */
function outputFor(name: string | undefined, given: readonly string[] = []): OutputConfiguration {
	const writeOut = (text: string) => printPart(prose(text, process.stdout.columns));
	return { writeOut, writeErr: tellPart, outputError: (text) => tellUsage(text, name, given) };
}

/** Flags of the client that say by themselves that a prompt is meant, wherever they stand. */
const clientFlags = /^(-[pcr]|--(print|continue|resume|model|script|session-format|input-format|output-format))(=|$)/;

/** A single word that is no command is more likely a slip of the hand than a prompt. */
function isPrompt(args: readonly string[]): boolean {
	const [first] = args;
	if (first === undefined) return true;
	if (first in commands || first === 'help') return false;
	if (args.some((arg) => /^(-h|--help|-v|--version)$/.test(arg))) return false;
	// Commands come before their flags, so a flag at the start is the client's.
	return first.startsWith('-') || /\s/.test(first) || args.some((arg) => clientFlags.test(arg));
}

function exitCodeOf(error: unknown, name: string | undefined): ExitCode {
	if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
	if (error instanceof InputError) {
		const usage = error.rule === 'usage';
		complain(usage ? `${error.message} (${seeHelp(name)})` : error.message);
		return usage ? 2 : 1;
	}
	if (error instanceof LogError) {
		complain(error.message);
		return error.fault === 'conflict' || error.fault === 'held' ? 1 : 3;
	}
	if (error instanceof Error && 'code' in error && 'syscall' in error) {
		const refused = 'path' in error && /^(EACCES|EPERM)$/.test(String(error.code));
		complain(refused ? asLogError(String(error.path), String(error.syscall), error).message : error.message);
		return 3;
	}
	if (error instanceof RangeError && error.message.includes('call stack')) {
		complain('the session holds values that are nested too deeply for this command');
		return 1;
	}
	// A mistake of ours. Node would print it raw, and what it says may be quoted from a session.
	complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
	return 1;
}
