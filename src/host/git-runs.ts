/** Which settings, hooks and submodules of a git repository may make git run a program, and which are harmless; read without running git, because whoever unpacks a folder has agreed to none of it. */
import { readdirSync, statSync } from 'node:fs';
import { codeOf, isMissing } from '../log/errors.ts';
import { readIfThere } from '../log/regular-file.ts';

/** Settings that name no program, `section.key`; `*` stands for all keys. A key below a name (`remote.origin.url`) is written without it. */
const harmless: ReadonlySet<string> = new Set(
	[
		'core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode',
		'core.symlinks core.autocrlf core.eol core.safecrlf core.quotepath core.whitespace core.abbrev core.compression',
		'core.sparsecheckout core.sparsecheckoutcone core.untrackedcache core.preloadindex core.longpaths core.hidedotfiles',
		'core.protecthfs core.protectntfs core.commitgraph core.multipackindex core.checkstat core.trustctime core.hookspath',
		'remote.url remote.pushurl remote.fetch remote.push remote.tagopt remote.prune remote.prunetags remote.mirror',
		'remote.promisor remote.partialclonefilter remote.pushdefault remote.gh-resolved submodule.active submodule.url',
		'diff.renames diff.algorithm diff.noprefix diff.mnemonicprefix diff.colormoved merge.conflictstyle rerere.enabled',
		'status.showuntrackedfiles status.short status.branch status.relativepaths log.date log.decorate gc.auto',
		'lfs.repositoryformatversion lfs.url lfs.access lfs.locksverify http.extraheader http.postbuffer index.version',
		'branch.* user.* author.* committer.* commit.* tag.* push.* pull.* fetch.* init.* color.* advice.* extensions.*',
	]
		.join(' ')
		.split(' '),
);

const mostConfig = 1024 * 1024;
const mostIndex = 64 * 1024 * 1024;

/** What git would obey in the repository with this top, in a few words; undefined where it names no program. */
export function gitRuns(top: string): string | undefined {
	try {
		const own = gitFolder(top);
		if (own === undefined) return 'a .git that cannot be read';
		const common = readIfThere(`${own}/commondir`, 4096)?.toString().trimEnd();
		const shared = common === undefined ? own : from(own, common);
		const hooks = new Set([`${own}/hooks`, `${shared}/hooks`]);
		for (const file of new Set([`${own}/config`, `${shared}/config`, `${own}/config.worktree`])) {
			const found = inConfig(readIfThere(file, mostConfig), (path) => hooks.add(from(top, path)));
			if (found !== undefined) return found;
		}
		return [...hooks].map(inHooks).find((one) => one !== undefined) ?? inIndex(own);
	} catch (error) {
		if (codeOf(error) === undefined) throw error;
		// What is not ours to read may say anything.
		return 'what cannot be read';
	}
}

/** Joined as the kernel walks it: `..` after links. */
function from(folder: string, path: string): string {
	return path.startsWith('/') ? path : `${folder}/${path}`;
}

/** A folder, or a file that names one. */
function gitFolder(top: string): string | undefined {
	const own = `${top}/.git`;
	if (statSync(own).isDirectory()) return own;
	const [, folder] = /^gitdir: ([^\r\n]+)[\r\n]*$/.exec(readIfThere(own, 4096)?.toString() ?? '') ?? [];
	return folder === undefined ? undefined : from(top, folder);
}

/** Only what is written plainly is understood: everything else that git's grammar allows is taken for a program. */
function inConfig(bytes: Buffer | undefined, hooksIn: (folder: string) => void): string | undefined {
	if (bytes === undefined) return undefined;
	if (bytes.length === mostConfig) return 'a very large configuration';
	let section = '';
	for (const line of bytes
		.toString()
		.split('\n')
		.map((one) => one.trim())) {
		if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
		const [, name] = /^\[([A-Za-z0-9-]+)(?:[ \t]+"[^"\\]*")?\]$/.exec(line) ?? [];
		if (name !== undefined) {
			section = name.toLowerCase();
			continue;
		}
		const [, given, value = ''] = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[ \t]*(.*))?$/.exec(line) ?? [];
		const key = `${section}.${given?.toLowerCase()}`;
		if (given === undefined || line.endsWith('\\')) return `an unusual line in ${section || 'its configuration'}`;
		if (!harmless.has(key) && !harmless.has(`${section}.*`)) return key;
		// A helper of git's own is named before two colons, and may run anything.
		if (section === 'remote' && value.includes('::')) return key;
		if (key === 'core.hookspath') {
			if (!/^[\w./ -]+$/.test(value)) return key;
			hooksIn(value);
		}
	}
	return undefined;
}

/** Hooks that commands run which only look: they write down what they learned of the files. */
const hookOfLooking = /^(post-index-change|reference-transaction)(\.(?!sample$).*)?$/i;

function inHooks(folder: string): string | undefined {
	try {
		const found = readdirSync(folder).find((name) => hookOfLooking.test(name));
		return found === undefined ? undefined : `the hook ${found}`;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

/** The mode of an entry that stands for another repository. Other bytes may look like it: then a question too many is asked. */
const asSubmodule = Buffer.from([0, 0, 0xe0, 0]);

/** Git looks into submodules with commands of its own, which obey the configuration of those. */
function inIndex(own: string): string | undefined {
	for (const name of readdirSync(own).filter((one) => one === 'index' || one.startsWith('sharedindex.'))) {
		const bytes = readIfThere(`${own}/${name}`, mostIndex);
		if (bytes && (bytes.length === mostIndex || bytes.includes(asSubmodule))) return 'submodules';
	}
	return undefined;
}
