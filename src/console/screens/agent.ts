/** The screen of one sub-agent, or of one command in the background: its conversation or output, which goes on while it runs, and the keys that scroll it, unfold it and stop it. */
import { plainTheme, type Theme } from '../theme.ts';
import { fitted, hintRows, scrolled, scrollLimit, titleRow, wrapped } from './parts.ts';
import { type Key, type Pressed, type Screen, type Size, usualSize, type Want } from './screen.ts';

export interface ShownAgent {
	readonly title: string;
	/** Its kind, its state, what it has used. */
	readonly facts: string;
	/** No wider than the width, and cleaned. `full`: nothing is folded. */
	readonly body: (width: number, theme: Theme, full: boolean) => readonly string[];
	readonly isRunning: boolean;
	/** This process has started it. */
	readonly canStop: boolean;
	/** Changes with its file. */
	readonly version: string;
}

/** Undefined: back to the list. */
export type AgentViewAnswer = 'stop' | undefined;

/** Further than any text is long: what is added stays in sight. */
const atEnd = Number.MAX_SAFE_INTEGER;

interface State {
	readonly at: number;
	/** `x` was pressed once. */
	readonly isStopping: boolean;
	/** Nothing is folded. */
	readonly full: boolean;
}

export class AgentScreen implements Screen<AgentViewAnswer> {
	readonly #agent: ShownAgent;
	readonly #state: State;

	constructor(agent: ShownAgent, state: State = { at: atEnd, isStopping: false, full: false }) {
		this.#agent = agent;
		this.#state = state;
	}

	/** What comes after what is shown. */
	get wants(): Want | undefined {
		const { isRunning, version } = this.#agent;
		return isRunning ? { what: 'agent', of: version } : undefined;
	}

	withAgent(agent: ShownAgent): AgentScreen {
		const { isStopping } = this.#state;
		return new AgentScreen(agent, { ...this.#state, isStopping: isStopping && agent.isRunning });
	}

	press({ name, text }: Key, size: Size = usualSize): Pressed<AgentViewAnswer> {
		if (name === 'escape' || name === 'enter') return { answer: undefined };
		const { isRunning, canStop, body } = this.#agent;
		const { at, isStopping, full } = this.#state;
		if (name === 'text' && text === 'x' && isRunning && canStop)
			return isStopping ? { answer: 'stop' } : this.#with({ isStopping: true });
		if (name === 'ctrl+o') return this.#with({ full: !full, isStopping: false });
		const room = roomIn(size);
		const limit = scrollLimit(body(size.width, plainTheme, full).length, room);
		const step = { up: -1, down: 1, pageup: 2 - room, pagedown: room - 2, home: -limit, end: limit }[name];
		if (step === undefined) return this;
		const next = Math.max(0, Math.min(at, limit) + step);
		return this.#with({ at: next >= limit ? atEnd : next, isStopping: false });
	}

	#with(more: Partial<State>): AgentScreen {
		return new AgentScreen(this.#agent, { ...this.#state, ...more });
	}

	rows(size: Size, theme: Theme): readonly string[] {
		const { title, facts, body, isRunning, canStop } = this.#agent;
		const { at, isStopping, full } = this.#state;
		const rows = body(size.width, theme, full);
		const room = roomIn(size);
		const hints = [
			...(rows.length > room ? ['↑↓ PgUp/PgDn'] : []),
			...(isRunning && canStop ? [isStopping ? 'x again to stop it' : 'x to stop it'] : []),
			full ? 'Ctrl-O to fold' : 'Ctrl-O for all of it',
			'Esc for the list',
		];
		return fitted(
			[
				titleRow(title, '', size.width, theme),
				...wrapped(facts, size.width, theme.dim).slice(0, 1),
				...scrolled(rows, at, room, size.width, theme),
				...hintRows(hints, size, theme).slice(-1),
			],
			size,
		);
	}
}

/** Without the title, the facts and the hints. */
function roomIn({ height }: Size): number {
	return Math.max(1, height - 3);
}
