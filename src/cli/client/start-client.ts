/** When `reprise` opens the console and when it answers once, and when the console is plain lines (--plain, TERM=dumb, ACCESSIBLE=1, its setting). */
import type { PlainQuestions } from '../../console/plain.ts';
import { complain } from '../../terminal/prose.ts';
import type { ExitCode } from '../main.ts';
import { version } from '../version.ts';
import type { CommandOptions } from './client-flags.ts';
import { understood } from './host-options.ts';

export async function runClient(words: string, given: CommandOptions): Promise<ExitCode> {
	const { options, notes } = understood(given);
	if (opensConsole(options)) return await openConsole(words, options);
	const { answerPrompts } = await import('./client-run.ts');
	return await answerPrompts(words, options, notes);
}

/** Whoever types at a terminal and does not ask for one answer alone wants to go on talking. */
function opensConsole({ print, outputFormat, inputFormat }: CommandOptions): boolean {
	const answersOnce = print || outputFormat !== undefined || inputFormat !== undefined;
	return !answersOnce && process.stdin.isTTY === true && process.stdout.isTTY === true;
}

async function openConsole(words: string, options: CommandOptions): Promise<ExitCode> {
	const prompt = words.trim() === '' ? undefined : words.trim();
	const setup = { options, prompt, version: version() };
	const { readConsoleSettings } = await import('../../console/settings.ts');
	const { thisMachine } = await import('../../store/find/folders.ts');
	const found = readConsoleSettings(thisMachine());
	const isPlain = options.plain || process.env.TERM === 'dumb' || process.env.ACCESSIBLE === '1';
	if (isPlain || found.settings.accessible) {
		for (const note of found.notes) complain(note);
		const { runPlain } = await import('../../console/plain.ts');
		return (await runPlain(setup, await plainQuestions())) as ExitCode;
	}
	const { runConsole } = await import('../../console/console.ts');
	return (await runConsole(setup, found)) as ExitCode;
}

async function plainQuestions(): Promise<PlainQuestions> {
	const { askGoesOn, askLine, askPrompt, oneQuestion, outsideQuestions } = await import('../ask/ask.ts');
	const { elicitOnTerminal } = await import('../ask/ask-elicitation.ts');
	const { askOnTerminal } = await import('../ask/ask-permission.ts');
	const { askTrust } = await import('../ask/ask-trust.ts');
	return {
		prompt: askPrompt,
		line: askLine,
		outside: outsideQuestions,
		trusts: (cwd, waiting) => oneQuestion(() => askTrust(cwd, waiting)),
		attend: (cwd, mode) => ({ ask: askOnTerminal(cwd, mode), elicit: elicitOnTerminal }),
		goesOn: (what) => oneQuestion(() => askGoesOn(what)),
	};
}
