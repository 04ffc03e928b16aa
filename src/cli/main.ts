/** The command line: finds the command, runs it, and turns what happens into an exit code. */
import { Command, CommanderError } from 'commander';
import { LogError } from '../log/errors.ts';
import { InputError } from '../store/errors.ts';
import { commands } from './commands.ts';
import { version } from './version.ts';

/** 0 done, 1 the input is at fault, 2 wrong usage, 3 provider, network or disk, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

export async function main(args: readonly string[]): Promise<number> {
	if (!process.stdout.listeners('error').includes(endQuietlyOnClosedPipe)) {
		process.stdout.on('error', endQuietlyOnClosedPipe);
	}
	const outcome: { code: ExitCode } = { code: 0 };
	const program = await buildProgram(args, outcome);
	try {
		await program.parseAsync([...args], { from: 'user' });
		return outcome.code;
	} catch (error) {
		return exitCodeOf(error);
	}
}

/** Only the command that is asked for is loaded; the others are listed by name. */
export async function buildProgram(args: readonly string[], outcome: { code: ExitCode }): Promise<Command> {
	const program = new Command('reprise')
		.description('Sessions of coding agents: open, check, search, continue, convert. Nothing is lost.')
		.version(version(), '-v, --version')
		.helpCommand('help [command]', 'what a command does')
		.showHelpAfterError('(reprise --help lists the commands)')
		.exitOverride();
	const asked = args.find((arg) => !arg.startsWith('-') && arg !== 'help');
	if (isPrompt(args, asked)) {
		const [{ defineClient }, choices] = await Promise.all([import('./client.ts'), import('./choices.ts')]);
		defineClient(program, outcome, choices);
		return program;
	}
	for (const [name, entry] of Object.entries(commands)) {
		const command = program.command(name).description(entry.summary).exitOverride();
		if (name === asked) (await entry.load())(command, outcome);
	}
	return program;
}

/** Flags of the client that say by themselves that a prompt follows, not a command. */
const clientFlags = /^(-[pcr]|--(print|continue|resume|model|script|session-format|input-format|output-format))(=|$)/;

/** A single word that is no command is more likely a slip of the hand than a prompt. */
function isPrompt(args: readonly string[], asked: string | undefined): boolean {
	const [first] = args;
	if (first !== undefined && (first in commands || first === 'help')) return false;
	if (args.some((arg) => clientFlags.test(arg))) return true;
	return asked !== undefined && asked === first && /\s/.test(asked);
}

function exitCodeOf(error: unknown): ExitCode {
	if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
	if (error instanceof InputError) {
		process.stderr.write(`reprise: ${error.message}\n`);
		return 1;
	}
	if (error instanceof LogError) {
		process.stderr.write(`reprise: ${error.message}\n`);
		return error.fault === 'conflict' || error.fault === 'held' ? 1 : 3;
	}
	if (error instanceof Error && 'code' in error && 'syscall' in error) {
		process.stderr.write(`reprise: ${error.message}\n`);
		return 3;
	}
	throw error;
}

/** `reprise … | head` closes the pipe when it has seen enough. */
function endQuietlyOnClosedPipe(error: NodeJS.ErrnoException): void {
	if (error.code === 'EPIPE') process.exit(0);
	throw error;
}
