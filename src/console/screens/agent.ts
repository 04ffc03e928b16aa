/** The screen of one sub-agent, or of one command in the background: its conversation or output, which goes on while it runs, and the keys that scroll it and stop it. */
import { plainTheme, type Theme } from '../theme.ts';
import { fitted, hintRows, scrolled, scrollLimit, titleRow, wrapped } from './parts.ts';
import { type Key, type Pressed, type Screen, type Size, usualSize, type Want } from './screen.ts';

export interface ShownAgent {
	readonly title: string;
	/** Its kind, its state, what it has used. */
	readonly facts: string;
	/** No wider than the width, and cleaned. */
	readonly body: (width: number, theme: Theme) => readonly string[];
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

export class AgentScreen implements Screen<AgentViewAnswer> {
	readonly #agent: ShownAgent;
	readonly #at: number;
	/** `x` was pressed once. */
	readonly #isStopping: boolean;

	constructor(agent: ShownAgent, at = atEnd, isStopping = false) {
		this.#agent = agent;
		this.#at = at;
		this.#isStopping = isStopping;
	}

	/** What comes after what is shown. */
	get wants(): Want | undefined {
		const { isRunning, version } = this.#agent;
		return isRunning ? { what: 'agent', of: version } : undefined;
	}

	withAgent(agent: ShownAgent): AgentScreen {
		return new AgentScreen(agent, this.#at, this.#isStopping && agent.isRunning);
	}

	press({ name, text }: Key, size: Size = usualSize): Pressed<AgentViewAnswer> {
		if (name === 'escape' || name === 'enter') return { answer: undefined };
		const { isRunning, canStop, body } = this.#agent;
		if (name === 'text' && text === 'x' && isRunning && canStop)
			return this.#isStopping ? { answer: 'stop' } : new AgentScreen(this.#agent, this.#at, true);
		const room = roomIn(size);
		const limit = scrollLimit(body(size.width, plainTheme).length, room);
		const step = { up: -1, down: 1, pageup: 2 - room, pagedown: room - 2, home: -limit, end: limit }[name];
		if (step === undefined) return this;
		const at = Math.max(0, Math.min(this.#at, limit) + step);
		return new AgentScreen(this.#agent, at >= limit ? atEnd : at);
	}

	rows(size: Size, theme: Theme): readonly string[] {
		const { title, facts, body, isRunning, canStop } = this.#agent;
		const rows = body(size.width, theme);
		const room = roomIn(size);
		const hints = [
			...(rows.length > room ? ['↑↓ PgUp/PgDn'] : []),
			...(isRunning && canStop ? [this.#isStopping ? 'x again to stop it' : 'x to stop it'] : []),
			'Esc for the list',
		];
		return fitted(
			[
				titleRow(title, '', size.width, theme),
				...wrapped(facts, size.width, theme.dim).slice(0, 1),
				...scrolled(rows, this.#at, room, size.width, theme),
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
