/** The console in plain lines, for screen readers and simple terminals: its wording, how a session is chosen, and how many are listed. When it is used: cli/client/start-client.ts. */
import type { PermissionMode } from '../agent/contracts.ts';
import type { Attendants } from '../client/setup.ts';
import { sessionWord } from '../store/find/session-names.ts';
import { oneLine } from '../terminal/print.ts';
import { print } from '../terminal/writer.ts';
import { Leaving } from './background.ts';
import { type Beginning, beginClient, type ConsoleSetup } from './begin.ts';
import { keepInHistory } from './composer/history.ts';
import { Controller } from './controller.ts';
import { plainCommands } from './own-commands.ts';
import { factsOf } from './screens/sessions.ts';
import type { Surface } from './surface.ts';
import { plainTheme } from './theme.ts';

/** Questions on a line, as the command line asks them. */
export interface PlainQuestions extends Pick<Beginning, 'trusts' | 'goesOn'> {
	/** What is said to the model, or a command. Undefined: the input has ended. */
	prompt(question: string): Promise<string | undefined>;
	/** Undefined: the input has ended. */
	line(question: string): Promise<string | undefined>;
	/** Shows something when no question is open. */
	outside(show: () => void): void;
	attend(cwd: string, mode: () => PermissionMode): Attendants;
}

/** Asked anew for each block: the window may be another by then. */
const widthNow = (): number => process.stdout.columns || 80;

export async function runPlain(setup: ConsoleSetup, questions: PlainQuestions): Promise<number> {
	const controller = new Controller({ theme: plainTheme, keyless: true });
	controller.drawOn(plainSurface(questions));
	const interrupt = (): void => controller.interrupt();
	process.on('SIGINT', interrupt);
	try {
		const client = await beginClient(setup, {
			...questions,
			chooses: (cwd) => chooses(cwd, questions),
			listener: controller.listener,
			attend: (session, mode) => questions.attend(session.cwd, mode),
		});
		if (!client) return 1;
		await using _closed = client;
		controller.client = client;
		let isLeft = false;
		const leaving = new Leaving(
			() => client,
			(text) => controller.dispatch({ type: 'note', text }),
		);
		controller.own = plainCommands({
			controller,
			exit() {
				isLeft = leaving.isMeant();
			},
		});
		const { handle, cwd } = client.station().session;
		if (handle.leaf !== null) await controller.showStored(handle.path);
		print('Type a prompt and Enter. /help lists the commands, /exit leaves, Ctrl-C stops an answer.');
		if (setup.prompt !== undefined) {
			print(`> ${oneLine(setup.prompt)}`);
			await controller.send(setup.prompt);
		}
		while (!isLeft) {
			const line = await questions.prompt('> ');
			if (line === undefined) break;
			if (line.trim() === '') continue;
			keepInHistory(line, cwd, Date.now());
			await controller.send(line);
		}
		await client.leave('prompt_input_exit');
		const left = client.station().session.handle;
		if (left.leaf !== null)
			print(`Resume this session with: reprise -r ${sessionWord({ id: left.session.id, path: left.path })}`);
		return 0;
	} finally {
		process.off('SIGINT', interrupt);
	}
}

const mostListed = 20;

async function chooses(cwd: string, { line }: PlainQuestions): Promise<string | 'new' | undefined> {
	const { sessionsFor } = await import('./pickers/resume.ts');
	const all = sessionsFor({ cwd });
	const here = all.filter((one) => one.here);
	const listed = (here.length === 0 ? all : here).slice(0, mostListed);
	print('0. New session');
	for (const [at, one] of listed.entries())
		print(`${at + 1}. ${oneLine(one.title ?? '(no title)')} · ${factsOf(one, Date.now())}`);
	if (all.length > listed.length)
		print(`… ${all.length - listed.length} more, here or elsewhere: reprise ls --all lists them`);
	for (;;) {
		const typed = await line('Number of the session, or the beginning of its id or title: ');
		if (typed === undefined || typed === '') return undefined;
		if (typed === '0') return 'new';
		const found = /^\d{1,2}$/.test(typed) ? listed[Number(typed) - 1]?.path : undefined;
		const named = all.filter(({ id, title }) => id.startsWith(typed) || title?.startsWith(typed) === true);
		const path = found ?? (named.length === 1 ? named[0]?.path : undefined);
		if (path !== undefined) return path;
		print(named.length > 1 ? `${named.length} sessions begin with that.` : 'No session begins with that.');
	}
}

function plainSurface({ outside }: PlainQuestions): Surface {
	return {
		append: (rows) => outside(() => print(rows(widthNow()).slice(1).join('\n'))),
		draw: () => undefined,
		text: '',
		get size() {
			return { width: widthNow(), height: 24 };
		},
		remember: () => undefined,
	};
}
