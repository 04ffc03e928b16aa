/** `reprise` on a terminal from first frame to last: signals and exit codes, how long a run may take to end, after how long a wait its user is notified. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/client.ts';
import { builtins } from '../client/commands/builtins.ts';
import { workFolder } from '../client/folder-at.ts';
import { countedText } from '../export/count-text.ts';
import { gitBranchOf } from '../host/project/git-branch.ts';
import { plural } from '../model/index.ts';
import { thisMachine } from '../store/find/folders.ts';
import { projectAt } from '../store/find/project.ts';
import { agentOf } from '../store/find/session-files.ts';
import { sessionWord } from '../store/find/session-names.ts';
import { pageOnTerminal } from '../terminal/pager.ts';
import { folderText, oneLine } from '../terminal/print.ts';
import { print } from '../terminal/writer.ts';
import type { attendants } from './attend.ts';
import { Leaving } from './background.ts';
import type { Beginning, ConsoleSetup } from './begin.ts';
import { ProjectFiles } from './composer/completion.ts';
import { Draft, takeLostDrafts } from './composer/draft.ts';
import { readHistory } from './composer/history.ts';
import { editOutside } from './composer/outside-editor.ts';
import { Controller } from './controller.ts';
import { endings } from './endings.ts';
import { keyActions } from './key-actions.ts';
import { type Bindings, bindings } from './keys.ts';
import { ownCommands, ownNames } from './own-commands.ts';
import { pickPrompt } from './pickers/history.ts';
import { ChoiceDialog } from './screens/choice-dialog.ts';
import type { ConfigAnswer } from './screens/config.ts';
import type { HelpCommand } from './screens/help.ts';
import { trustScreen } from './screens/trust.ts';
import { type ConsoleSettings, type ReadSettings, saveConsoleSettings, settingsFile } from './settings.ts';
import { completions } from './shell/completions.ts';
import { ConsoleTerminal } from './shell/console-terminal.ts';
import { restoringAtExit } from './shell/restore.ts';
import { Shell } from './shell/shell.ts';
import type { Look } from './surface.ts';
import { chosenTheme } from './theme.ts';
import { blockRows } from './views/block.ts';
import { reportRows } from './views/rows.ts';

/** How long a run that is to end may take: what it has done is written meanwhile. */
const patienceMs = 2000;
/** How long input is waited for that nobody reads any more: at most, and after the last of it. */
const drainMs = 300;
const drainIdleMs = 40;
/** Whoever has waited so long for an answer may look elsewhere by now. */
const lookedAwayMs = 5000;
/** Turns that Ctrl-O shows whole. */
const turnsShownWhole = 20;
/** Turns that the full screen can scroll back to. */
const turnsScrolled = 200;

class Console {
	readonly #setup: ConsoleSetup;
	readonly #terminal = new ConsoleTerminal();
	readonly #controller: Controller;
	readonly #shell: Shell;
	#settings: ConsoleSettings;
	#keys: Bindings;
	#files: ProjectFiles | undefined;
	readonly #draft: Draft;
	readonly #over = Promise.withResolvers<number>();
	readonly #leaving = new Leaving(
		() => this.#controller.client,
		(text) => this.#controller.dispatch({ type: 'note', text }),
	);

	constructor(setup: ConsoleSetup, { settings, notes }: ReadSettings) {
		this.#setup = setup;
		this.#controller = new Controller(lookOf(settings));
		this.#settings = settings;
		this.#keys = bindings(settings.keys);
		for (const text of notes) this.#controller.dispatch({ type: 'note', text });
		const pressed = keyActions(this.#actions(), () => this.#keys);
		this.#shell = new Shell({
			terminal: this.#terminal,
			theme: () => this.#controller.look.theme,
			face: this.#controller.face,
			key: (key) => this.#controller.press(key, ({ name, text }) => pressed(name, text)),
			submitted: (text) => this.#controller.submit(text),
			changed: () => {
				if (this.#files) this.#controller.inBackground(this.#files.warm('typed'));
				this.#draft.changed();
			},
		});
		this.#draft = new Draft(workFolder(setup.options, process.cwd()), () => this.#shell.text);
	}

	/** Gives the code that the process ends with. */
	async run(): Promise<number> {
		using _restored = restoringAtExit();
		using _ended = endings({
			end: (code) => this.#over.resolve(code),
			replaced: (error) => this.#controller.failed(error),
		});
		this.#shell.bind(this.#keys);
		this.#shell.start();
		this.#controller.drawOn(this.#shell);
		using draft = this.#draft;
		if (takeLostDrafts(draft.cwd))
			this.#controller.dispatch({ type: 'note', text: 'A prompt was never sent: ↑ brings it back' });
		for (const text of readHistory(draft.cwd)) this.#shell.remember(text);
		let client: Client | undefined;
		try {
			const begun = await Promise.race([this.#openClient(), this.#over.promise]);
			if (begun === undefined || typeof begun === 'number') return begun ?? 1;
			client = begun;
			this.#controller.client = client;
			await this.#begun(client);
			const code = await this.#over.promise;
			this.#controller.stop();
			await Promise.race([this.#controller.idle, sleep(patienceMs, undefined, { ref: false })]);
			await client.leave('prompt_input_exit');
			return code;
		} finally {
			// The terminal's answers to what it was asked at the start would land in the user's shell.
			await this.#terminal.drainInput(drainMs, drainIdleMs);
			this.#shell.stop();
			process.stdin.destroy();
			const left = client?.station().session.handle;
			await client?.[Symbol.asyncDispose]();
			if (left && left.leaf !== null)
				print(`Resume this session with:\n  reprise -r ${sessionWord({ id: left.session.id, path: left.path })}`);
			// Whole, however long: it is there to be copied, which rows that the console has broken are not.
			const commands = [...this.#controller.handedOff].map((command) => `\n  ${command}`);
			if (commands.length > 0)
				print(`Go on with its ${plural(commands.length, 'copy', 'copies')} elsewhere with:${commands.join('')}`);
		}
	}

	/** The line of input is on the screen already: what loads now takes longer than all before it. */
	async #openClient(): Promise<Client | undefined> {
		const [{ beginClient }, { attendants }] = await Promise.all([import('./begin.ts'), import('./attend.ts')]);
		return await beginClient(this.#setup, this.#beginning(attendants));
	}

	async #begun(client: Client): Promise<void> {
		const { session, model, mode } = client.station();
		const { handle, cwd } = session;
		const { version, prompt } = this.#setup;
		const branch = gitBranchOf(cwd);
		const controller = this.#controller;
		const { id, format } = handle.session;
		controller.dispatch({
			type: 'status',
			status: {
				model: model.name,
				mode,
				format: agentOf(format, handle.path),
				sessionId: id,
				folder: folderText(cwd),
				...(branch !== undefined && { branch }),
			},
		});
		controller.own = ownCommands({
			controller,
			client,
			exit: () => this.#leave(),
			configure: () => this.#configure(),
			fullscreen: () => this.#switchScreen(),
			keys: () => this.#keys,
			commands: () => this.#commands(client),
		});
		if (handle.leaf === null) {
			const words = `Reprise ${version} in ${folderText(cwd)} · ? lists the keys, / the commands`;
			controller.dispatch({ type: 'note', text: words });
			if (prompt === undefined) controller.inBackground(this.#tellOthers(cwd));
		} else await controller.showStored(handle.path);
		this.#files = new ProjectFiles(cwd);
		controller.inBackground(this.#files.warm('begun'));
		this.#shell.complete(completions(() => this.#commands(client), this.#files));
		controller.inBackground(controller.measure());
		controller.inBackground(controller.count());
		controller.answered = (since) => {
			if (Date.now() - since >= lookedAwayMs) this.#notify('Reprise has answered');
		};
		controller.begin(prompt);
	}

	/** Behind the first frame: listing takes a moment where there are many. Whoever has typed a prompt by then does not need it. */
	async #tellOthers(cwd: string): Promise<void> {
		await sleep(0);
		const { listSessions } = await import('../catalog/list-sessions.ts');
		const count = listSessions({ project: projectAt(cwd) }).length;
		const { isBusy, state } = this.#controller;
		if (count === 0 || isBusy || state.queue.length > 0) return;
		const text = `${countedText(count, 'session is', 'sessions are')} here: /resume opens ${plural(count, 'it', 'them')}`;
		this.#controller.dispatch({ type: 'note', text });
	}

	#commands(client: Client): readonly HelpCommand[] {
		const built = [...builtins, ...ownNames].map((one) => ({ ...one, about: one.summary, kind: 'built in' as const }));
		const theirs = client.commands
			.filter(({ forUser }) => forUser)
			.map(({ name, kind, description = '' }) => ({ name, about: description, kind }));
		const prompts = (client.station().servers?.prompts ?? []).map((name) => ({
			name,
			about: '',
			kind: 'prompt' as const,
		}));
		return [...built, ...theirs, ...prompts];
	}

	#beginning(attend: typeof attendants): Beginning {
		const { dialogs, listener } = this.#controller;
		return {
			listener,
			steer: () => this.#controller.steer(),
			attend: ({ cwd }, mode) =>
				attend(
					{
						cwd,
						dialogs,
						dispatch: (action) => this.#controller.dispatch(action),
						edit: (text, name) => this.#outside(() => editOutside(text, name)),
						stop: () => this.#controller.interrupt(),
						waits: (what) => this.#notify(what),
					},
					mode,
				),
			chooses: async (cwd) => await (await import('./pickers/resume.ts')).pickSession(dialogs, { cwd }),
			trusts: (cwd, waiting) => dialogs.open(() => trustScreen(cwd, waiting), { guarded: true }),
			goesOn: async (what) =>
				(await dialogs.open(
					() =>
						new ChoiceDialog<boolean>({
							title: 'A part of the conversation would be lost',
							body: (width) => reportRows(what, width),
							question: 'Go on all the same?',
							items: [
								{ key: '1', label: 'No', value: { answer: false } },
								{ key: '2', label: 'Yes', value: { answer: true } },
							],
							safe: false,
							leave: 'for no',
						}),
					{ guarded: true },
				)) ?? false,
		};
	}

	#actions(): Parameters<typeof keyActions>[0] {
		const console = this;
		const controller = this.#controller;
		return {
			isBusy: () => controller.isBusy,
			isCompleting: () => this.#shell.isCompleting,
			text: () => this.#shell.text,
			hasQueue: () => controller.state.queue.length > 0,
			clear() {
				console.#shell.remember(console.#shell.text);
				console.#draft.remember();
				console.#shell.text = '';
				controller.isLater = false;
			},
			interrupt: () => controller.interrupt(),
			leaveDialog: controller.leaveDialog,
			exit: (isSure = false) => this.#leave(isSure),
			ends: () => this.#leaving.ends,
			suspend: () => this.#suspend(),
			editOutside: () => controller.inBackground(this.#editText()),
			showAll: () => controller.inBackground(this.#showAll()),
			nextMode: () => controller.nextMode(),
			toggleTasks: () => controller.dispatch({ type: 'toggle-todos' }),
			toggleThinking() {
				controller.dispatch({ type: 'toggle-thinking' });
				console.#shell.refresh();
			},
			pastePicture: () => controller.inBackground(this.#pastePicture()),
			searchHistory: () => controller.inBackground(this.#searchHistory()),
			redraw: () => this.#shell.redraw(),
			editQueue: () => controller.editQueue(),
			sendLater() {
				const { text } = console.#shell;
				console.#shell.text = '';
				controller.submit(text, true);
			},
			command: (name) => controller.submit(`/${name}`),
			hint: (text, forMs) => controller.dispatch({ type: 'hint', text, forMs }),
		};
	}

	#leave(isSure = false): void {
		if (isSure || this.#leaving.isMeant()) this.#over.resolve(0);
	}

	/** Tells somebody who looks elsewhere, as the settings say. */
	#notify(what: string): void {
		const { notify } = this.#settings;
		if (notify === 'bell') this.#terminal.write('\u0007');
		// Everything that could end or steer the sequence is taken out.
		if (notify === 'desktop') this.#terminal.write(`\u001b]9;${oneLine(what).replace(/[^ -~]/g, '?')}\u0007`);
	}

	/** `/config`: what was chosen counts at once, and is kept. */
	async #configure(): Promise<void> {
		const { ConfigScreen } = await import('./screens/config.ts');
		const chosen = await this.#controller.dialogs.open<ConfigAnswer>(
			() => new ConfigScreen(this.#settings, settingsFile(thisMachine())),
		);
		if (!chosen) return;
		this.#settings = chosen;
		this.#keys = bindings(chosen.keys);
		this.#shell.bind(this.#keys);
		this.#controller.look = lookOf(chosen);
		await saveConsoleSettings(chosen, thisMachine());
		this.#controller.dispatch({ type: 'note', text: `Saved in ${settingsFile(thisMachine())}` });
	}

	async #searchHistory(): Promise<void> {
		const { dialogs, client } = this.#controller;
		const chosen = await pickPrompt(dialogs, client?.station().session.cwd ?? process.cwd());
		if (chosen !== undefined) this.#shell.text = chosen;
	}

	async #pastePicture(): Promise<void> {
		const { clipboardPicture } = await import('./composer/clipboard.ts');
		const path = await clipboardPicture();
		if (path !== undefined) this.#shell.insert(`${path} `);
		else this.#controller.dispatch({ type: 'hint', text: 'No picture is on the clipboard', forMs: 3000 });
	}

	/** Somebody else has the terminal meanwhile. */
	async #outside<T>(work: () => Promise<T>): Promise<T> {
		this.#shell.stop();
		try {
			return await work();
		} finally {
			this.#shell.start();
		}
	}

	async #editText(): Promise<void> {
		const text = await this.#outside(() => editOutside(this.#shell.text, 'prompt.md'));
		if (text !== undefined) this.#shell.text = text;
	}

	/** Everything of the last turns, nothing folded, in the pager. */
	async #showAll(): Promise<void> {
		const handle = this.#controller.client?.station().session.handle;
		if (!handle || handle.leaf === null) {
			this.#controller.dispatch({ type: 'hint', text: 'Nothing was said yet', forMs: 2000 });
			return;
		}
		const { width } = this.#shell.size;
		const { theme } = this.#controller.look;
		const { storedBlocks } = await import('./stored.ts');
		const blocks = await storedBlocks(handle.path, turnsShownWhole);
		const rows = blocks.flatMap((block) => blockRows(block, width, theme, { full: true }));
		const paged = await this.#outside(() => pageOnTerminal(`${rows.join('\n')}\n`, { atEnd: true }));
		if (!paged) this.#controller.dispatch({ type: 'hint', text: 'There is no pager: set PAGER', forMs: 3000 });
	}

	/** `/fullscreen`: what was said before can be scrolled to, and what is said there is in the terminal's scrollback afterwards. */
	async #switchScreen(): Promise<void> {
		if (this.#shell.isFull) {
			this.#shell.leaveFull();
			return;
		}
		const said = await this.#controller.said(turnsScrolled);
		if (this.#shell.isFull) return;
		this.#shell.enterFull(said().map((block) => this.#controller.rowsOf(block)));
		const text = 'PgUp, PgDn and the wheel scroll · Ctrl-F searches · /fullscreen goes back';
		this.#controller.dispatch({ type: 'hint', text, forMs: 6000 });
	}

	/** The process is stopped at the kill; the timer fires when it goes on, and at once where nobody can stop it. */
	#suspend(): void {
		this.#shell.stop();
		print('Reprise is suspended: fg brings it back.');
		process.kill(0, 'SIGTSTP');
		setTimeout(() => this.#shell.start(), 50);
	}
}

function lookOf({ theme, statusLine }: ConsoleSettings): Look {
	return { theme: chosenTheme(theme), statusLine };
}

export async function runConsole(setup: ConsoleSetup, settings: ReadSettings): Promise<number> {
	return await new Console(setup, settings).run();
}
