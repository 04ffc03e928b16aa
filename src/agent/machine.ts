/** The machine as the loop and its tools see it: files, a shell, a search, the web, a clock. */

/** The one seam to the machine. */
export interface Host {
	readonly files: HostFiles;
	/** Names and links, for permission decisions. */
	readonly names: FileView;
	/** The user's home. */
	readonly home: string;
	readonly run: RunCommand;
	readonly search: SearchFiles;
	readonly fetchPage: FetchPage;
	readonly pdfText: PdfText;
	now(): number;
	/** Random hexadecimal digits. */
	randomHex(digits: number): string;
	sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface HostFiles {
	/** Undefined: there is no such file. */
	stat(path: string): Promise<FileFacts | undefined>;
	/** When each was last changed, in milliseconds; 0 for what is gone. Quick for very many. */
	modified(paths: readonly string[]): Promise<readonly number[]>;
	/** `real`: where the path led when it was decided about. If it leads elsewhere by now, nothing is read. */
	read(path: string, real?: string): Promise<Uint8Array>;
	/** Atomic; missing folders are made. An existing file keeps its mode. Parts follow each other. `real` as above: nothing is written elsewhere. */
	write(path: string, bytes: Uint8Array | readonly Uint8Array[], real?: string): Promise<void>;
	/** The path with links resolved, as far as it exists. */
	real(path: string): Promise<string>;
	list(folder: string): Promise<readonly string[]>;
	/** What a link names; undefined where there is none. */
	linkTarget(path: string): Promise<string | undefined>;
	/** Adds to a file that only its user can read; missing folders are made. */
	append(path: string, text: string): Promise<void>;
}

/** What a permission decision has to know of the file system: names and links, and what git would obey. */
export interface FileView {
	/** Where the kernel would end up: every link followed, `..` after links, also for what does not exist yet. Undefined: nowhere, as in a loop. */
	real(path: string): string | undefined;
	kind(path: string): 'file' | 'folder' | undefined;
	list(folder: string): readonly string[];
	/** The files that git tracks in the repository of this folder, from its top. Undefined where that cannot be known. */
	tracked?(top: string): readonly string[] | undefined;
	/** What in the repository with this top may name a program that git runs, in a few words; undefined where nothing does. */
	gitRuns?(top: string): string | undefined;
}

export interface FileFacts {
	readonly size: number;
	readonly folder: boolean;
	/** False for folders and for devices, pipes and sockets: reading one of those may never end. */
	readonly regular: boolean;
	readonly mtimeMs: number;
	/** Nanoseconds since the epoch, as digits. */
	readonly mtimeNs: string;
}

/** Fetches one page; redirections are told, not followed. Never throws. */
export type FetchPage = (request: PageRequest, signal: AbortSignal) => Promise<Page>;

export interface PageRequest {
	/** With `http:` or `https:`. */
	readonly url: string;
	/** Also from this machine and its neighbours; else every address that its name leads to has to be a public one. */
	readonly allowPrivate: boolean;
	readonly mostBytes: number;
	/** The time limit of the whole visit. */
	readonly timeoutMs: number;
}

export type Page =
	| {
			readonly is: 'page';
			readonly status: number;
			readonly statusText: string;
			readonly type: string;
			readonly bytes: Uint8Array;
	  }
	| { readonly is: 'redirect'; readonly status: number; readonly location: string }
	| { readonly is: 'failed'; readonly why: string };

/** Takes the text out of some pages of a PDF, counted from 1. Never throws, and does not take for ever. */
export type PdfText = (
	request: { readonly bytes: Uint8Array; readonly first: number; readonly last: number },
	signal: AbortSignal,
) => Promise<PdfPages | { readonly is: 'failed'; readonly why: string }>;

export interface PdfPages {
	readonly is: 'pages';
	/** How many the whole PDF has. */
	readonly total: number;
	/** The text of those that were asked for and that there are. */
	readonly pages: readonly string[];
}

/** Runs ripgrep. `heard` gets its output as it comes, and ends it by answering false. */
export type SearchFiles = (
	request: SearchRequest,
	heard: (text: string) => boolean,
	signal: AbortSignal,
) => Promise<SearchEnd>;

export interface SearchRequest {
	/** Its flags. A value that somebody else chose stands in one word with its flag, so that it can never be taken for a flag. */
	readonly flags: readonly string[];
	/** The folder that it runs in, absolute. */
	readonly folder: string;
	/** What is searched; the folder where it is left out. */
	readonly path?: string;
	readonly timeoutMs: number;
}

export interface SearchEnd {
	/** Null: it was ended. */
	readonly code: number | null;
	/** What it complained about. */
	readonly complaint: string;
	readonly timedOut?: boolean;
}

/** Runs a shell command in its own process group, which `signal` and the time limit end as a whole. */
export type RunCommand = (command: ShellCommand, signal: AbortSignal) => AsyncIterable<ShellEvent>;

export interface ShellCommand {
	readonly command: string;
	readonly cwd: string;
	readonly timeoutMs?: number;
	readonly env?: { readonly [name: string]: string };
}

export type ShellEvent =
	| { readonly type: 'output'; readonly from: 'stdout' | 'stderr'; readonly text: string }
	| {
			readonly type: 'exit';
			readonly code: number | null;
			readonly signal?: string;
			readonly timedOut?: boolean;
			/** The folder that the shell was in at the end, where the command succeeded. */
			readonly cwd?: string;
	  };
