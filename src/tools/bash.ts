/** Bash: a shell command, with what it prints while it runs. */
import { z } from 'zod';
import type { ToolContext } from '../agent/contracts.ts';
import { defineTool } from './define.ts';
import { problem, said } from './files.ts';

const longest = 600_000;
const usual = 120_000;
/** What the model gets of a long output: its beginning and its end. */
const mostCharacters = 30_000;
/** What is kept of it at all. */
const mostKept = 1_000_000;
const firstProgress = 2000;
const nextProgress = 1000;

const input = z.object({
	command: z.string().min(1).describe('The command line'),
	description: z.string().optional().describe('What it does, in a few words'),
	timeout: z.number().int().min(1).max(longest).optional().describe(`Milliseconds; ${usual} where it is left out`),
});

export const bash = defineTool({
	name: 'Bash',
	description: `Runs a command line with bash in the working folder. Every call starts there anew; nothing is typed into it. Output beyond ${mostCharacters} characters is cut in the middle.`,
	effect: 'exec',
	input,
	subjects: ({ command }) => [command],
	async run({ command, timeout = usual }, context) {
		const { output, exit } = await collect(command, timeout, context);
		const stdout = output.text('stdout');
		const stderr = output.text('stderr');
		const interrupted = context.signal.aborted;
		const printed = [stdout, stderr].map((text) => text.replace(/\n+$/, '')).filter((text) => text !== '');
		const text = shortened(printed.join('\n'));
		if (interrupted) return problem(joined('The user interrupted the command.', text));
		if (exit.timedOut) return problem(joined(`The command did not end within ${timeout} ms and was stopped.`, text));
		if (exit.code !== 0) return problem(joined(`Exit code ${exit.code ?? exit.signal ?? 'unknown'}`, text));
		return said(text === '' ? '(no output)' : text, {
			stdout: shortened(stdout),
			stderr: shortened(stderr),
			interrupted,
			isImage: false,
		});
	},
});

interface Exit {
	readonly code: number | null;
	readonly signal?: string;
	readonly timedOut?: boolean;
}

async function collect(
	command: string,
	timeoutMs: number,
	context: ToolContext,
): Promise<{ output: Output; exit: Exit }> {
	const { host, cwd, signal } = context;
	const output = new Output();
	const began = host.now();
	let nextAt = began + firstProgress;
	for await (const event of host.run({ command, cwd, timeoutMs }, signal)) {
		if (event.type === 'exit') return { output, exit: event };
		output.add(event.from, event.text);
		const now = host.now();
		if (now < nextAt) continue;
		nextAt = now + nextProgress;
		context.update({
			type: 'bash_progress',
			...output.progress(),
			elapsedTimeSeconds: Math.round((now - began) / 1000),
		});
	}
	return { output, exit: { code: null } };
}

class Output {
	readonly #texts = { stdout: '', stderr: '' };
	#all = '';
	#shown = 0;

	add(from: 'stdout' | 'stderr', text: string): void {
		this.#texts[from] = kept(this.#texts[from] + text);
		this.#all = kept(this.#all + text);
	}

	text(from: 'stdout' | 'stderr'): string {
		return this.#texts[from];
	}

	progress() {
		const output = this.#all.slice(this.#shown);
		this.#shown = this.#all.length;
		const totalLines = this.#all.split('\n').length;
		return { output: shortened(output), fullOutput: shortened(this.#all), totalLines };
	}
}

/** A command that prints without end fills no memory: the middle of what it said goes. */
function kept(text: string): string {
	return text.length <= mostKept ? text : cut(text, mostKept / 2);
}

function shortened(text: string): string {
	return text.length <= mostCharacters ? text : cut(text, mostCharacters);
}

function cut(text: string, most: number): string {
	const half = Math.floor(most / 2);
	return `${text.slice(0, half)}\n… (${text.length - 2 * half} characters left out) …\n${text.slice(-half)}`;
}

function joined(first: string, rest: string): string {
	return rest === '' ? first : `${first}\n${rest}`;
}
