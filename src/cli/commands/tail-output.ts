/** What `reprise tail` prints: headings, parts, JSON lines, and how many entries are shown of a file that was cut or replaced. */
import type { LiveTranscript } from '../../export/live.ts';
import type { TranscriptPart } from '../../export/transcript.ts';
import type { Entry } from '../../model/index.ts';
import type { FoundSession } from '../../store/find/discover.ts';
import { codecNamed } from '../../store/find/session-files.ts';
import type { SessionNews } from '../../store/follow/follow-sessions.ts';
import { glance } from '../../store/reader/glance.ts';
import { clip, complain, oneLine, paint, print, printJsonLine } from '../../terminal/print.ts';
import { textWidth } from '../../terminal/width.ts';
import { partJson } from './show.ts';
import { Clock, partPiece, type TerminalOptions } from './show-terminal.ts';

/** How news are told, whoever reads them. */
export interface Teller {
	live(): LiveTranscript;
	/** True for entries that tell something by themselves. */
	counts(entry: Entry): boolean;
	/** How many of the last entries are shown first. */
	readonly last: number;
}

export interface Output {
	take(news: SessionNews): Promise<void>;
}

/** After a file was cut or replaced at least so much is shown of what it is now. */
const fewest = 3;

abstract class Telling implements Output {
	readonly #teller: Teller;
	readonly #told = new Map<string, LiveTranscript>();
	readonly #removed = new Set<string>();

	constructor(teller: Teller) {
		this.#teller = teller;
	}

	async take(news: SessionNews): Promise<void> {
		const { session } = news;
		const known = this.#told.get(session.path);
		const live = known ?? this.#teller.live();
		this.#told.set(session.path, live);
		switch (news.kind) {
			case 'recent': {
				const shown = new Set(this.#lastOf(news.entries, this.#teller.last));
				const parts = live.tell(news.entries).filter((part) => shown.has(part.from));
				return await this.parts(session, parts, true);
			}
			case 'added':
				return await this.parts(session, live.tell(news.entries), false);
			case 'reset': {
				// A session that is told for the first time has not changed, it is new.
				const same = news.same ?? (known ? undefined : 0);
				if (same !== undefined) return await this.parts(session, live.tell(news.entries.slice(same)), false);
				live.forget();
				const back = this.#removed.delete(session.path);
				await this.note(session, 'reset', `the file ${back ? 'is back' : 'was cut or replaced'}; it ends with:`);
				const shown = new Set(this.#lastOf(news.entries, Math.max(fewest, this.#teller.last)));
				const parts = live.tell(news.entries).filter((part) => shown.has(part.from));
				return await this.parts(session, parts, true);
			}
			case 'removed':
				live.forget();
				this.#removed.add(session.path);
				return await this.note(session, 'removed', 'the file was removed');
			case 'unread':
				complain(
					news.message.includes(session.path)
						? `not followed: ${news.message}`
						: `${session.path} is not followed: ${news.message}`,
				);
		}
	}

	#lastOf(entries: readonly Entry[], last: number): readonly Entry[] {
		return last === 0 ? [] : entries.filter((entry) => this.#teller.counts(entry)).slice(-last);
	}

	/** `recent`: they were there before. */
	protected abstract parts(session: FoundSession, parts: readonly TranscriptPart[], recent: boolean): Promise<void>;
	protected abstract note(session: FoundSession, event: 'reset' | 'removed', text: string): Promise<void>;
}

/** Each line says which session it is about; a line of its own tells once what that session is. */
export class TailJson extends Telling {
	readonly #named = new Set<string>();

	protected async parts(session: FoundSession, parts: readonly TranscriptPart[], recent: boolean): Promise<void> {
		this.#name(session);
		for (const part of parts) {
			printJsonLine({
				event: 'part',
				...idsOf(session),
				...(recent ? { recent } : {}),
				...partJson(part),
				...unnamed(session, part),
			});
		}
	}

	protected async note(session: FoundSession, event: 'reset' | 'removed'): Promise<void> {
		this.#name(session);
		printJsonLine({ event, ...idsOf(session) });
	}

	#name(session: FoundSession): void {
		if (this.#named.has(session.path)) return;
		this.#named.add(session.path);
		const { agent, format, path } = session;
		const seen = glance(session);
		printJsonLine({
			event: 'session',
			...idsOf(session),
			agent,
			format,
			path,
			title: seen?.title ?? null,
			cwd: seen?.cwd ?? null,
		});
	}
}

/** Where lines have names, they are not counted to follow a file: then a number is nobody's name. */
function unnamed({ format }: FoundSession, { from }: TranscriptPart): object {
	return codecNamed(format).capabilities.ids && /^line:\d+$/.test(from.id) ? { entry: null } : {};
}

function idsOf({ id, parent }: FoundSession): object {
	return parent === undefined ? { session: id } : { session: parent, subagent: id };
}

/** A title that would be cut shorter than this says nothing, and is left out. */
const fewestSigns = 8;

/** A heading wherever the talk turns to another session. */
export class TailText extends Telling {
	readonly #options: TerminalOptions;
	readonly #clocks = new Map<string, Clock>();
	readonly #titles = new Map<string, string>();
	#about: string | undefined;

	constructor(teller: Teller, options: TerminalOptions) {
		super(teller);
		this.#options = options;
	}

	protected async parts(session: FoundSession, parts: readonly TranscriptPart[]): Promise<void> {
		const clock = this.#clocks.get(session.path) ?? new Clock();
		this.#clocks.set(session.path, clock);
		if (parts.length > 0) this.#turnTo(session);
		for (const part of parts) {
			if (part.kind === 'subagent') continue;
			const time = clock.at(part);
			if (time !== undefined) print(`${paint('dim', `── ${time} ──`)}\n`);
			print(await partPiece(part, this.#options));
		}
	}

	protected async note(session: FoundSession, _event: string, text: string): Promise<void> {
		this.#turnTo(session);
		print(`${paint('yellow', `── ${text} ──`)}\n`);
	}

	#turnTo(session: FoundSession): void {
		if (this.#about === session.path) return;
		this.#about = session.path;
		const { agent, id, parent } = session;
		const title = this.#titleOf(session);
		const name = parent === undefined ? id : `${parent} ▸ sub-agent ${id}`;
		// The name is what other commands take: of the two it is the title that is cut.
		const room = this.#options.width - textWidth(`━━ ${agent} ·  (${name})`);
		const about = title === '' || room < fewestSigns ? name : `${clip(title, room)} (${name})`;
		const head = clip(`━━ ${agent} · ${about}`, this.#options.width);
		print(`${paint(parent === undefined ? 'cyan' : 'magenta', head)}\n`);
	}

	/** A file that is gone is still called what it was. */
	#titleOf(session: FoundSession): string {
		if (session.parent !== undefined) return '';
		const title = oneLine(glance(session)?.title ?? '') || (this.#titles.get(session.path) ?? '');
		this.#titles.set(session.path, title);
		return title;
	}
}
