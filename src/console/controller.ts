/** The console's one controller: what is typed becomes prompts, what the client tells becomes state; how many turns of an opened session are shown, and how often time is told. */
import type { Prompt } from '../agent/config.ts';
import type { Client } from '../client/client.ts';
import { calledIn } from '../client/commands/called.ts';
import type { Listener } from '../client/listener.ts';
import type { EntryId } from '../model/index.ts';
import { agentOf } from '../store/find/session-files.ts';
import type { SessionHandle } from '../store/handle/handle.ts';
import { createHighlighter } from '../terminal/highlight.ts';
import { hearLoop } from './background.ts';
import { keepInHistory } from './composer/history.ts';
import { Dialogs } from './dialogs.ts';
import { failureText } from './failure-text.ts';
import { type Instead, type OwnCommand, opensAtOnce } from './own-commands.ts';
import { PromptQueue } from './prompt-queue.ts';
import { reduce } from './reduce.ts';
import { endsLine, openFence } from './reply-blocks.ts';
import type { Key, Size } from './screens/screen.ts';
import { type Action, type Block, modeAfter, newState, type Queued, type State } from './state.ts';
import type { Look, Surface } from './surface.ts';
import { ThisTurn } from './this-turn.ts';
import { runOwnCommand } from './user-shell-command.ts';
import { blockRows } from './views/block.ts';
import { liveRows } from './views/live.ts';
import { statusRows } from './views/status.ts';

/** Turns of a session that are shown when it is opened. */
const turnsShown = 5;
const tickMs = 250;

export class Controller {
	look: Look;
	readonly dialogs: Dialogs;
	readonly listener: Listener;
	/** Set when there is one: before that, questions about the folder are asked. */
	client: Client | undefined;
	/** Carries out a command of the console's own. */
	own: OwnCommand = async () => undefined;
	/** The commands that go on with what was handed to other agents. */
	readonly handedOff = new Set<string>();
	/** All prompts are answered that somebody had waited for since then. */
	answered: (sinceMs: number) => void = () => undefined;
	/** The last prompts are answered. */
	idle: Promise<void> = Promise.resolve();
	#surface: Surface | undefined;
	#state: State;
	#timer: NodeJS.Timeout | undefined;
	readonly #queue = new PromptQueue({
		get: () => this.#state.queue,
		set: (queue) => this.dispatch({ type: 'queue', queue }),
		running: () => this.#stop && this.client,
	});
	/** What stands in the line was taken back from the queue, where it waited for the end of the turn. */
	isLater = false;
	#isAnswering = false;
	readonly #ownCommands = new Set<AbortController>();
	readonly #highlighter = createHighlighter();
	readonly #turn = new ThisTurn();
	#stop: (() => void) | undefined;
	#isEnding = false;
	/** Several commands make one move: the conversation is shown behind the last. */
	#showsLater = false;

	constructor(look: Look) {
		this.look = look;
		this.#state = newState(Date.now());
		this.dialogs = new Dialogs(
			() => this.#draw(),
			Date.now,
			() => this.#surface?.text ?? '',
			(text) => this.putBack(text),
			(error) => this.failed(error),
		);
		this.listener = this.#hears();
	}

	get state(): State {
		return this.#state;
	}

	drawOn(surface: Surface): void {
		this.#surface = surface;
		this.#take();
	}

	dispatch(action: Action): void {
		const before = this.#state;
		const { now } = this.#state;
		// Deltas come a thousand times a second: the clock is looked at once for each, and moves the state only with a tick.
		const timely =
			action.type === 'tick' || Date.now() - now < tickMs ? before : reduce(before, { type: 'tick', now: Date.now() });
		this.#state = reduce(timely, action);
		this.#prepareColours(action);
		if (this.#state.blocks.length > 0) this.#take();
		this.#beat();
		if (this.#state !== before) this.#draw();
	}

	/** What stands below the finished blocks. */
	readonly face = {
		live: (size: Size): readonly string[] => liveRows(this.#state, size, this.look.theme),
		isAsking: (): boolean => this.dialogs.isOpen,
		dialog: (size: Size): readonly string[] | undefined => this.dialogs.rows(size, this.look.theme),
		isAlone: (): boolean => this.dialogs.isWanted,
		status: ({ width }: Size): readonly string[] =>
			statusRows(this.#state.status, width, this.look.theme, this.look.statusLine),
	};

	get isBusy(): boolean {
		return this.#isAnswering || this.#ownCommands.size > 0;
	}

	press(key: Key, otherwise: (key: Key) => boolean): boolean {
		// Whatever is asked, Ctrl-C pressed twice leaves: who takes keys beside the line counts it, and leaves the dialog.
		if (key.name === 'ctrl+c') return otherwise(key) || this.leaveDialog();
		if (this.#pressDialog(key)) return true;
		// With a dialog open, what it leaves is text for the line of input, also a `?`.
		return !this.dialogs.isOpen && otherwise(key);
	}

	#pressDialog(key: Key): boolean {
		return this.dialogs.press(key, this.#surface?.size ?? { width: 80, height: 24 });
	}

	/** False: there is none. */
	readonly leaveDialog = (): boolean => this.dialogs.isOpen && this.#pressDialog({ name: 'ctrl+c' });

	/** A line of input was sent; an empty one sends what is held. `after`: what is answered now comes to its end first. */
	submit(text: string, after = this.isLater): void {
		if (text.trim() === '') {
			if (!this.#isAnswering && this.#queue.release()) this.begin(undefined);
			return;
		}
		this.isLater = false;
		this.#surface?.remember(text);
		keepInHistory(text, this.client?.station().session.cwd ?? '', Date.now());
		const called = calledIn(text);
		if (this.#isAnswering && called && called.args === '' && opensAtOnce.has(called.name))
			this.inBackground(this.#look(called.name));
		// Whoever types before all is read has not typed in vain.
		else if (!this.client || (this.#isAnswering && !text.startsWith('!'))) this.#queue.add([text], after);
		else this.inBackground(this.send(text));
	}

	/** What the run that goes on is to hear now; undefined: nothing. */
	steer(): Prompt | undefined {
		const next = this.client && this.#queue.takeStep();
		return next && this.#shown(next.text);
	}

	/** The prompt stands in the conversation; the files that it names follow when they are read. */
	#shown(text: string): Prompt {
		this.dispatch({ type: 'blocks', blocks: [{ kind: 'prompt', text }] });
		return text;
	}

	/** Sends what was typed before there was a client; `first` comes before that. */
	begin(first: string | undefined): void {
		if (first !== undefined) this.submit(first);
		const next = this.#isAnswering ? undefined : this.#next();
		if (next === undefined) return;
		this.#isAnswering = true;
		this.idle = this.#answerAll(next);
	}

	/** Ends the turn. What was typed last comes back into an empty line of input; what waits before it is held. */
	interrupt(): void {
		for (const one of this.#ownCommands) one.abort();
		this.editQueue();
		this.#queue.hold();
		this.client?.interrupt();
	}

	/** Everything is to end: the run, and the client with it. */
	stop(): void {
		this.#isEnding = true;
		for (const one of this.#ownCommands) one.abort();
		if (this.#stop) this.#stop();
		else this.client?.interrupt();
	}

	/** One at a time, the last one first: two that were typed by themselves never become one text. */
	editQueue(): void {
		const surface = this.#surface;
		const last = surface?.text === '' ? this.#queue.takeLast() : undefined;
		if (!surface || !last) return;
		surface.text = last.text;
		this.isLater = last.after === true;
	}

	/** A prompt that was taken back, to be edited and sent again. */
	putBack(text: string): void {
		if (this.#surface && this.#surface.text === '') this.#surface.text = text;
	}

	nextMode(): void {
		const mode = modeAfter(this.#state.status.mode);
		this.client?.setMode(mode);
		this.dispatch({ type: 'status', status: { mode } });
	}

	/** The last turns of the session that prompts go to; of them what is behind an entry. */
	async showStored(path: string, behind?: EntryId | null): Promise<void> {
		const { openedBlocks } = await import('./stored.ts');
		this.dispatch({ type: 'blocks', blocks: await openedBlocks(path, turnsShown, behind) });
	}

	/** All finished blocks of the last turns, also of the one that goes on. */
	said(turns: number): Promise<() => readonly Block[]> {
		return this.#turn.all(this.client?.station().session.handle, turns);
	}

	/** What the session has cost and holds so far: its sub-agents' replies, and those of earlier windows, are no events of this one. */
	async count(): Promise<void> {
		const session = this.client?.station().session;
		if (!session || this.look.keyless) return;
		const { usedSoFar } = await import('./session-cost.ts');
		const status = await usedSoFar(session);
		if (this.client?.station().session === session) this.dispatch({ type: 'status', status });
	}

	/** How much the model can take. */
	async measure(): Promise<void> {
		const window = (await this.client?.station().model.window())?.();
		if (window !== undefined) this.dispatch({ type: 'status', status: { window } });
	}

	/** Answers a prompt, and those that came meanwhile. */
	async send(first: string): Promise<void> {
		if (first.startsWith('!')) {
			await this.#runOwn(first.slice(1).trim());
			return;
		}
		this.#isAnswering = true;
		const answering = this.#answerAll({ text: first });
		this.idle = answering;
		await answering;
	}

	async #answerAll(first: Queued): Promise<void> {
		const since = Date.now();
		try {
			for (let next: Queued | undefined = first; next; next = this.#next()) await this.#answer(next);
		} finally {
			this.#isAnswering = false;
			this.#beat();
			this.#draw();
			this.answered(since);
		}
	}

	#next(): Queued | undefined {
		return this.#isEnding ? undefined : this.#queue.takeNext();
	}

	async #answer({ text, announced }: Queued): Promise<void> {
		if (text.startsWith('!')) {
			await this.#runOwn(text.slice(1).trim());
			return;
		}
		const called = calledIn(text);
		try {
			// What others have said stands before the prompt that follows it.
			await this.client?.catchUp();
			this.#turn.begin(this.client?.station().session.handle);
			// A prompt that was typed on a line of its own stands there already.
			const prompt = this.look.keyless ? text : this.#shown(text);
			const own = called && (await this.own(called.name, called.args));
			if (own === 'handled' || !this.client) return;
			this.dispatch({ type: 'busy', busy: true });
			if (own) await this.#sendInstead(own);
			else await this.client.answer(prompt, { waited: announced === true });
			if (called?.name === 'model') await this.measure();
		} catch (error) {
			this.failed(error);
		} finally {
			this.dispatch({ type: 'busy', busy: false });
			this.#turn.end();
			this.inBackground(this.count());
		}
	}

	/** A screen is opened beside the answer; what was chosen in it is done after that. */
	async #look(name: string): Promise<void> {
		const own = await this.own(name, '');
		if (own && own !== 'handled') this.#queue.add([own.instead].flat(), true);
		this.begin(undefined);
	}

	/** What went wrong is said, and the window stays. */
	failed(error: unknown): void {
		this.dispatch({ type: 'error', text: failureText(error, this.client?.station().session.handle) });
	}

	/** Nobody waits for it: what goes wrong in it would end the console if it were not heard here. */
	inBackground(work: Promise<unknown>): void {
		work.catch((error: unknown) => this.failed(error));
	}

	async #sendInstead({ instead, shows }: Instead): Promise<void> {
		this.#showsLater = shows !== undefined;
		try {
			for (const one of [instead].flat()) await this.client?.answer(one);
		} finally {
			this.#showsLater = false;
		}
		const handle = this.client?.station().session.handle;
		if (shows && handle && handle.leaf !== null) await this.showStored(handle.path);
	}

	async #runOwn(command: string): Promise<void> {
		if (command === '' || !this.client) return;
		const stop = new AbortController();
		this.#ownCommands.add(stop);
		try {
			await runOwnCommand(command, this.client, (action) => this.dispatch(action), stop.signal);
		} catch (error) {
			this.failed(error);
		} finally {
			this.#ownCommands.delete(stop);
			this.#beat();
			this.#draw();
		}
	}

	#hears(): Listener {
		return {
			begin: (facts) => this.dispatch({ type: 'begin', facts }),
			event: (event) => this.dispatch({ type: 'event', event }),
			observe: (event) => hearLoop(event, this.client, (action) => this.dispatch(action)),
			note: (text) => this.dispatch({ type: 'note', text }),
			mode: (mode) => this.dispatch({ type: 'status', status: { mode } }),
			moved: (handle, isCleared) => this.#moved(handle, isCleared),
			goneOn: (path, behind) => this.showStored(path, behind),
			result: (result) => this.dispatch({ type: 'result', result }),
			command: ({ text, problem }, _id, _name, goesOn) => {
				if (goesOn !== undefined) this.handedOff.add(goesOn);
				this.dispatch({ type: 'said', text });
				if (problem !== undefined) this.dispatch({ type: 'error', text: problem });
			},
			running: (stop) => {
				this.#stop = stop;
				return {
					[Symbol.dispose]: () => {
						this.#stop = undefined;
					},
				};
			},
		};
	}

	#moved({ session: { id: sessionId, format: of }, path, leaf }: SessionHandle, isCleared: boolean): void {
		const format = agentOf(of, path);
		this.dispatch({ type: 'status', status: { sessionId, format, tokens: 0, costUsd: 0, background: 0 } });
		if (!isCleared && leaf !== null && !this.#showsLater) this.inBackground(this.showStored(path));
	}

	/** Finished blocks go to the terminal once, and are forgotten here. */
	#take(): void {
		const surface = this.#surface;
		if (!surface) return;
		const { blocks } = this.#state;
		for (const block of blocks) surface.append(this.rowsOf(block), block.kind === 'picture' ? block : undefined);
		this.#turn.add(blocks);
		this.#state = reduce(this.#state, { type: 'taken', count: blocks.length });
	}

	/** A finished block, drawn as the settings are when it is drawn. */
	rowsOf(block: Block): (width: number) => readonly string[] {
		return (width) =>
			blockRows(block, width, this.look.theme, {
				highlight: this.#highlighter.colour,
				thinking: this.#state.showsThinking,
				keyless: this.look.keyless === true,
			});
	}

	/** The clock runs only while something on the screen depends on it, and keeps no process that is to end. */
	#beat(): void {
		const { busySince, live, status } = this.#state;
		const isNeeded =
			busySince !== undefined || live.tools.length > 0 || status.hint !== undefined || status.retry !== undefined;
		if (isNeeded) this.#timer ??= setInterval(() => this.dispatch({ type: 'tick', now: Date.now() }), tickMs).unref();
		else if (this.#timer) {
			clearInterval(this.#timer);
			this.#timer = undefined;
		}
	}

	/** The grammar of a language is loaded while code in it is still being written. */
	#prepareColours(action: Action): void {
		const fence = endsLine(action) && this.look.theme.name !== 'plain' ? openFence(this.#state.live.reply) : undefined;
		if (fence !== undefined) this.inBackground(this.#highlighter.prepare(fence));
	}

	#draw(): void {
		this.#surface?.draw();
	}
}
