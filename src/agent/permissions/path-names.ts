/** Paths as texts (absolute, normalised, below a folder, `~`): what they name before anybody has looked at the disk. */
/** With slashes only, also on Windows, and without `.`, `..` and doubled slashes. */
export function normalise(path: string): string {
	const slashed = slashes(path);
	const drive = /^[A-Za-z]:(?=\/|$)/.exec(slashed)?.[0] ?? '';
	const parts: string[] = [];
	for (const part of slashed.slice(drive.length).split('/')) {
		if (part === '..') parts.pop();
		else if (part !== '' && part !== '.') parts.push(part);
	}
	return `${drive}/${parts.join('/')}`;
}

function slashes(path: string): string {
	return /^[A-Za-z]:[\\/]/.test(path) ? path.replaceAll('\\', '/') : path;
}

export function isAbsolute(path: string): boolean {
	return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
}

/** Not normalised: `link/../x` is another file for the kernel than for a text. */
export function joined(folder: string, path: string): string {
	return isAbsolute(path) ? path : `${folder}/${path}`;
}

export function isWithin(path: string, folder: string): boolean {
	const base = normalise(folder);
	return path === base || path.startsWith(base.endsWith('/') ? base : `${base}/`);
}

/** The rest of the path below the folder, `''` for the folder itself; undefined where it is not below. */
export function below(folder: string, path: string): string | undefined {
	const base = normalise(folder);
	if (path === base) return '';
	const prefix = base.endsWith('/') ? base : `${base}/`;
	return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** The path that a `~` at its beginning stands for. */
export function atHome(path: string, home: string): string {
	return path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
}
